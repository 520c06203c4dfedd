import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DigestedCalls, SeenCall } from '../../../src/gate/ports/seen-call-port.ts';
import { MOST_OF_ONE_CALL } from '../../../src/store/rows/seen-call-rows.ts';
import { SqliteStore } from '../../../src/store/sqlite-store.ts';
import { KEEP_ALL, tidy } from '../../../src/store/tidying/tidy.ts';
import { alter, query } from '../../support/stored.ts';

const NOON = 1_700_000_000_000;
const DAY = 24 * 60 * 60 * 1000;
const GRANTED = { question: '["p"]', id: 'K7Q2MX', by: 'me at the terminal', remember: 'once' } as const;

let folder = '';
let file = '';
let store: SqliteStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-seen-calls-'));
  file = join(folder, 'clawai.db');
  store = new SqliteStore({ file, writerVersion: '0', sync: 'normal' });
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

function seen(record: string, more: Partial<SeenCall> = {}): SeenCall {
  return { record, time: NOON, toolUseId: 'toolu_1', isDenied: false, granted: undefined, ...more };
}

/** One transaction. */
function within<T>(work: (seenCalls: DigestedCalls) => T): T {
  if (!store.begin()) throw new Error('busy');
  const result = store.inSeenCalls(work);
  store.commit();
  return result;
}

function left(session = 's', call = 'c'): string[] {
  return within((seenCalls) => seenCalls.of(session, call)).map(({ record }) => record);
}

describe('seen calls in a store', () => {
  it('come back as they were noted, those of one session and call alone, oldest first', () => {
    const one = seen('a', { granted: GRANTED });
    const two = seen('b', { isDenied: true, toolUseId: '' });
    within((seenCalls) => {
      seenCalls.add('s', 'c', one);
      seenCalls.add('s', 'c', two);
      seenCalls.add('s', 'other', seen('x'));
      seenCalls.add('t', 'c', seen('y'));
    });
    expect(within((seenCalls) => seenCalls.of('s', 'c'))).toEqual([
      { ...one, session: 's', n: 1 },
      { ...two, session: 's', n: 2 },
    ]);
  });

  it('are found by the name that the API gave them, in whatever session', () => {
    expect(within((seenCalls) => seenCalls.isEmpty)).toBe(true);
    within((seenCalls) => {
      seenCalls.add('t', 'c', seen('late', { time: NOON + 1 }));
      seenCalls.add('s', 'c', seen('early'));
      seenCalls.add('s', 'c', seen('of another name', { toolUseId: 'toolu_2' }));
      seenCalls.add('s', 'other', seen('of another call'));
    });
    const found = within((seenCalls) => seenCalls.named('c', 'toolu_1'));
    expect(found.map(({ session, record }) => [session, record])).toEqual([
      ['s', 'early'],
      ['t', 'late'],
    ]);
    expect(within((seenCalls) => seenCalls.isEmpty)).toBe(false);
  });

  it('are removed one by one', () => {
    within((seenCalls) => {
      for (const record of ['a', 'b', 'c']) seenCalls.add('s', 'c', seen(record));
      seenCalls.remove('s', 'c', 2);
      seenCalls.remove('s', 'other', 1);
    });
    expect(left()).toEqual(['a', 'c']);
  });

  it('are there again where what took them is taken back', () => {
    within((seenCalls) => seenCalls.add('s', 'c', seen('a')));
    expect(store.begin()).toBe(true);
    store.inSeenCalls((seenCalls) => seenCalls.remove('s', 'c', 1));
    store.rollback();
    expect(left()).toEqual(['a']);
  });

  it('of names that SQLite can not hold are those of no other', () => {
    const names = ['a\0b', 'a', '\uD800', '"a"'];
    within((seenCalls) => {
      for (const name of names) seenCalls.add(name, 'c', seen(`of ${name}`, { toolUseId: name }));
    });
    expect(names.map((name) => left(name))).toEqual(names.map((name) => [`of ${name}`]));
    expect(within((seenCalls) => seenCalls.of('\uD800', 'c'))).toMatchObject([{ toolUseId: '\uD800' }]);
  });

  it('are kept of one call so many at most, the newest', () => {
    within((seenCalls) => {
      for (let i = 0; i < MOST_OF_ONE_CALL + 5; i++) seenCalls.add('s', 'c', seen(`r.${i}`));
    });
    expect([left().length, left()[0]]).toEqual([MOST_OF_ONE_CALL, 'r.5']);
  });

  it('that were edited have not gone on, and nobody has said yes to them', () => {
    within((seenCalls) => seenCalls.add('s', 'c', seen('a', { granted: GRANTED })));
    alter(file, "UPDATE sightings SET denied = 7, remember = 'for ever', time = -5");
    expect(within((seenCalls) => seenCalls.of('s', 'c'))).toMatchObject([
      { isDenied: true, time: 0, granted: { remember: undefined } },
    ]);
    alter(file, 'UPDATE sightings SET question = NULL');
    expect(within((seenCalls) => seenCalls.of('s', 'c'))).toMatchObject([{ granted: undefined }]);
  });

  it('that nobody took are gone when the store is tidied a day later, or where they are as far ahead', () => {
    within((seenCalls) => {
      for (const [record, days] of [
        ['late', -1.1],
        ['now', 0],
        ['ahead', 1.1],
      ] as const)
        seenCalls.add('s', 'c', seen(record, { time: NOON + days * DAY }));
    });
    tidy(file, KEEP_ALL, { now: NOON });
    expect(left()).toEqual(['now']);
  });

  it('cost one look by an index', () => {
    within((seenCalls) => seenCalls.add('s', 'c', seen('a')));
    const plan = query(file, "EXPLAIN QUERY PLAN SELECT n FROM sightings WHERE session = 's' AND call = 'c' ORDER BY n");
    expect(plan.map(({ detail }) => detail)).toEqual([expect.stringMatching(/^SEARCH sightings USING PRIMARY KEY/)]);
    const named = query(file, "EXPLAIN QUERY PLAN SELECT n FROM sightings WHERE call = 'c' AND tool_use = 't'");
    expect(named.map(({ detail }) => detail)).toEqual([expect.stringContaining('INDEX sightings_named (call=? AND tool_use=?)')]);
  });
});
