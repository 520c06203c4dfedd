import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JsonlFile } from '../../src/audit/jsonl-file.ts';

const SOURCE = resolve(import.meta.dirname, '..', '..', 'src', 'audit', 'jsonl-file.ts');

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-sink-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const EVENT = '{"id":"a"}';

describe('JsonlFile', () => {
  it('touches nothing before the first event', () => {
    const jsonl = new JsonlFile(join(folder, 'state', 'events.jsonl'));
    jsonl.close();
    expect(existsSync(join(folder, 'state'))).toBe(false);
  });

  it('appends one line per event, readable by nobody else', () => {
    const file = join(folder, 'state', 'events.jsonl');
    for (const id of ['a', 'b']) {
      const jsonl = new JsonlFile(file);
      jsonl.append(JSON.stringify({ id }));
      jsonl.append(JSON.stringify({ id: `${id}${id}` }));
      jsonl.close();
    }
    const ids = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(ids).toEqual(['a', 'aa', 'b', 'bb']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'state')).mode & 0o777).toBe(0o700);
  });

  it('throws when it cannot write', () => {
    writeFileSync(join(folder, 'state'), 'a file where the folder should be');
    const jsonl = new JsonlFile(join(folder, 'state', 'events.jsonl'));
    expect(() => jsonl.append(EVENT)).toThrow(/ENOTDIR/);
  });

  it('makes every folder on the way, for nobody but the user', () => {
    const jsonl = new JsonlFile(join(folder, 'a', 'b', 'events.jsonl'));
    jsonl.append(EVENT);
    jsonl.close();
    for (const made of ['a', 'a/b']) expect(statSync(join(folder, made)).mode & 0o777).toBe(0o700);
  });

  it.runIf(existsSync('/proc/self'))('gives up at once where no folder can be made', () => {
    // In a process of its own: what this is about would take this one along.
    const code = `
      const { JsonlFile } = await import(${JSON.stringify(pathToFileURL(SOURCE).href)});
      new JsonlFile('/proc/nonexistent/x/events.jsonl').append('x');`;
    const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { timeout: 60_000 });
    expect({ signal, stderr: stderr.toString() }).toEqual({ signal: null, stderr: expect.stringContaining('ENOENT') });
  });

  it.runIf(existsSync('/dev/full'))('throws when the disk is full', () => {
    expect(() => new JsonlFile('/dev/full').append(EVENT)).toThrow(/ENOSPC/);
  });
});
