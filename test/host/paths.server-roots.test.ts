import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serverRoots } from '../../src/host/paths.ts';

let cwd = '';

beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'clawai-roots-')));
  for (const name of ['docs', 'more', 'home', 'home/notes']) mkdirSync(join(cwd, name));
  writeFileSync(join(cwd, 'server.js'), '');
});

afterAll(() => rmSync(cwd, { recursive: true }));

it('finds the folders in a command line', () => {
  const words = ['server.js', join(cwd, 'docs'), '--root=more', '~/notes', '.', cwd, 'none', '-y', '', 'docs', '\0'];
  const home = join(cwd, 'home');
  expect(serverRoots(words, { cwd, home })).toEqual([join(cwd, 'docs'), join(cwd, 'more'), join(home, 'notes')]);
});
