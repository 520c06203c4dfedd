import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteStore } from '../../../src/store/sqlite-store.ts';
import { tidy } from '../../../src/store/tidying/tidy.ts';
import { chainFaults, query, storedEvent } from '../../support/stored.ts';

const KEEP = { retain: Number.POSITIVE_INFINITY, maxSize: Number.POSITIVE_INFINITY };

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-bodies-'));
  file = join(folder, 'clawai.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** An event at each of these times, in turn of a request, a call, and an answer. */
function fill(times: readonly number[], size = 10): void {
  const store = new SqliteStore({ file, writerVersion: '0', sync: 'normal' });
  store.begin();
  for (const [i, time] of times.entries()) {
    const type = ['llm_request_body', 'mcp_tool_called', 'llm_answer_body'][i % 3] ?? '';
    store.append(
      storedEvent(`${i}`, {
        type,
        time,
        isBody: i % 3 !== 1,
        body: JSON.stringify({ id: `${i}`, text: 'x'.repeat(i % 3 === 1 ? 1 : size) }),
      }),
    );
  }
  store.commit();
  store.close();
}

function left(): unknown[] {
  return query(file, 'SELECT time FROM events WHERE body IS NOT NULL ORDER BY seq').map(({ time }) => time);
}

describe('bodies', () => {
  it('go when they are as old as they may be; their events and all others stay, and so do the chains', () => {
    fill([1, 2, 3, 101, 102, 103]);
    tidy(file, { ...KEEP, bodies: 50 }, { now: 110 });
    expect(left()).toEqual([2, 101, 102, 103]);
    expect(query(file, 'SELECT count(*) AS n FROM events')).toEqual([{ n: 6 }]);
    expect(chainFaults(file)).toEqual([]);
  });

  it('stay as long as their events where nothing is said', () => {
    fill([1, 2, 3]);
    tidy(file, KEEP, { now: 9e12 });
    expect(left()).toEqual([1, 2, 3]);
  });

  it('go before any event does where the store is too large', () => {
    fill(
      Array.from({ length: 90 }, (_, i) => i + 1),
      100_000,
    );
    const before = query(file, 'SELECT count(*) AS n FROM events');
    tidy(file, { ...KEEP, maxSize: 2_000_000 }, { now: 1000 });
    expect(query(file, 'SELECT count(*) AS n FROM events')).toEqual(before);
    const kept = left();
    expect(kept).toContain(2);
    expect(kept).not.toContain(1);
    expect(kept).toContain(90);
  });

  it('are forgotten along with their events', () => {
    fill([1, 2, 3, 101, 102, 103]);
    tidy(file, { ...KEEP, retain: 50 }, { now: 110 });
    expect(left()).toEqual([101, 102, 103]);
    expect(query(file, 'SELECT time FROM bodies ORDER BY seq')).toEqual([{ time: 101 }, { time: 103 }]);
    tidy(file, { ...KEEP, bodies: 0 }, { now: 110 });
    expect(query(file, 'SELECT count(*) AS n FROM bodies')).toEqual([{ n: 0 }]);
    expect(left()).toEqual([102]);
  });
});
