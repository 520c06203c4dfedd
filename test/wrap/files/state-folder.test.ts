import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256, StateFolder } from '../../../src/wrap/files/state-folder.ts';
import type { FileRecord } from '../../../src/wrap/files/state-record.ts';

let folder: string;
let state: StateFolder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-state-'));
  state = new StateFolder(join(folder, 'a', 'wrap'));
  state.prepare();
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What is in the folder, but for the text that says what all that is. */
function kept(): readonly string[] {
  const names = readdirSync(state.path);
  return names.length > 1 ? names.filter((name) => name !== 'README.txt') : names;
}

const record: FileRecord = {
  format: 1,
  file: '/home/u/.claude.json',
  pristine: sha256('old'),
  isOnlyOurs: true,
  ours: [sha256('new')],
  entries: [
    {
      pointer: '/mcpServers/a',
      server: 'a',
      client: 'claude-code',
      location: 'user',
      scope: 'user',
      alias: '/home/u/.claude.json',
      values: [{ path: ['mcpServers', 'a', 'args'], before: null, after: '[]' }],
      original: ['a'],
      wrapped: ['clawai', 'proxy', '--', 'a'],
      time: '2026-01-01T00:00:00.000Z',
      version: '1.0.0',
    },
  ],
};

describe('what is remembered of a config', () => {
  it('comes back as it was written', () => {
    expect(state.read(record.file)).toEqual({ kind: 'none' });
    state.write(record);
    expect(state.read(record.file)).toEqual({ kind: 'record', record });
    expect(state.list()).toMatchObject({ records: [record], damaged: [] });
    expect(state.read('/home/u/other.json')).toEqual({ kind: 'none' });
  });

  it('is gone when it is removed, with its pristine copy', () => {
    state.keepPristine(record.file, Buffer.from('old'));
    state.write(record);
    state.remove(record.file);
    expect(kept()).toEqual([]);
    state.remove(record.file);
  });

  it('its pristine copy is written once, and checked when it is read', () => {
    state.keepPristine(record.file, Buffer.from('old'));
    const [name = ''] = kept();
    const before = statSync(join(state.path, name)).ino;
    state.keepPristine(record.file, Buffer.from('old'));
    expect(statSync(join(state.path, name)).ino).toBe(before);
    expect(state.readPristine(record)?.toString()).toBe('old');
    writeFileSync(join(state.path, name), 'other');
    expect(state.readPristine(record)).toBeUndefined();
    rmSync(join(state.path, name));
    expect(state.readPristine(record)).toBeUndefined();
  });

  it.each([
    ['cut off', (text: string) => text.slice(0, -20)],
    ['empty', () => ''],
    ['of another file', (text: string) => text.replaceAll('/home/u/.claude.json', '/other')],
    ['of another format', (text: string) => text.replace('"format": 1', '"format": 2')],
    ['with a value of another type', (text: string) => text.replace('"before": null', '"before": 1')],
    ['null', () => 'null'],
  ])('a record that is %s is damaged, and a new one does not overwrite it', (_name, damage) => {
    state.write(record);
    const [name = ''] = kept();
    const damaged = damage(readFileSync(join(state.path, name), 'utf8'));
    writeFileSync(join(state.path, name), damaged);
    expect(state.read(record.file)).toEqual({ kind: 'damaged' });
    expect(state.list()).toMatchObject({ records: [], damaged: [join(state.path, name)] });
    state.write(record);
    expect(state.read(record.file)).toEqual({ kind: 'record', record });
    const other = kept().find((one) => one.includes('.damaged-')) ?? '';
    expect(readFileSync(join(state.path, other), 'utf8')).toBe(damaged);
  });

  it('is for the user alone, also in a folder that was there', () => {
    state.write(record);
    chmodSync(state.path, 0o755);
    state.prepare();
    expect(statSync(state.path).mode & 0o777).toBe(0o700);
    expect(kept().map((name) => statSync(join(state.path, name)).mode & 0o777)).toEqual([0o600]);
  });

  it('that cannot be read or written is an error for people', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const impossible = new StateFolder(join(file, 'wrap'));
    expect(() => impossible.prepare()).toThrow(expect.objectContaining({ code: 'wrap_state_unwritable' }));
    state.write(record);
    const [name = ''] = kept();
    rmSync(join(state.path, name));
    mkdirSync(join(state.path, name));
    expect(() => state.read(record.file)).toThrow(expect.objectContaining({ code: 'wrap_state_unwritable' }));
  });

  it('is explained there to somebody without clawai, as long as there is anything', () => {
    const readme = join(state.path, 'README.txt');
    state.keepPristine(record.file, Buffer.from('old'));
    state.write(record);
    expect(readFileSync(readme, 'utf8')).toMatch(/Without clawai, by hand[\s\S]*\.original over it/);
    state.remove(record.file);
    expect(kept()).toEqual([]);
  });
});
