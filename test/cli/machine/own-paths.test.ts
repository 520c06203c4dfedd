import { mkdirSync, mkdtempSync, rmSync, writeFileSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeSchemas } from '../../../src/cli/init/init-config.ts';
import { listOwnPaths, ownFiles, createLiveOwnPaths } from '../../../src/cli/machine/own-paths.ts';
import { HookRecords } from '../../../src/wrap/hooks/hook-records.ts';
import { compileOwnPaths } from '../../../src/core/self/own-paths.ts';
import { useSandbox } from '../../support/attempt.ts';
import { isDeniedBySelf } from '../../support/own.ts';

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

it('a file in which a client has clawai as its hook is out of reach', () => {
  const home = mkdtempSync(join(tmpdir(), 'clawai-own-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const file = join(home, '.claude', 'settings.json');
  const listed = (): string | undefined =>
    listOwnPaths({ env: {}, platform: 'linux', home, stateDir: join(home, 'state'), files: [] }, (path) => path).find(
      ({ path }) => path === file,
    )?.what;
  expect(listed()).toBeUndefined();
  const records = new HookRecords(join(home, '.local', 'state', 'clawai', 'hooks'));
  records.write({ format: 1, client: 'claude-code', file, before: null, ours: [], time: '', version: '' });
  writeFileSync(join(records.path, `${'0'.repeat(32)}.json`), 'no record');
  expect(listed()).toBe('hook of a client');
});

it('names every file that decides, and every one that keeps others out, where there is one', () => {
  const audit = { sync: 'normal', retain: 1, maxSize: 1, jsonl: '/events', log: 'decisions' } as const;
  const tls = { cert: '/cert', key: '/key' };
  const serve = { tls, tokenFile: '/token', hosts: [] };
  const rest = { name: 'w', form: 'json', events: [], minSeverity: 'high' } as const;
  const webhooks = [{ ...rest, url: { in: 'file', file: '/hook' }, secret: { in: 'env', name: 'X' } }] as const;
  const files = ownFiles({ file: '/policy', project: undefined }, { file: '/config', audit, serve, webhooks });
  expect(files.flatMap(({ path }) => path ?? [])).toEqual(['/policy', '/config', '/events', '/key', '/cert', '/token', '/hook']);
});

const sandbox = useSandbox();

it('looks at nothing before it is asked, at most four times a second, and follows links anew when configs were wrapped or time has gone', () => {
  const { current } = sandbox;
  const wrapped = current.path('state/clawai/wrap');
  mkdirSync(wrapped, { recursive: true });
  let now = 0;
  let asked = 0;
  const places = {
    env: current.env,
    platform: 'linux',
    home: current.home,
    stateDir: current.path('state/clawai'),
    files: [],
  } as const;
  const own = createLiveOwnPaths(places, {
    followLinks: (path) => {
      asked++;
      return path;
    },
    elapsed: () => now,
  });
  expect(asked).toBe(0);
  const first = own();
  expect(first.roots).toEqual(expect.arrayContaining([current.path('config/clawai'), current.path('state/clawai')]));
  const once = asked;
  now += 9000;
  expect(own()).toBe(first);
  utimesSync(wrapped, 5, 5);
  now += 100;
  expect(own()).toBe(first);
  now += 200;
  expect(own()).not.toBe(first);
  expect(asked).toBe(2 * once);
  now += 11_000;
  own();
  expect(asked).toBe(3 * once);
});
