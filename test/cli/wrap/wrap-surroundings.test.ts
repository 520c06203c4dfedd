import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { projectFolders } from '../../../src/cli/wrap/wrap-surroundings.ts';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'clawai-folders-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

function make(name: string): string {
  mkdirSync(join(folder, name), { recursive: true });
  return join(folder, name);
}

/** The folders found, from our own on. */
function found(cwd: string, home: string): readonly string[] {
  return projectFolders(join(folder, cwd), join(folder, home)).map((path) => path.slice(folder.length + 1));
}

it('a project is all of its repository above a folder, and no repository around that', () => {
  make('home/outer/.git');
  make('home/outer/inner/.git');
  make('home/outer/inner/a/b');
  expect(found('home/outer/inner/a/b', 'home')).toEqual(['home/outer/inner/a/b', 'home/outer/inner/a', 'home/outer/inner']);
  expect(found('home/outer', 'home')).toEqual(['home/outer']);
});

it('a folder in no repository has those above it, up to the home', () => {
  make('home/a/b');
  make('other/c/d');
  expect(found('home/a/b', 'home')).toEqual(['home/a/b', 'home/a']);
  expect(found('home', 'home')).toEqual(['home']);
  expect(found('other/c/d', 'home')).toEqual(['other/c/d']);
  expect(found('home/a', 'missing')).toEqual(['home/a']);
  symlinkSync(join(folder, 'home'), join(folder, 'link'));
  expect(found('home/a/b', 'link')).toEqual(['home/a/b', 'home/a']);
});
