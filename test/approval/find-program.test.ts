import { basename, delimiter, dirname } from 'node:path';
import { expect, it } from 'vitest';
import { findProgram } from '../../src/approval/find-program.ts';

const [folder, name] = [dirname(process.execPath), basename(process.execPath)];

it('finds a program in the first folder that has it', () => {
  expect(findProgram(name, ['/nonexistent', folder].join(delimiter))).toBe(process.execPath);
});

it.each([
  ['nowhere', '/nonexistent'],
  ['in an empty PATH', ''],
  ['in a relative folder', '.'],
])('finds none %s', (_where, path) => {
  expect(findProgram(name, path)).toBeUndefined();
});

it('does not take a folder for one', () => {
  expect(findProgram(basename(folder), dirname(folder))).toBeUndefined();
});
