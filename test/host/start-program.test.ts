import { describe, expect, it } from 'vitest';
import { startProgram } from '../../src/host/start-program.ts';

const node = (script: string): readonly [string, readonly string[]] => [process.execPath, ['-e', script]];

describe('startProgram', () => {
  it('gives a program the environment that it is told, and its code back', async () => {
    const [command, args] = node('process.exit(process.env.A === "b" && process.env.HOME === undefined ? 7 : 1)');
    const { ended } = startProgram(command, args, { env: { A: 'b' }, stdio: 'ignore' });
    expect(await ended).toEqual({ code: 7, signal: undefined, cause: undefined });
  });

  it('tells the signal that ended it', async () => {
    const { kill, ended } = startProgram(...node('setInterval(() => {}, 1000)'), { env: {}, stdio: 'ignore' });
    expect(kill('SIGKILL')).toBe(true);
    expect(await ended).toMatchObject({ code: undefined, signal: 'SIGKILL' });
  });

  it('hands its streams over, and takes nothing out of them', async () => {
    const { stdin, stdout, ended } = startProgram(...node('process.stdin.pipe(process.stdout)'), { env: {}, stdio: 'pipe' });
    stdin?.end('a\nb\n');
    let text = '';
    stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    await ended;
    expect(text).toBe('a\nb\n');
  });

  it.each(['/no/such/program', 'no-such-program', '/'])('never rejects, also where there is no %s to start', async (command) => {
    const { stdin, ended } = startProgram(command, [], { env: process.env, stdio: 'pipe' });
    stdin?.on('error', () => {});
    const end = await ended;
    expect(end).toMatchObject({ code: undefined, signal: undefined });
    expect(end.cause).toHaveProperty('code');
  });

  it('ends a program that takes too long', async () => {
    const { ended } = startProgram(...node('setInterval(() => {}, 1000)'), { env: {}, stdio: 'ignore', timeout: 1 });
    expect(await ended).toMatchObject({ code: undefined, signal: 'SIGTERM' });
  });
});
