import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keyFile, readOrMakeKey } from '../../src/approval/key-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-key-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('makes a key that only the user can read, and then reads it', () => {
  const file = keyFile(folder);
  const key = readOrMakeKey(file);
  expect(key).toHaveLength(32);
  expect(readOrMakeKey(file)).toEqual(key);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['approval.key']);
});

it('makes another one elsewhere', () => {
  const key = readOrMakeKey(keyFile(folder));
  rmSync(keyFile(folder));
  expect(readOrMakeKey(keyFile(folder))).not.toEqual(key);
});

it.runIf(process.platform !== 'win32').each([
  ['of another length', (file: string) => writeFileSync(file, 'short', { mode: 0o600 })],
  [
    'that others may read',
    (file: string) => {
      readOrMakeKey(file);
      chmodSync(file, 0o644);
    },
  ],
  ['that is a link', (file: string) => symlinkSync(writeTo(join(folder, 'elsewhere')), file)],
])('takes no key %s', (_what, make) => {
  make(keyFile(folder));
  expect(() => readOrMakeKey(keyFile(folder))).toThrow(/not a key|ELOOP/);
});

it('throws where there is no folder', () => {
  expect(() => readOrMakeKey(keyFile(join(folder, 'missing')))).toThrow(/ENOENT/);
});

function writeTo(file: string): string {
  writeFileSync(file, Buffer.alloc(32), { mode: 0o600 });
  return file;
}
