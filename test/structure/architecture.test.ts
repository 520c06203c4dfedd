import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, readSource } from './source.ts';

it('ARCHITECTURE.md names every folder of src, and no other', () => {
  const named = [...readSource('ARCHITECTURE.md').matchAll(/\bsrc\/([a-z0-9-]+)\//g)].map(([, folder]) => folder);
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect([...new Set(named)].toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
});
