import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callOften, useLoginScene } from '../support/login-scene.ts';

/**
 * A token ends up where it is read later: in the audit, in a log, in what a command prints, or in the arguments of a process. All files of a user
 * are searched for what the authorization server gave; the one file with the logins has it, and nothing else.
 */
const scene = useLoginScene();

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : statSync(path).isFile() ? [path] : [];
  });
}

describe('a token', () => {
  it('is in no file but that with the logins, and in nothing that clawai prints', async () => {
    const { world, sandbox, file } = scene.current;
    const serving = await scene.current.serve();
    const login = await scene.current.logIn();
    expect(await callOften(2, serving)).toBe(2);
    const first = scene.current.lastToken();
    await world.spoil(first);
    expect(await callOften(2, serving)).toBe(2);
    const { logins } = JSON.parse(readFileSync(file, 'utf8')) as { logins: { secrets: Record<string, string> }[] };
    const code = world.asked.find(({ form }) => form.has('code'))?.form;
    const secrets = [first, scene.current.lastToken(), ...Object.values(logins[0]?.secrets ?? {})];
    for (const name of ['code', 'code_verifier']) secrets.push(code?.get(name) ?? '');
    expect(secrets.filter((secret) => secret.length > 20)).toHaveLength(secrets.length);
    const printed = [login.stdout, login.stderr, serving.process.stderr, serving.process.stdout.toString()];
    for (const words of [
      ['status', '--json'],
      ['doctor', '--json'],
      ['log', '--json'],
      ['login', '--list', '--json'],
    ] as const) {
      const { stdout, stderr } = await sandbox.clawai(...words).close();
      printed.push(stdout, stderr);
    }
    await serving.stop();
    const files = filesIn(sandbox.folder).filter((path) => path !== file);
    expect(files.some((path) => path.startsWith(sandbox.storeFile))).toBe(true);
    const texts = [...printed, ...files.map((path) => readFileSync(path, 'latin1'))];
    for (const secret of new Set(secrets)) expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  });

  it('is in a file that an agent may not read or write', async () => {
    const { file, sandbox } = scene.current;
    const running = sandbox.clawai(
      'policy',
      'explain',
      '--tool',
      'read_file',
      '--args',
      JSON.stringify({ path: file }),
      '--json',
    );
    expect((await running.close()).stdout).toMatch(/"self/);
  });
});
