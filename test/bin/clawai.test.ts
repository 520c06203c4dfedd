import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { transformSync } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';
import { createInstallation, toldBy, writeText } from './launch.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const cacheIn = (home: string): string => join(home, '.cache', 'clawai', 'compile');
const isLinux = process.platform === 'linux';

describe('on a fit Node', () => {
  it('runs the bundle in the same process with the arguments as they came', async () => {
    const { launch } = createInstallation();
    const args = ['proxy', '--server', 'a b', '--', 'cmd', '', '-h'];
    const told = toldBy(await launch(args));
    expect(told).toMatchObject({ argv: args, version: process.version });
    expect(await launch(['exit', '3'])).toMatchObject({ code: 3, stderr: '' });
  });

  it('does not hand its own marker on', async () => {
    const { launch } = createInstallation();
    expect(toldBy(await launch([], { env: { CLAWAI_REEXECUTED: '1' } })).env).not.toHaveProperty('CLAWAI_REEXECUTED');
  });

  it('says in one line that the bundle is missing', async () => {
    const { root, launch } = createInstallation();
    rmSync(join(root, 'dist'), { recursive: true });
    const ended = await launch(['--version']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(/^clawai: .*dist\/main\.mjs.*npm ci.*\n$/);
  });

  it('does not hide a bug in the bundle', async () => {
    const { root, launch } = createInstallation();
    writeText(join(root, 'dist', 'main.mjs'), "throw new TypeError('a bug');");
    const ended = await launch([]);
    expect(ended.code).not.toBe(0);
    expect(ended.stderr).toContain('TypeError: a bug');
  });
});

describe.runIf(isLinux)('the compile cache', () => {
  it('is in a folder of ours that only the user can open, and is used again', async () => {
    const { home, launch } = createInstallation();
    const told = toldBy(await launch([]));
    expect(told.cache?.startsWith(cacheIn(home))).toBe(true);
    expect(lstatSync(cacheIn(home)).mode & 0o777).toBe(0o700);
    expect(readdirSync(told.cache ?? '').length).toBeGreaterThan(0);
    expect(toldBy(await launch([])).cache).toBe(told.cache);
  });

  it('follows XDG_CACHE_HOME where that is absolute', async () => {
    const { root, home, launch } = createInstallation();
    const told = toldBy(await launch([], { env: { XDG_CACHE_HOME: join(root, 'xdg') } }));
    expect(told.cache?.startsWith(join(root, 'xdg', 'clawai', 'compile'))).toBe(true);
    expect(toldBy(await launch([], { env: { XDG_CACHE_HOME: 'relative' }, cwd: root })).cache?.startsWith(cacheIn(home))).toBe(
      true,
    );
    expect(existsSync(join(root, 'relative'))).toBe(false);
  });

  it.each<[name: string, prepare: (home: string) => void]>([
    ['others may write to it', (home) => createCache(home, (path) => chmodSync(path, 0o777))],
    ['its group may write to it', (home) => createCache(home, (path) => chmodSync(path, 0o770))],
    ['it is a file', (home) => writeText(cacheIn(home), '')],
    ['a parent is a file', (home) => writeText(join(home, '.cache'), '')],
    [
      'it is a link',
      (home) => {
        mkdirSync(join(home, 'elsewhere'), { mode: 0o700 });
        mkdirSync(join(home, '.cache', 'clawai'), { recursive: true });
        symlinkSync(join(home, 'elsewhere'), cacheIn(home));
      },
    ],
  ])('is not used when %s, and nothing is said', async (_name, prepare) => {
    const { home, launch } = createInstallation();
    prepare(home);
    const ended = await launch([]);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(toldBy(ended).cache).toBeNull();
  });

  it.runIf(process.getuid?.() === 0)('is not used when it belongs to somebody else', async () => {
    const { home, launch } = createInstallation();
    createCache(home, (path) => chownSync(path, 65534, 65534));
    expect(toldBy(await launch([])).cache).toBeNull();
  });

  it('is not waited for where its folder cannot be made', async () => {
    const { launch } = createInstallation();
    expect(toldBy(await launch([], { env: { XDG_CACHE_HOME: '/proc/nonexistent' } })).cache).toBeNull();
  });

  it('is not used, and is not in the shared temporary folder, when there is no home', async () => {
    const { launch } = createInstallation();
    expect(toldBy(await launch([], { env: { HOME: '' } })).cache).toBeNull();
  });
});

function createCache(home: string, change: (path: string) => void): void {
  mkdirSync(cacheIn(home), { recursive: true, mode: 0o700 });
  change(cacheIn(home));
}

describe('the launcher', () => {
  it.each(['clawai.mjs', 'find-node.mjs'])('%s has only syntax that Node 14 can parse', (file) => {
    const text = readFileSync(join(ROOT, 'bin', file), 'utf8');
    const [lowered, kept] = ['es2020', 'esnext'].map((target) => transformSync(file, text, { target }));
    expect(lowered?.errors).toEqual([]);
    expect(lowered?.code).toBe(kept?.code);
    expect(text).not.toMatch(/^await\b|from 'node:/m);
  });

  it('asks for the version that package.json names', () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { engines: { node: string } };
    const required = /REQUIRED = '(.*)'/.exec(readFileSync(join(ROOT, 'bin', 'find-node.mjs'), 'utf8'))?.[1] ?? '';
    expect(engines.node).toBe(`>=${required}`);
    const [major, minor, patch] = required.split('.');
    expect(patch).toBe('0');
    const launcher = readFileSync(join(ROOT, 'bin', 'clawai.mjs'), 'utf8');
    expect(launcher).toContain(`major > ${major} || (major === ${major} && minor >= ${minor})`);
  });
});
