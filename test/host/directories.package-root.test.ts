import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/host/directories.ts';

it('finds the folder that holds what the package ships', () => {
  const manifest = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { name: string };
  expect(manifest.name).toBe('clawai');
  expect(existsSync(join(packageRoot(), 'policies'))).toBe(true);
});
