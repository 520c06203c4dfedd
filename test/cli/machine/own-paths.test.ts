import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listOwnPaths } from '../../../src/cli/machine/own-paths.ts';
import { writeSchemas } from '../../../src/cli/init/schema-files.ts';
import { isDeniedBySelf } from '../../support/own.ts';
import { compileOwnPaths } from '../../../src/core/self/own-paths.ts';

it('a folder of the PATH that a project throws away may go, unless clawai is in it', () => {
  const home = mkdtempSync(join(tmpdir(), 'clawai-own-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const folders = ['project', 'other'].map((name) => join(home, name, 'node_modules', '.bin'));
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, 'other', 'node_modules', '.bin', 'clawai'), '');
  const env = { PATH: folders.join(':') };
  const entries = listOwnPaths({ env, platform: 'linux', home, stateDir: join(home, 'state'), files: [] }, (path) => path);
  const own = compileOwnPaths(entries, 'posix');
  const isDenied = (name: string, command: string): boolean =>
    isDeniedBySelf(
      { tool: 'bash', args: { command } },
      { own, paths: { home, cwd: join(home, name), platform: 'posix', remote: false } },
    );
  expect(isDenied('project', 'rm -rf ./node_modules')).toBe(false);
  expect(isDenied('project', 'rm -rf node_modules/*')).toBe(false);
  expect(isDenied('other', 'rm -rf ./node_modules')).toBe(true);
  expect(isDenied('project', 'cp evil node_modules/.bin/clawai')).toBe(true);
});

it('what init writes is out of reach, the schemas for editors too', () => {
  const home = mkdtempSync(join(tmpdir(), 'clawai-own-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const { folder } = writeSchemas(join(home, '.config', 'clawai'));
  const entries = listOwnPaths({ env: {}, platform: 'linux', home, stateDir: join(home, 'state'), files: [] }, (path) => path);
  const own = compileOwnPaths(entries, 'posix');
  const paths = { home, cwd: home, platform: 'posix', remote: false } as const;
  for (const path of [join(folder, 'policy.schema.json'), '.config/clawai/schemas/new.json', '~/.config/clawai/schemas']) {
    expect(isDeniedBySelf({ tool: 'write_file', args: { path } }, { own, paths })).toBe(true);
  }
});
