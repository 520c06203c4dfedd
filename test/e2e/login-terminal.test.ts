// Logins by a person at a terminal, whose browser is a script.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { AtTerminal, HAS_TERMINAL } from '../support/at-terminal.ts';
import { logInAt, OAuthWorld } from '../support/oauth-world.ts';
import { callOf, post, said } from '../support/post.ts';
import { Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

/** What is typed sooner after a question is thrown away. */
const READING_MS = 900;

const sandbox = useSandbox();
let world: OAuthWorld;
let serving: Serving;
let text: string;
beforeEach(async () => {
  world = await OAuthWorld.start();
  const config = '[login]\nkeychain = false\n';
  serving = await Serving.start(sandbox.current, { config });
  for (const folder of ['config/clawai', 'bin']) mkdirSync(sandbox.current.path(folder), { recursive: true });
  sandbox.current.write('config/clawai/config.toml', config);
  text = `{\n  "numStartups": 3,\n  "mcpServers": {\n    "my docs": { "type": "http", "url": "${world.url}" }\n  }\n}\n`;
  sandbox.current.write('home/.claude.json', text);
  const script = `#!/bin/sh\nprintf '%s' "$1" > '${opened()}.part'\nmv '${opened()}.part' '${opened()}'\n`;
  sandbox.current.write('bin/xdg-open', script, 0o755);
  const path = [sandbox.current.path('bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  Object.assign(sandbox.current.env, { PATH: path });
});
afterEach(async () => {
  await serving.stop();
  await world.stop();
});

function opened(): string {
  return sandbox.current.path('opened');
}

/** The page that the browser was sent to. */
async function openedPage(): Promise<string> {
  await until('the browser is there', () => existsSync(opened()));
  return readFileSync(opened(), 'utf8');
}

async function answer(terminal: AtTerminal, question: string, key: string): Promise<void> {
  await terminal.shows(`${question} [y/N]`);
  await setTimeout(READING_MS);
  terminal.stdin.write(`${key}\r`);
}

function read(): string {
  return sandbox.current.read('home/.claude.json').toString();
}

function wrappedUrl(): string {
  return /"url": "([^"]+)"/.exec(read())?.[1] ?? '';
}

describe.runIf(HAS_TERMINAL)('a person at a terminal', () => {
  it('wraps a server that wants a login, logs in at once, calls a tool, and unwraps', async () => {
    const terminal = new AtTerminal(sandbox.current, ['wrap', '--all'], { columns: 200 });
    await answer(terminal, 'Let clawai log in?', 'y');
    await answer(terminal, `Log in at ${new URL(world.issuer).host}?`, 'y');
    await (await fetch(await logInAt(await openedPage()))).text();
    expect((await terminal.ended).code).toBe(0);
    expect(terminal.text).toMatch(/wrapped +my docs[^]*Wrapped 1 server[^]*Logged in to my docs\./);
    expect(said(await post(wrappedUrl(), callOf(1, {}, 'read_file')))).toBe('did read_file');
    const away = new AtTerminal(sandbox.current, ['unwrap', '--all'], { columns: 200 });
    expect((await away.ended).code).toBe(0);
    expect(read()).toBe(text);
    expect(away.text).toContain(`clawai keeps its login to my docs: \`clawai logout ${world.url}\` forgets it`);
    const list = (await sandbox.current.clawai('login', '--list').close()).stdout;
    expect(list).toContain(`used by no server: \`clawai logout ${world.url}\` forgets it`);
    const again = new AtTerminal(sandbox.current, ['wrap', '--all', '--login'], { columns: 200 });
    expect((await again.ended).code).toBe(0);
    expect(again.text).toContain('clawai is still logged in to my docs');
    expect(said(await post(wrappedUrl(), callOf(1, {}, 'read_file')))).toBe('did read_file');
    await new AtTerminal(sandbox.current, ['unwrap', '--all']).ended;
    expect((await sandbox.current.clawai('logout', world.url).close()).stdout).toBe(`Logged out of ${world.url}.\n`);
    expect((await sandbox.current.clawai('login', '--list').close()).stdout).toBe('No server has auth = "managed".\n');
  });

  it('says no to the page: the server is wrapped, and says by which command to log in', async () => {
    const terminal = new AtTerminal(sandbox.current, ['wrap', '--all', '--login'], { columns: 200 });
    await answer(terminal, `Log in at ${new URL(world.issuer).host}?`, 'n');
    expect((await terminal.ended).code).toBe(0);
    expect(terminal.text).toContain("`clawai login 'my docs'` does it later");
    expect(existsSync(opened())).toBe(false);
    expect(said(await post(wrappedUrl(), callOf(1, {}, 'read_file')))).toContain("run `clawai login 'my docs'`");
    expect((await sandbox.current.clawai('status').close()).stdout).toContain("clawai login 'my docs'");
  });

  it('says no to the login by clawai: nothing is changed', async () => {
    const terminal = new AtTerminal(sandbox.current, ['wrap', '--all']);
    await answer(terminal, 'Let clawai log in?', 'n');
    await terminal.ended;
    expect(read()).toBe(text);
  });

  it('pastes the address that a browser elsewhere ends at', async () => {
    await sandbox.current.clawai('wrap', '--all', '--login').close();
    rmSync(sandbox.current.path('bin/xdg-open'));
    const terminal = new AtTerminal(sandbox.current, ['login', 'my docs'], { columns: 200 });
    await answer(terminal, `Log in at ${new URL(world.issuer).host}?`, 'y');
    await terminal.shows('paste the address');
    const [page = ''] = /^http\S+/m.exec(terminal.text) ?? [];
    terminal.stdin.write('something else\r');
    await terminal.shows('that is no answer to this login');
    terminal.stdin.write(`${await logInAt(page)}\r`);
    expect((await terminal.ended).code).toBe(0);
    expect(terminal.text).toContain('Logged in to my docs.');
  });
});
