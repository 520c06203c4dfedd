import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, readSource } from './source.ts';

it('ARCHITECTURE.md names every folder of src, and no other', () => {
  const named = [...readSource('ARCHITECTURE.md').matchAll(/\bsrc\/([a-z0-9-]+)\//g)].map(([, folder]) => folder);
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect([...new Set(named)].toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
});

it('documents name files and folders that there are', () => {
  const documents = ['.', 'docs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith('.md') ? [join(folder, name)] : [])),
  );
  const named = documents.flatMap((file) =>
    Array.from(readSource(file).matchAll(/`((?:src|test)\/[^`*… ]*)`/g), ([, path = '']) => ({ file, path })),
  );
  // In ARCHITECTURE.md, modules of `src` are named without it.
  const layers = readdirSync(join(ROOT, 'src')).join('|');
  const modules = Array.from(
    readSource('ARCHITECTURE.md').matchAll(new RegExp(`\`((?:${layers})/[\\w/-]+)\``, 'g')),
    ([, path]) => ({
      file: 'ARCHITECTURE.md',
      path: `src/${path}`,
    }),
  );
  expect(modules.length).toBeGreaterThan(20);
  expect(
    [...named, ...modules].filter(({ path }) => !existsSync(join(ROOT, path)) && !existsSync(join(ROOT, `${path}.ts`))),
  ).toEqual([]);
});
