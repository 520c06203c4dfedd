import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readWrappedFiles, wrappedFilesVersion } from '../../../src/wrap/files/wrapped-files.ts';
import { useSandbox } from '../../support/attempt.ts';

const sandbox = useSandbox();

it('names configs by every name, and the files that wrapped servers are started with; damaged records say nothing', () => {
  const folder = sandbox.current.path('wrap');
  expect(readWrappedFiles(folder)).toEqual({ configs: [], named: [] });
  expect(wrappedFilesVersion(folder)).toBe(0);
  mkdirSync(folder);
  const entry = {
    pointer: '/mcpServers/x',
    server: 'x',
    client: 'c',
    location: 'l',
    scope: 'user',
    alias: '/home/u/link.json',
    values: [],
    original: ['x'],
    wrapped: ['clawai', 'proxy', '--policy', '/p.toml', '--server', 'x', '--', 'x', '--policy', '/theirs'],
    time: '2026-01-01T00:00:00Z',
    version: '1',
  };
  const record = { format: 1, file: '/real.json', pristine: 'a', isOnlyOurs: true, ours: ['a'], entries: [entry] };
  writeFileSync(join(folder, 'a.json'), JSON.stringify(record));
  writeFileSync(join(folder, 'b.json'), '{ "format": 1, "file": "/half');
  writeFileSync(join(folder, 'a.original'), 'x');
  expect(readWrappedFiles(folder)).toEqual({ configs: ['/real.json', '/home/u/link.json'], named: ['/p.toml'] });
  expect(wrappedFilesVersion(folder)).toBeGreaterThan(0);
});
