import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JsonlSink } from '../../src/audit/jsonl-sink.ts';
import type { CallRecord } from '../../src/gate/ports.ts';

const SOURCE = resolve(import.meta.dirname, '..', '..', 'src', 'audit', 'jsonl-sink.ts');

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
  isObserved: false,
  latency: 12.4,
};

describe('JsonlSink', () => {
  it('touches nothing before the first event', () => {
    const sink = new JsonlSink(join(folder, 'state', 'events.jsonl'));
    sink.close();
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
    expect(() => sink.recordCall(RECORD)).toThrow(/ENOTDIR/);
  });

  it('makes every folder on the way, for nobody but the user', () => {
    const sink = new JsonlSink(join(folder, 'a', 'b', 'events.jsonl'));
    sink.recordCall(RECORD);
    sink.close();
    for (const made of ['a', 'a/b']) expect(statSync(join(folder, made)).mode & 0o777).toBe(0o700);
  });

  it.runIf(existsSync('/proc/self'))('gives up at once where no folder can be made', () => {
    // In a process of its own: what this is about would take this one along.
    const code = `
      const { JsonlSink } = await import(${JSON.stringify(pathToFileURL(SOURCE).href)});
      new JsonlSink('/proc/nonexistent/x/events.jsonl').recordCall(${JSON.stringify(RECORD)});`;
    const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { timeout: 5000 });
    expect({ signal, stderr: stderr.toString() }).toEqual({ signal: null, stderr: expect.stringContaining('ENOENT') });
  });

  it.runIf(existsSync('/dev/full'))('throws when the disk is full', () => {
    expect(() => new JsonlSink('/dev/full').recordCall(RECORD)).toThrow(/ENOSPC/);
  });
});
