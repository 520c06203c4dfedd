// clawai wrap --login: a server that wants a login, behind clawai, which logs in.
import { mkdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { HAS_TERMINAL } from '../support/at-terminal.ts';
import { logInAt, OAuthWorld } from '../support/oauth-world.ts';
import { callOf, post, said } from '../support/post.ts';
import { runAtTerminal } from '../support/run-at-terminal.ts';
import type { Ended } from '../support/running.ts';
import { Serving } from '../support/serving.ts';

const CURSOR = 'home/.cursor/mcp.json';
const CONFIG = '[login]\nkeychain = false\n';

const sandbox = useSandbox();
let world: OAuthWorld;
let serving: Serving;
let text: string;
beforeEach(async () => {
  world = await OAuthWorld.start();
  serving = await Serving.start(sandbox.current, { config: CONFIG });
  for (const folder of ['home/.cursor', 'config/clawai']) mkdirSync(sandbox.current.path(folder), { recursive: true });
  sandbox.current.write('config/clawai/config.toml', CONFIG);
  text = `{\n\t"mcpServers": {\n\t\t"guarded": { "url": "${world.url}" } // mine\n\t}\n}\n`;
  sandbox.current.write(CURSOR, text);
});
afterEach(async () => {
  await serving.stop();
  await world.stop();
});

function clawai(...args: readonly string[]): Promise<Ended> {
  return sandbox.current.clawai(...args).close();
}

async function logIn(): Promise<Ended> {
  const running = sandbox.current.clawai('login', 'guarded', '--no-browser');
  await running.until(() => /^http\S+$/m.test(running.stdout.toString()));
  await (await fetch(await logInAt(/^http\S+$/m.exec(running.stdout.toString())?.[0] ?? ''))).text();
  return running.ended;
}

function read(): string {
  return sandbox.current.read(CURSOR).toString();
}

describe('wrap --login', () => {
  it.runIf(HAS_TERMINAL)('wraps a server that wants a login, and unwrap gives back the bytes', async () => {
    expect((await clawai('wrap', '--all')).stdout).toMatch(/skipped +guarded +its server wants a login.*`clawai wrap --login`/s);
    expect(read()).toBe(text);
    const wrapped = await clawai('wrap', '--all', '--login');
    expect(wrapped.stdout).toMatch(/wrapped +guarded/);
    expect(wrapped.stdout).toContain('run `clawai login guarded`');
    const url = /"url": "([^"]+)"/.exec(read())?.[1] ?? '';
    expect(url).toMatch(/\/mcp\/guarded\//);
    expect(said(await post(url, callOf(1, {}, 'read_file')))).toMatch(/clawai login guarded/);
    expect((await clawai('status')).stdout).toContain(
      'guarded: wants a login: clawai login guarded (nobody has logged in so far)',
    );
    const { checks } = JSON.parse((await clawai('doctor', '--json')).stdout) as { checks: { text: string; todo?: string }[] };
    expect(checks).toContainEqual(
      expect.objectContaining({ text: 'guarded wants a login: nobody has logged in so far', todo: 'clawai login guarded' }),
    );
    expect(await logIn()).toMatchObject({ code: 0 });
    expect(said(await post(url, callOf(1, {}, 'read_file')))).toBe('did read_file');
    const status = await clawai('status', '--json');
    expect(JSON.parse(status.stdout)).toMatchObject({ logins: [{ server: 'guarded', logged_in: true, kept_in: 'file' }] });
    expect(status.stdout).not.toContain(world.arrived.at(-1)?.headers.authorization?.slice(7));
    expect((await runAtTerminal(sandbox.current, ['unwrap', '--all'])).code).toBe(0);
    expect(read()).toBe(text);
  });
});
