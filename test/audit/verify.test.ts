import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refusalEvent, summaryEvent } from '../../src/audit/events.ts';
import { ChainVerifier, type ChainFault } from '../../src/audit/verify.ts';
import { Tally } from '../../src/gate/tally.ts';
import { openStoreReader } from '../../src/store/reading/read-open.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { KEEP_ALL, tidy } from '../../src/store/tidying/tidy.ts';
import { recordedCall, RecordedStore } from '../support/recorded-store.ts';

let folder: string;
let store: RecordedStore;

/** Two writers that take turns: `aa` has the odd seqs 1 to 9, `bb` the even ones. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-verify-'));
  store = new RecordedStore(join(folder, 'clawai.db'));
  for (let i = 0; i < 5; i += 1) {
    store.add(recordedCall({ id: `a${i}` }), 'aa');
    store.add(recordedCall({ id: `b${i}`, type: 'mcp_message_refused', tool_name: undefined, action: 'block' }), 'bb');
  }
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

function verify(file = join(folder, 'clawai.db')): { faults: ChainFault[]; events: number; writers: number; erased: number } {
  const reader = openStoreReader(file);
  if (reader === undefined) throw new Error('the store should be there');
  const verifier = new ChainVerifier(reader.writers(), reader.checkpoints());
  const faults = [...reader.chained({})].flatMap((event) => verifier.add(event));
  reader.close();
  const { events, writers, erased } = verifier;
  return { faults, events, writers, erased };
}

describe('an intact store', () => {
  it('has no fault', () => {
    expect(verify()).toEqual({ faults: [], events: 10, writers: 2, erased: 0 });
  });

  it('is one whose beginning was erased and noted', () => {
    store.erase('aa', 3);
    expect(verify()).toEqual({ faults: [], events: 7, writers: 2, erased: 0 });
    store.erase('aa', 5);
    expect(verify()).toEqual({ faults: [], events: 5, writers: 1, erased: 0 });
    store.add(recordedCall(), 'aa');
    expect(verify()).toEqual({ faults: [], events: 6, writers: 2, erased: 0 });
  });

  it('is one of whose first events only the bodies were erased', () => {
    store.edit(`INSERT INTO checkpoints SELECT writer, n, hash, 0 FROM events WHERE writer = 1 AND n = 2;
      UPDATE events SET body = NULL WHERE seq IN (1, 3)`);
    expect(verify()).toEqual({ faults: [], events: 10, writers: 2, erased: 2 });
  });

  it('is one where what was asked of a model was erased before its event', () => {
    store.add(recordedCall({ id: 'asked', type: 'llm_request_body', tool_name: undefined, action: undefined }), 'aa');
    store.add(recordedCall({ id: 'said', type: 'llm_answer_body', tool_name: undefined, action: undefined }), 'aa');
    store.add(recordedCall({ id: 'after' }), 'aa');
    store.edit(`INSERT INTO bodies SELECT seq, time FROM events WHERE type GLOB 'llm_*'`);
    tidy(join(folder, 'clawai.db'), { ...KEEP_ALL, bodies: 0 }, { now: Date.now() });
    expect(verify()).toEqual({ faults: [], events: 13, writers: 2, erased: 2 });
  });

  it('is one with half of what a checkpoint covers still there', () => {
    store.edit(`INSERT INTO checkpoints SELECT writer, n, hash, 0 FROM events WHERE writer = 1 AND n = 3;
      DELETE FROM events WHERE seq = 1`);
    expect(verify()).toEqual({ faults: [], events: 9, writers: 2, erased: 0 });
  });
});

describe('what is found', () => {
  it.each<[string, string, [kind: string, writer: string, n: number, seq: number][]]>([
    ['a missing event', 'DELETE FROM events WHERE seq = 5', [['missing_events', 'aa', 4, 7]]],
    [
      'several missing events',
      'DELETE FROM events WHERE seq BETWEEN 3 AND 6',
      [
        ['missing_events', 'aa', 4, 7],
        ['missing_events', 'bb', 4, 8],
      ],
    ],
    [
      'a beginning that is missing without a checkpoint',
      'DELETE FROM events WHERE seq < 4',
      [
        ['missing_events', 'bb', 2, 4],
        ['missing_events', 'aa', 3, 5],
      ],
    ],
    [
      'an edited body',
      `UPDATE events SET body = replace(body, 'read_file', 'read_fila') WHERE seq = 3`,
      [['edited_body', 'aa', 2, 3]],
    ],
    ['a body with a space behind it', `UPDATE events SET body = body || ' ' WHERE seq = 3`, [['edited_body', 'aa', 2, 3]]],
    ['a body that is gone', 'UPDATE events SET body = NULL WHERE seq = 3', [['missing_body', 'aa', 2, 3]]],
    [
      'a body of another event',
      'UPDATE events SET body = (SELECT body FROM events WHERE seq = 1) WHERE seq = 3',
      [['edited_body', 'aa', 2, 3]],
    ],
    [
      'an edited body and its hash',
      `UPDATE events SET body_hash = zeroblob(32) WHERE seq = 3`,
      [
        ['broken_chain', 'aa', 2, 3],
        ['edited_body', 'aa', 2, 3],
      ],
    ],
    [
      'an edited hash',
      `UPDATE events SET hash = zeroblob(32) WHERE seq = 3`,
      [
        ['broken_chain', 'aa', 2, 3],
        ['broken_chain', 'aa', 3, 5],
      ],
    ],
    ['a hash that is cut', `UPDATE events SET hash = x'' WHERE seq = 9`, [['broken_chain', 'aa', 5, 9]]],
    ['a writer that nobody knows', 'DELETE FROM writers WHERE id = 2', [['unknown_writer', '2', 1, 2]]],
    ['another name of a writer', `UPDATE writers SET name = 'cc' WHERE id = 2`, [['broken_chain', 'cc', 1, 2]]],
    [
      'events that changed places',
      'UPDATE events SET n = 7 - n WHERE seq IN (5, 7)',
      [
        ['missing_events', 'aa', 4, 5],
        ['wrong_order', 'aa', 3, 7],
        ['broken_chain', 'aa', 5, 9],
      ],
    ],
    [
      'an event twice',
      'UPDATE events SET n = 2 WHERE seq = 5',
      [
        ['wrong_order', 'aa', 2, 5],
        ['missing_events', 'aa', 4, 7],
      ],
    ],
    [
      'an event that was moved to another writer',
      'UPDATE events SET writer = 2 WHERE seq = 9',
      [
        ['broken_chain', 'bb', 5, 9],
        ['wrong_order', 'bb', 5, 10],
      ],
    ],
    [
      'a checkpoint that is not what was there',
      `INSERT INTO checkpoints VALUES (1, 2, zeroblob(32), 0)`,
      [['broken_chain', 'aa', 2, 3]],
    ],
    [
      'a checkpoint that hides too little',
      `INSERT INTO checkpoints SELECT 1, n, hash, 0 FROM events WHERE seq = 3; DELETE FROM events WHERE seq <= 5 AND writer = 1`,
      [['missing_events', 'aa', 4, 7]],
    ],
  ])('%s', (_name, sql, expected) => {
    store.edit(sql);
    expect(verify().faults.map(({ kind, writer, n, seq }) => [kind, writer, n, seq])).toEqual(expected);
  });

  it.each([
    ['time', 'time = time + 1'],
    ['type', "type = 'mcp_tool_seen'"],
    ['session', "session = ''"],
    ['server', "server = 'other'"],
    ['tool', "tool = 'other'"],
    ['tool', 'tool = NULL'],
    ['action', "action = 'block'"],
    ['severity', "severity = 'low'"],
  ])('an event that is listed under another %s (%s)', (column, edit) => {
    store.edit(`UPDATE events SET ${edit} WHERE seq = 3`);
    expect(verify().faults).toMatchObject([
      { kind: 'edited_columns', seq: 3, message: expect.stringContaining(`its ${column} in the store differs`) },
    ]);
  });

  it('says which events are missing, and when the one was recorded that shows it', () => {
    store.edit('DELETE FROM events WHERE seq IN (3, 5)');
    const time = Date.parse('2026-03-01T12:00:00.000Z');
    expect(verify().faults).toEqual([
      { kind: 'missing_events', writer: 'aa', n: 4, seq: 7, time, message: 'events 2 to 3 before it are missing' },
    ]);
  });
});

it('what the store writes is intact, also after retention', () => {
  const file = join(folder, 'state', 'written.db');
  const time = Date.parse('2026-03-01T12:00:00.000Z');
  const tally = new Tally().report();
  for (const round of [0, 1]) {
    const written = new SqliteStore({ file, writerVersion: '1.2.3', sync: 'normal' });
    for (let i = 0; i < 4; i += 1) {
      expect(written.begin()).toBe(true);
      const at = time + round * 10_000 + i;
      const refusal = { time: at, session: 's', server: 'files', from: 'client', problem: 'prose', isObserved: false } as const;
      written.append(refusalEvent({ ...refusal, method: undefined, requestId: '1e400' }));
      written.append(summaryEvent({ time: at, session: '', server: '', tally }));
      written.commit();
    }
    written.close();
  }
  expect(verify(file)).toEqual({ faults: [], events: 16, writers: 2, erased: 0 });
  expect(tidy(file, { retain: 5000, maxSize: 2 ** 30 }, { now: time + 10_002 })).toMatchObject({ erased: 8 });
  expect(verify(file)).toEqual({ faults: [], events: 8, writers: 1, erased: 0 });
});

it('what it cannot find, as its documentation says: the newest events of a writer, and a chain that was computed anew', () => {
  store.edit('DELETE FROM events WHERE seq > 6');
  expect(verify()).toEqual({ faults: [], events: 6, writers: 2, erased: 0 });
});

it('an edit of any byte of any body is found where it is', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), fc.nat(), fc.integer({ min: 32, max: 126 }), (seq, place, code) => {
      const before = String(store.database.prepare('SELECT body FROM events WHERE seq = ?').get(seq)?.['body']);
      const at = place % before.length;
      const after = before.slice(0, at) + String.fromCharCode(code) + before.slice(at + 1);
      store.database.prepare('UPDATE events SET body = ? WHERE seq = ?').run(after, seq);
      const { faults } = verify();
      store.database.prepare('UPDATE events SET body = ? WHERE seq = ?').run(before, seq);
      expect(faults.map((fault) => [fault.kind, fault.seq])).toEqual(after === before ? [] : [['edited_body', seq]]);
    }),
    { numRuns: 100 },
  );
});
