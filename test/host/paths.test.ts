import fs, { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import fc from 'fast-check';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { realPath } from '../../src/host/paths.ts';
import { runs } from '../support/runs.ts';

let root = '';

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'clawai-real-path-')));
  mkdirSync(join(root, 'secret', 'deep'), { recursive: true });
  writeFileSync(join(root, 'secret', 'key'), '');
  symlinkSync(join(root, 'secret'), join(root, 'link'));
  symlinkSync(join(root, 'loop'), join(root, 'loop'));
  symlinkSync('../secret/deep/../..', join(root, 'secret', 'up'));
  symlinkSync('new/er', join(root, 'dangling'));
  symlinkSync('/', join(root, 'root'));
});

afterAll(() => rmSync(root, { recursive: true }));

describe('realPath', () => {
  it.each([
    ['secret/key', 'secret/key'],
    ['link', 'secret'],
    ['link/key', 'secret/key'],
    ['link/new', 'secret/new'],
    ['link/new/er/file', 'secret/new/er/file'],
    ['link/deep/x/y', 'secret/deep/x/y'],
    ['none/at/all', 'none/at/all'],
    ['link/key/below-a-file', 'secret/key/below-a-file'],
    ['loop/x', 'loop/x'],
  ])('hazard 7: %s leads to %s', (path, expected) => {
    expect(realPath(join(root, path))).toBe(join(root, expected));
  });

  it.each(['/', '/none', '/\0', `/${'x'.repeat(5000)}`, `/${'x'.repeat(100_000)}`])(
    'gives back what it cannot resolve: %.20j',
    (path) => {
      expect(realPath(path)).toBe(path);
    },
  );

  it('is had of a path with many parts', () => {
    const path = join(root, 'link', ...Array.from({ length: 10_000 }, () => 'x'));
    expect(realPath(path)).toBe(join(root, 'secret', ...Array.from({ length: 10_000 }, () => 'x')));
  });

  it('is the same with what was found before', () => {
    const name = fc.constantFrom('secret', 'deep', 'key', 'link', 'loop', 'up', 'dangling', 'root', 'none', '.', '..', '');
    fc.assert(
      fc.property(fc.array(fc.array(name, { maxLength: 5 }), { minLength: 2, maxLength: 8 }), (paths) => {
        const known = new Map();
        for (const path of paths.map((names) => [root, ...names].join('/'))) expect(realPath(path, known)).toBe(realPath(path));
      }),
      { numRuns: runs(300) },
    );
  });

  it('asks the disk once about a folder that is missing, however much is looked up in it', () => {
    const known = new Map();
    const look = vi.spyOn(fs, 'lstatSync');
    syncBuiltinESMExports();
    for (let i = 0; i < 100; i++) realPath(join(root, 'none', 'at', `file-${i}`), known);
    const looks = look.mock.calls.length;
    look.mockRestore();
    syncBuiltinESMExports();
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThanOrEqual(4);
  });
});
