import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JsonlSink } from '../../src/audit/jsonl-sink.ts';
import type { CallRecord } from '../../src/gate/ports.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-sink-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const RECORD: CallRecord = {
  id: 's.1',
  time: 0,
  session: 's',
  call: { method: 'tools/call', server: 'files', tool: 'read_file', args: { path: '/etc/shadow' } },
  requestId: '1',
  decision: { action: 'deny', reason: 'default', findings: [], policyHash: 'abc' },
  asked: undefined,
  reason: 'default',
  latency: 12.4,
};

describe('JsonlSink', () => {
  it('touches nothing before the first event', () => {
    new JsonlSink(join(folder, 'state', 'events.jsonl'));
    expect(existsSync(join(folder, 'state'))).toBe(false);
  });

  it('appends one line per event, readable by nobody else', () => {
    const file = join(folder, 'state', 'events.jsonl');
    for (const id of ['a', 'b']) {
      const sink = new JsonlSink(file);
      sink.recordCall({ ...RECORD, id });
      sink.recordCall({ ...RECORD, id: `${id}${id}` });
      sink.close();
    }
    const ids = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(ids).toEqual(['a', 'aa', 'b', 'bb']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'state')).mode & 0o777).toBe(0o700);
  });

  it('throws when it cannot write, so that the call is not forwarded', () => {
    writeFileSync(join(folder, 'state'), 'a file where the folder should be');
    const sink = new JsonlSink(join(folder, 'state', 'events.jsonl'));
    expect(() => sink.recordCall(RECORD)).toThrow();
  });

  it.runIf(existsSync('/dev/full'))('throws when the disk is full', () => {
    expect(() => new JsonlSink('/dev/full').recordCall(RECORD)).toThrow(/ENOSPC/);
  });
});
