import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFile } from '../../../src/cli/init/create-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-create-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('writes a new file for the user alone', () => {
  const file = join(folder, 'a.toml');
  expect(createFile(file, 'text')).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe('text');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['a.toml']);
});

it('leaves alone what is there: a file, or a link that leads nowhere', () => {
  writeFileSync(join(folder, 'a'), 'mine');
  symlinkSync(join(folder, 'nowhere'), join(folder, 'b'));
  expect([createFile(join(folder, 'a'), 'x'), createFile(join(folder, 'b'), 'x')]).toEqual([false, false]);
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('mine');
  expect(readdirSync(folder).toSorted()).toEqual(['a', 'b']);
});

it('says where it can write nothing', () => {
  expect(() => createFile(join(folder, 'none', 'a'), 'x')).toThrow(expect.objectContaining({ code: 'config_unwritable' }));
});
