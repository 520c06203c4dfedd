import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { denialBy } from '../../src/protocol/hooks/hook-client.ts';
import { HOOK_CLIENTS } from '../../src/protocol/hooks/hook-clients.ts';
import { createInstallation, type Ended, type Installation, toldBy, writeFakeNode, writeText } from './launch.ts';

const FAILED = 'clawai denied this call, because its hook failed. Tell the user to run clawai doctor.';

/** A bundle of the hook that does this. */
function withHook(code: string): Installation {
  const installation = createInstallation();
  writeText(join(installation.root, 'dist', 'hook.mjs'), code);
  return installation;
}

/** Each way in which a hook can end without an answer, by the code of its bundle. */
const FAILURES: Readonly<Record<string, string>> = {
  'has a bug in its bundle': "throw new TypeError('a bug');",
  'is not JavaScript': 'export {',
  rejects: "export const main = async () => { throw new Error('a bug'); };",
  'throws later': "export const main = () => new Promise(() => setTimeout(() => { throw new Error('a bug'); }));",
  'leaves a rejection unhandled':
    "export const main = () => new Promise((_, r) => { Promise.reject(new Error('a bug')); setTimeout(r, 1000); });",
  'has nothing left to do': 'export const main = () => new Promise(() => {});',
  'ends with another code': 'export const main = async () => { process.exitCode = 1; };',
  'ends at once with another code': 'export const main = async () => process.exit(1);',
  'ends without a code': 'export const main = async () => {};',
  'is told to end':
    "export const main = () => new Promise(() => { setTimeout(() => {}, 9999); process.kill(process.pid, 'SIGTERM'); });",
};

/** The end of a hook that has failed: whatever the client is, it stops the call. */
function denialOf(client: string): unknown {
  const known = HOOK_CLIENTS.find(({ id }) => id === client);
  // Some clients need words besides the code.
  const needsWords = client === 'cursor' || client === 'cline';
  const stdout = known !== undefined && needsWords ? denialBy(known, FAILED).stdout : '';
  return { code: 2, signal: null, stdout, stderr: expect.stringMatching(`^${FAILED.replaceAll('.', '[.]')} `) };
}

describe('a hook that', () => {
  it.each(Object.entries(FAILURES))('%s denies the call', async (_what, code) => {
    const { launch } = withHook(code);
    for (const client of ['codex', 'cline']) expect(await launch(['hook', client])).toEqual(denialOf(client));
  });

  it.each(HOOK_CLIENTS.map(({ id }) => id))('is not there denies the call of %s', async (client) => {
    const { root, launch } = createInstallation();
    rmSync(join(root, 'dist'), { recursive: true });
    expect(await launch(['hook', client])).toEqual(denialOf(client));
  });

  it('answers says what it wants to', async () => {
    const ends = (code: number): string =>
      `export const main = async () => { process.exitCode = ${code}; setTimeout(() => {}, 60_000); };`;
    expect(await withHook(ends(0)).launch(['hook', 'codex'])).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(await withHook(ends(2)).launch(['hook', 'codex'])).toMatchObject({ code: 2, stdout: '', stderr: '' });
  });

  it('is asked for help is a command like others', async () => {
    const { launch } = createInstallation();
    expect(toldBy(await launch(['hook', '--help'])).argv).toEqual(['hook', '--help']);
  });
});

describe('on a Node that is too old', () => {
  // This one says so of itself, and runs the launcher as if.
  const old = [
    '--import',
    `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})`,
  ];
  const launchOld = (installation: Installation, client: string, path = ''): Promise<Ended> =>
    installation.launch(['hook', client], { node: [process.execPath, ...old], env: { PATH: path } });

  it.each(['codex', 'cline'])('%s is denied where there is no other', async (client) => {
    const ended = await launchOld(createInstallation(), client);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('no newer one was found');
    expect(ended.stderr).toContain(FAILED);
    if (client === 'cline') expect(JSON.parse(ended.stdout)).toEqual({ cancel: true, errorMessage: FAILED });
  });

  it.each(
    Object.entries({
      'ends with another code': 'process.exitCode = 1',
      'is killed': "process.kill(process.pid, 'SIGKILL'); await new Promise((r) => setTimeout(r, 5000))",
      'ends without an answer': '',
    }),
  )('a hook on another that %s denies the call', async (_what, code) => {
    const installation = withHook(`export const main = async () => { ${code} };`);
    const folder = join(installation.home, 'bin');
    writeFakeNode(join(folder, 'node'), { version: 'v24.0.0' });
    const ended = await launchOld(installation, 'codex', folder);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(FAILED);
  });

  it('a hook on another that answers says what it wants to', async () => {
    const installation = withHook('export const main = async () => { process.exitCode = 0; };');
    const folder = join(installation.home, 'bin');
    writeFakeNode(join(folder, 'node'), { version: 'v24.0.0' });
    expect(await launchOld(installation, 'codex', folder)).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });
});
