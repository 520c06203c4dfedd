import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compileGlob } from '../../../src/core/patterns/glob.ts';
import { openStoreReader } from '../../../src/store/reading/read-open.ts';
import { SEVERITIES, type EventQuery } from '../../../src/store/reading/read-query.ts';
import { StoreReader } from '../../../src/store/reading/read.ts';
import { type Body, recordedCall, RecordedStore } from '../../support/recorded-store.ts';

const NOON = Date.parse('2026-03-01T12:00:00.000Z');

let folder: string;
let store: RecordedStore;
let reader: StoreReader;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-read-'));
  store = new RecordedStore(join(folder, 'clawai.db'));
  const opened = openStoreReader(join(folder, 'clawai.db'));
  if (opened === undefined) throw new Error('the store should be there');
  reader = opened;
});
afterEach(() => {
  reader.close();
  store.close();
  rmSync(folder, { recursive: true });
});

function at(milliseconds: number): { timestamp: string } {
  return { timestamp: new Date(NOON + milliseconds).toISOString() };
}

function found(query: EventQuery, limit?: number): number[] {
  return [...(limit === undefined ? reader.events(query) : reader.newest(query, limit))].map(({ seq }) => seq);
}

describe('a query', () => {
  beforeEach(() => {
    store.add(recordedCall({ ...at(0), tool_name: 'read_file' }));
    store.add(recordedCall({ ...at(1000), tool_name: 'write_file', action: 'block', session_id: 'session-b' }), 'bb');
    store.add(recordedCall({ ...at(2000), server_id: 'github', tool_name: 'get/issue' }));
    store.add(recordedCall({ ...at(3000), type: 'mcp_message_refused', tool_name: undefined, action: 'block' }));
    store.add(recordedCall({ ...at(4000), type: 'mcp_detection', severity: 'high', action: undefined }));
    store.add(recordedCall({ ...at(5000), type: 'mcp_detection', severity: 'medium', action: undefined }));
  });

  it.each<[string, EventQuery, number[]]>([
    ['without a word finds all', {}, [1, 2, 3, 4, 5, 6]],
    ['of types', { types: ['mcp_message_refused', 'mcp_detection'] }, [4, 5, 6]],
    ['of a session', { session: 'session-b' }, [2]],
    ['of an action', { action: 'block' }, [2, 4]],
    ['of a severity or a worse one', { severity: 'medium' }, [5, 6]],
    ['of no worse severity', { severity: 'critical' }, []],
    ['of a server by name', { server: compileGlob('github') }, [3]],
    ['of servers by glob', { server: compileGlob('g*') }, [3]],
    ['of a tool by name', { tool: compileGlob('write_file') }, [2]],
    ['of tools by glob, where * stops at /', { tool: compileGlob('*e*') }, [1, 2, 5, 6]],
    ['of tools by glob, where ** does not, and what has no tool is not found', { tool: compileGlob('**') }, [1, 2, 3, 5, 6]],
    ['of tools that are not there', { tool: compileGlob('zz*') }, []],
    ['of both', { tool: compileGlob('*_file'), server: compileGlob('f*'), action: 'allow' }, [1]],
    ['since a time, which is in', { since: NOON + 4000 }, [5, 6]],
    ['until a time, which is out', { until: NOON + 1000 }, [1]],
    ['between times, of a glob', { since: NOON + 1000, until: NOON + 5000, tool: compileGlob('*_file') }, [2, 5]],
    ['after one', { after: 4 }, [5, 6]],
    ['up to one', { upTo: 2 }, [1, 2]],
    ['after one and since a time', { after: 5, since: NOON }, [6]],
  ])('%s', (_name, query, expected) => {
    expect(found(query)).toEqual(expected);
    expect(found(query, 100)).toEqual(expected);
    expect(found(query, 1)).toEqual(expected.slice(-1));
  });

  it('gives every column, and the links of the chain where they are asked for', () => {
    const [event] = reader.events({ upTo: 2, after: 1 });
    expect(event).toMatchObject({
      seq: 2,
      time: NOON + 1000,
      type: 'mcp_tool_called',
      session: 'session-b',
      server: 'files',
      tool: 'write_file',
      action: 'block',
      severity: null,
      body: expect.stringContaining('"tool_name":"write_file"'),
    });
    const [link] = reader.chained({ upTo: 2, after: 1 });
    expect(link).toMatchObject({ ...event, writer: 2, n: 1 });
    expect([link?.hash.length, link?.body_hash.length]).toEqual([32, 32]);
  });

  it('finds an event whose body was erased', () => {
    store.edit('UPDATE events SET body = NULL WHERE seq = 3');
    expect([...reader.events({})].map(({ body }) => body === null)).toEqual([false, false, true, false, false, false]);
  });
});

describe('many events', () => {
  it('come in pages, each one once and in order, whatever is added or erased meanwhile', () => {
    store.edit('BEGIN');
    for (let i = 0; i < 1200; i += 1) store.add(recordedCall(at(i % 7)));
    store.edit('COMMIT');
    const seen: number[] = [];
    for (const { seq } of reader.events({})) {
      seen.push(seq);
      if (seq === 600) store.edit('DELETE FROM events WHERE seq < 550');
      if (seq === 900) store.add(recordedCall());
    }
    expect(seen).toEqual(Array.from({ length: 1201 }, (_, i) => i + 1));
  });

  it('that are long come in shorter pages', () => {
    for (let i = 0; i < 5; i += 1) store.add(recordedCall({ input: { text: 'x'.repeat(600_000) } }));
    expect(found({})).toEqual([1, 2, 3, 4, 5]);
    expect(found({ since: 0 })).toEqual([1, 2, 3, 4, 5]);
  });

  it('of the same millisecond are in order of commit, others in order of time where a time is asked for', () => {
    for (const offset of [5, 5, 1, 5, 0]) store.add(recordedCall(at(offset)));
    expect(found({ since: NOON })).toEqual([5, 3, 1, 2, 4]);
    expect(found({ since: NOON }, 3)).toEqual([1, 2, 4]);
    expect(found({})).toEqual([1, 2, 3, 4, 5]);
  });

  it('do not keep the store from being tidied while their reader stops in the middle', () => {
    store.edit('BEGIN');
    for (let i = 0; i < 1200; i += 1) store.add(recordedCall(at(i)));
    store.edit('COMMIT');
    const events = reader.events({});
    events.next();
    store.add(recordedCall());
    expect(store.database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()).toMatchObject({ busy: 0 });
  });
});

it.each<[string, EventQuery]>([
  ['alone', { since: NOON }],
  ['and with filters besides', { since: NOON, until: NOON + 9, tool: compileGlob('a*'), server: compileGlob('x'), types: ['y'] }],
])('a time is looked up in the index %s', (_name, query) => {
  store.add(recordedCall({ tool_name: 'abc', server_id: 'x', type: 'y' }));
  const database = new DatabaseSync(join(folder, 'clawai.db'), { readOnly: true });
  const prepare = database.prepare.bind(database);
  const statements: string[] = [];
  database.prepare = (sql) => {
    statements.push(sql);
    return prepare(sql);
  };
  const watched = new StoreReader('clawai.db', database);
  for (const events of [watched.events(query), watched.newest(query, 9)]) expect([...events]).toHaveLength(1);
  const plans = statements.map((sql) =>
    prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail))
      .join('; '),
  );
  const byIndex = plans.filter((plan) => !plan.includes('SEARCH e USING INTEGER PRIMARY KEY'));
  expect(byIndex.length).toBeGreaterThanOrEqual(2);
  for (const plan of byIndex) expect(plan).toMatch(/^SEARCH e USING (COVERING )?INDEX events_time \((\(time,rowid\)|time)>/);
  // What is sorted is names, of which there are few.
  const sorted = plans.filter((plan) => plan.includes('TEMP B-TREE'));
  expect(sorted.filter((plan) => !plan.includes('FOR DISTINCT'))).toEqual([]);
  database.close();
});

it('holds still: what was opened that way does not change', () => {
  store.add(recordedCall());
  reader.holdStill();
  store.add(recordedCall());
  expect([found({}), reader.count(), reader.lastSeq()]).toEqual([[1], 1, 1]);
});

it('keeps nobody from writing, with a write-ahead log or without one', () => {
  reader.close();
  for (const mode of ['wal', 'delete']) {
    store.edit(`PRAGMA journal_mode = ${mode}`);
    const opened = openStoreReader(join(folder, 'clawai.db'));
    opened?.holdStill();
    store.add(recordedCall());
    opened?.close();
  }
  expect(store.database.prepare('SELECT count(*) AS count FROM events').get()).toMatchObject({ count: 2 });
  reader = openStoreReader(join(folder, 'clawai.db')) ?? reader;
});

it('a number that JavaScript cannot hold hides nothing else', () => {
  store.add(recordedCall());
  store.edit('UPDATE events SET time = 9223372036854775807, n = -9223372036854775807');
  store.add(recordedCall());
  expect([...reader.chained({})].map(({ time, n }) => [time, n])).toEqual([
    [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER],
    [NOON, 2],
  ]);
});

const NAMES = ['a', 'ab', 'b/a', 'ü*'];

const bodies = fc.array(
  fc.record({
    type: fc.constantFrom('mcp_tool_called', 'mcp_detection'),
    timestamp: fc.integer({ min: 0, max: 5 }).map((offset) => at(offset).timestamp),
    session_id: fc.constantFrom(...NAMES),
    server_id: fc.constantFrom(...NAMES),
    tool_name: fc.option(fc.constantFrom(...NAMES), { nil: undefined }),
    action: fc.option(fc.constantFrom('allow', 'block'), { nil: undefined }),
    severity: fc.option(fc.constantFrom(...SEVERITIES), { nil: undefined }),
  }),
  { maxLength: 12 },
);
const patterns = fc.option(
  fc.constantFrom('a', '*', '**', '?*', '*b*', 'ü*').map((pattern) => compileGlob(pattern)),
  {
    nil: undefined,
  },
);
const queries: fc.Arbitrary<EventQuery> = fc.record({
  types: fc.option(fc.constant(['mcp_detection']), { nil: undefined }),
  session: fc.option(fc.constantFrom(...NAMES), { nil: undefined }),
  server: patterns,
  tool: patterns,
  action: fc.option(fc.constantFrom('allow' as const, 'block' as const), { nil: undefined }),
  severity: fc.option(fc.constantFrom(...SEVERITIES), { nil: undefined }),
  since: fc.option(fc.integer({ min: NOON, max: NOON + 5 }), { nil: undefined }),
  until: fc.option(fc.integer({ min: NOON, max: NOON + 5 }), { nil: undefined }),
});

function isAskedFor(body: Body, query: EventQuery): boolean {
  const time = Date.parse(String(body['timestamp']));
  const { tool_name: tool, severity } = body;
  const ranks: readonly unknown[] = SEVERITIES;
  return (
    (query.types?.includes(String(body['type'])) ?? true) &&
    (query.session ?? body['session_id']) === body['session_id'] &&
    (query.server?.matches(String(body['server_id'])) ?? true) &&
    (query.tool === undefined || (typeof tool === 'string' && query.tool.matches(tool))) &&
    (query.action ?? body['action']) === body['action'] &&
    (query.severity === undefined || ranks.indexOf(severity) >= ranks.indexOf(query.severity)) &&
    time >= (query.since ?? 0) &&
    time < (query.until ?? Infinity)
  );
}

it('any query finds what it says, and nothing else', () => {
  fc.assert(
    fc.property(bodies, queries, fc.integer({ min: 1, max: 4 }), (recorded, query, limit) => {
      store.edit('DELETE FROM events');
      const seqs = new Map(recorded.map((body) => [store.add(body), body]));
      const expected = [...seqs].filter(([, body]) => isAskedFor(body, query));
      if (query.since !== undefined || query.until !== undefined) {
        expected.sort(([, one], [, other]) => String(one['timestamp']).localeCompare(String(other['timestamp'])));
      }
      const order = expected.map(([seq]) => seq);
      expect(found(query)).toEqual(order);
      expect(found(query, limit)).toEqual(order.slice(-limit));
    }),
    { numRuns: 150 },
  );
});

describe('sessions', () => {
  it('is the time of the newest event of each session, in whatever order they came', () => {
    expect(reader.sessions()).toEqual(new Map());
    store.add(recordedCall({ ...at(5000), session_id: 's-1' }));
    store.add(recordedCall({ ...at(1000), session_id: 's-1' }), 'bb');
    store.add(recordedCall({ ...at(2000), session_id: 's-1.2' }));
    expect(reader.sessions()).toEqual(
      new Map([
        ['s-1', NOON + 5000],
        ['s-1.2', NOON + 2000],
      ]),
    );
  });
});
