import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isFit } from '../../bin/find-node.mjs';
import { createInstallation, toldBy, writeExecutable, writeFakeNode, writeText } from './launch.ts';

const REPORTED_VERSION = '14.21.3';

/** Ways to be unfit: this Node posing as an old one, and the system's own where that is really too old. */
function unfitNodes(): [name: string, node: string[]][] {
  const pose = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${REPORTED_VERSION}' } })`;
  const nodes: [string, string[]][] = [
    ['a posing Node', [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(pose)}`]],
  ];
  const system = spawnSync('/usr/bin/node', ['--version'], { encoding: 'utf8' }).stdout?.trim();
  if (system && !isFit(system)) nodes.push([`the system's Node ${system}`, ['/usr/bin/node']]);
  return nodes;
}

const systemHasFit = ['/usr/local/bin/node', '/opt/homebrew/bin/node', '/usr/local/n', '/opt/homebrew/Cellar/node'].some(
  existsSync,
);

describe('isFit', () => {
  it.each([
    ['v22.19.0', true],
    ['22.19.0', true],
    ['v22.18.99', false],
    ['v22.9.0', false],
    ['v23.0.0', true],
    ['v24.21.0', true],
    ['v100.0.0', true],
    ['v20.20.2', false],
    ['v9.99.99', false],
    ['v24.0.0-nightly2025', false],
    ['24', false],
    ['', false],
    ['v24.1.0; rm', false],
  ])('%s: %s', (version, expected) => {
    expect(isFit(version)).toBe(expected);
  });
});

describe.each(unfitNodes())('launched by %s', (_name, node) => {
  it.skipIf(systemHasFit)('says in one line what is needed when there is no fit Node', async () => {
    const { launch } = createInstallation();
    const ended = await launch(['--version'], { node });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(
      /^clawai: it needs Node 22\.19\.0 or newer; this is \d+\.\d+\.\d+ \(.*\) and no newer one was found\. .*nvm install 24`\n$/,
    );
  });

  it('runs on a Node from PATH with the same arguments, input and environment', async () => {
    const { root, launch } = createInstallation();
    const folder = join(root, 'path');
    const fake = writeFakeNode(join(folder, 'node'), { version: 'v24.1.0' });
    const args = ['policy', 'test', '--policy', 'a b.toml', '', '--', 'sh', '-c', 'echo "$HOME" *', '-h'];
    const told = toldBy(await launch(args, { node, env: { PATH: folder, KEPT: 'yes' } }));
    expect(told.argv).toEqual(args);
    expect(told.env).toMatchObject({ FAKE_NODE: fake, KEPT: 'yes' });
    expect(told.env).not.toHaveProperty('CLAWAI_REEXECUTED');
    expect((await launch(['echo'], { node, env: { PATH: folder }, stdin: 'line\n' })).stdout).toBe('line\n');
  });

  it('prefers the Node in its own node_modules, then the one installed beside it, then PATH', async () => {
    const { root, launch } = createInstallation();
    const path = join(root, 'path');
    const beside = join(root, '..', 'node');
    const own = join(root, 'node_modules', 'node');
    const runsOn = async (): Promise<string | undefined> =>
      toldBy(await launch([], { node, env: { PATH: path } })).env['FAKE_NODE'];
    const onPath = writeFakeNode(join(path, 'node'), { version: 'v24.1.0' });
    expect(await runsOn()).toBe(onPath);
    for (const folder of [beside, own]) {
      const fake = writeFakeNode(join(folder, 'bin', 'node'), { version: 'never asked' });
      writeText(join(folder, 'package.json'), '{"version":"22.18.0"}');
      expect(await runsOn()).not.toBe(fake);
      writeText(join(folder, 'package.json'), '{"version":"24.21.0"}');
      expect(await runsOn()).toBe(fake);
      expect(existsSync(`${fake}.asked`)).toBe(false);
    }
  });

  it('passes over what is old, broken, a prerelease or in a relative PATH entry', async () => {
    const { root, launch } = createInstallation();
    const versions = { old: 'v22.18.0', nightly: 'v25.0.0-nightly', fit: 'v22.19.0', later: 'v24.0.0' };
    for (const [folder, version] of Object.entries(versions)) writeFakeNode(join(root, folder, 'node'), { version });
    writeFakeNode(join(root, 'relative', 'node'), { version: 'v24.9.9' });
    writeExecutable(join(root, 'failing', 'node'), '#!/bin/sh\nexit 1\n');
    writeText(join(root, 'unexecutable', 'node'), '');
    const folders = ['empty', 'old', 'nightly', 'failing', 'unexecutable', 'fit', 'later'].map((name) => join(root, name));
    const PATH = ['', '.', 'relative', ...folders].join(':');
    const told = toldBy(await launch([], { node, env: { PATH }, cwd: root }));
    expect(told.env['FAKE_NODE']).toBe(join(root, 'fit', 'node'));
  });

  it("takes the newest of a version manager's, whose path tells the version", async () => {
    const { home, launch } = createInstallation();
    const fakeAt = (...path: string[]): string => writeFakeNode(join(home, ...path), { version: 'v1.0.0' });
    fakeAt('.nvm', 'versions', 'node', 'v20.1.0', 'bin', 'node');
    fakeAt('.nvm', 'versions', 'node', 'v22.19.1', 'bin', 'node');
    const newest = fakeAt('.local', 'share', 'fnm', 'node-versions', 'v24.10.0', 'installation', 'bin', 'node');
    fakeAt('.volta', 'tools', 'image', 'node', '24.9.0', 'bin', 'node');
    expect(toldBy(await launch([], { node })).env['FAKE_NODE']).toBe(newest);
    expect(existsSync(`${newest}.asked`)).toBe(false);
  });

  it('tries the next one when a fit one cannot be started', async () => {
    const { home, launch } = createInstallation();
    const managed = join(home, '.nvm', 'versions', 'node');
    writeExecutable(join(managed, 'v24.2.0', 'bin', 'node'), '#!/no/such/interpreter\n');
    const next = writeFakeNode(join(managed, 'v24.1.0', 'bin', 'node'), { version: 'v24.1.0' });
    expect(toldBy(await launch([], { node })).env['FAKE_NODE']).toBe(next);
  });

  it('does not start itself for ever when a Node lies about its version', async () => {
    const { root, launch } = createInstallation();
    const old = writeExecutable(
      join(root, 'old.sh'),
      `#!/bin/sh\nexec ${node.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')} "$@"\n`,
    );
    const folder = join(root, 'path');
    writeFakeNode(join(folder, 'node'), { version: 'v24.1.0', runs: old });
    const ended = await launch([], { node, env: { PATH: folder } });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr.match(/clawai: it needs Node/g)).toHaveLength(1);
  });

  it('ends with the exit code, or by the signal, that the fit one ended with', async () => {
    const { root, launch } = createInstallation();
    const env = { PATH: join(root, 'path') };
    writeFakeNode(join(root, 'path', 'node'), { version: 'v24.1.0' });
    expect(await launch(['exit', '7'], { node, env })).toMatchObject({ code: 7, signal: null });
    expect(await launch(['die', 'SIGKILL'], { node, env })).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(await launch(['die', 'SIGTERM'], { node, env })).toMatchObject({ code: null, signal: 'SIGTERM' });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('forwards %s', async (signal) => {
    const { root, launch } = createInstallation();
    writeFakeNode(join(root, 'path', 'node'), { version: 'v24.1.0' });
    const ended = await launch(['wait'], { node, env: { PATH: join(root, 'path') }, signal });
    expect(ended).toMatchObject({ code: 42, stdout: `waiting\n${signal}\n` });
  });
});
