import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, readSource } from './source.ts';

it('ARCHITECTURE.md names every folder of src, and no other', () => {
  const named = [...readSource('ARCHITECTURE.md').matchAll(/\bsrc\/([a-z0-9-]+)\//g)].map(([, folder]) => folder);
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect([...new Set(named)].toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
});

it('documents name files, folders and functions that exist', () => {
  const documents = ['.', 'docs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith('.md') ? [join(folder, name)] : [])),
  );
  // `src/gate/fail-closed.ts`, or with a function or constant of that file: `src/gate/fail-closed.ts: judge`.
  const named = documents.flatMap((file) =>
    Array.from(readSource(file).matchAll(/`((?:src|test)\/[^`*… :]*)(?:: (\w+))?`/g), ([, path = '', name]) => ({
      file,
      path,
      name,
    })),
  );
  expect(named.filter(({ name }) => name !== undefined).length).toBeGreaterThan(10);
  const missing = named.filter(({ path, name }) => {
    if (!existsSync(join(ROOT, path))) return true;
    return name !== undefined && !new RegExp(`\\b${name}\\b[^;]*[({=]`).test(readSource(path));
  });
  expect(missing).toEqual([]);
});
