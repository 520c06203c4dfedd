import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JsonlFile } from '../../src/audit/jsonl-file.ts';
import { StoreSink } from '../../src/audit/store-sink.ts';
import type { AuditRecord } from '../../src/gate/ports/records.ts';
import { openStoreReader } from '../../src/store/reading/read-open.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { sighted } from '../support/registered.ts';

const RECORD: AuditRecord<'call'> = {
  type: 'call',
  id: 'r.1',
  time: 1_000,
  session: 's',
  call: { method: 'tools/call', server: 'files', tool: 'read_file', args: { path: '/a' } },
  requestId: '1',
  decision: { action: 'allow', reason: 'default', findings: [], policyHash: 'h' },
  asked: undefined,
  reason: 'default',
  isObserved: false,
  inspectors: ['policy'],
  latency: 1,
};

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-sink-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function open(copy: string | undefined): { sink: StoreSink; store: SqliteStore; stored: () => string[]; warnings: string[] } {
  const file = join(folder, 'clawai.db');
  const store = new SqliteStore({ file, writerVersion: '0', sync: 'normal' });
  const warnings: string[] = [];
  const sink = new StoreSink({
    store,
    copy: copy === undefined ? undefined : new JsonlFile(copy),
    warn: (line) => warnings.push(line),
  });
  const stored = (): string[] => {
    const reader = openStoreReader(file);
    const bodies = Array.from(reader?.events({}) ?? [], ({ body }) => body ?? '');
    reader?.close();
    return bodies;
  };
  return { sink, store, stored, warnings };
}

describe('StoreSink', () => {
  it('tells of a store that was replaced until that is on record, and warns once', () => {
    const { sink, store, stored, warnings } = open(undefined);
    const record = (): void => {
      sink.begin();
      const { time, session, call } = RECORD;
      sink.record({
        type: 'denied_call_made',
        time,
        session,
        call,
        record: 'r.2',
        denied: 'r.1',
        toolUseId: 't',
        hasGoneOn: true,
      });
    };
    record();
    sink.commit();
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    record();
    sink.rollback();
    for (let times = 0; times < 2; times++) {
      record();
      sink.commit();
    }
    store.close();
    const types = stored().map((body) => (JSON.parse(body) as { type: string }).type);
    expect(types).toEqual(['mcp_store_replaced', 'mcp_denied_call_made', 'mcp_denied_call_made']);
    expect(warnings).toEqual([expect.stringContaining('deleted or replaced')]);
  });

  it('stores that a denied call was made', () => {
    const { sink, store, stored } = open(undefined);
    sink.begin();
    const { time, session, call } = RECORD;
    sink.record({ type: 'denied_call_made', time, session, call, record: 'r.2', denied: 'r.1', toolUseId: 't', hasGoneOn: true });
    sink.commit();
    store.close();
    expect(stored().map((body) => JSON.parse(body) as unknown)).toMatchObject([{ type: 'mcp_denied_call_made' }]);
  });

  it('stores what is committed, and copies it then', () => {
    const copy = join(folder, 'events.jsonl');
    const { sink, stored } = open(copy);
    expect(sink.begin()).toBe(true);
    sink.record(RECORD);
    sink.commit();
    expect(sink.begin()).toBe(true);
    sink.record({ ...RECORD, id: 'r.2' });
    sink.rollback();
    sink.close();
    expect(stored().map((body) => (JSON.parse(body) as { id: string }).id)).toEqual(['r.1']);
    expect(readFileSync(copy, 'utf8')).toBe(`${stored().join('')}\n`);
  });

  it('records what servers declare, in one transaction with the registry', () => {
    const { sink, store, stored } = open(undefined);
    const where = { time: 1, session: 's', server: 'files', serverType: 'stdio', kind: 'tool', name: 'read' } as const;
    const change = { previous: 'sha256:a', next: 'sha256:b', changes: [], action: 'alert' } as const;
    const record = (end: () => void): void => {
      sink.warm();
      expect(sink.begin()).toBe(true);
      store.inRegistry((registry) => registry.write('files', [sighted('read', 'a')], 1));
      sink.record({
        type: 'seen',
        ...where,
        fingerprint: 'x',
        description: '',
        status: 'new',
        renamedFrom: '',
        lookAlikes: [],
        problem: '',
        detections: [],
      });
      sink.record({ type: 'changed', ...where, ...change, detections: [] });
      sink.record({ type: 'server_changed', ...where, ...change });
      end();
    };
    const isKnown = (): boolean => {
      sink.begin();
      const pin = store.inRegistry((registry) => registry.pin('files', 'tool', 'read'));
      sink.rollback();
      return pin !== undefined;
    };
    record(() => sink.rollback());
    expect([isKnown(), stored()]).toEqual([false, []]);
    record(() => sink.commit());
    expect(isKnown()).toBe(true);
    sink.close();
    const types = stored().map((body) => (JSON.parse(body) as { type: string }).type);
    expect(types).toEqual(['mcp_tool_seen', 'mcp_tool_changed', 'mcp_server_changed']);
  });

  it('keeps what is on record where the copy fails, and says so once', () => {
    const { sink, stored, warnings } = open(join(folder, 'clawai.db', 'below-a-file'));
    for (const id of ['r.1', 'r.2']) {
      sink.begin();
      sink.record({ ...RECORD, id });
      sink.commit();
    }
    sink.close();
    expect(stored()).toHaveLength(2);
    expect(warnings).toEqual([expect.stringContaining('not to its copy')]);
  });
});
