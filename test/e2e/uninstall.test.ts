import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HAS_TERMINAL, SCRIPT } from '../support/at-terminal.ts';
import { useSandbox } from '../support/attempt.ts';
import { blocksOf } from '../support/doc-page.ts';
import { Running } from '../support/running.ts';
import { support } from '../support/sandbox.ts';

const sandbox = useSandbox();

/** Every file and folder of the home, with what is in it. */
function home(): readonly (readonly [name: string, content: string])[] {
  const folder = sandbox.current.home;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const file = join(folder, name);
      return [name, statSync(file).isDirectory() ? 'a folder' : readFileSync(file, 'utf8')];
    });
}

/** Runs a command line at a terminal, as a user does who has set no variable. */
async function atTerminal(line: string): Promise<number | null> {
  const { PATH = '', HOME = '' } = sandbox.current.env;
  const clawai = sandbox.current.command().join(' ');
  const env = { PATH, HOME, TERM: 'dumb', SHELL: '/bin/sh' };
  const words: [string, ...string[]] = [SCRIPT, '-qec', line.replace(/^clawai /, `${clawai} `), '/dev/null'];
  return (await new Running(words, { env, cwd: sandbox.current.home }).ended).code;
}

it.skipIf(!HAS_TERMINAL || process.platform === 'darwin')('what docs/uninstall.md says leaves nothing behind', async () => {
  const { current } = sandbox;
  for (const folder of ['.cursor', '.config', '.local/state', '.cache'])
    mkdirSync(join(current.home, folder), { recursive: true });
  const server = [process.execPath, support('recording-server.mjs'), current.path('record')];
  const entry = { command: server[0], args: server.slice(1) };
  current.write('home/.cursor/mcp.json', JSON.stringify({ mcpServers: { files: entry } }));
  const before = home();

  for (const line of ['clawai init', 'clawai wrap --all', 'clawai status'])
    expect([line, await atTerminal(line)]).toEqual([line, 0]);
  const { mcpServers } = JSON.parse(current.read('home/.cursor/mcp.json').toString()) as {
    mcpServers: { files: { command: string; args: string[] } };
  };
  const { PATH = '', HOME = '' } = current.env;
  const running = new Running([mcpServers.files.command, ...mcpServers.files.args], { env: { PATH, HOME }, cwd: current.home });
  running.send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{}}}\n');
  await running.until(() => running.stdout.includes('"id":1'));
  await running.close();
  expect(home().length).toBeGreaterThan(before.length);

  const [commands] = blocksOf('docs/uninstall.md');
  const lines = commands?.text.split('\n').filter((line) => line !== '') ?? [];
  expect(lines.length).toBe(2);
  for (const line of lines) expect([line, await atTerminal(line.replace('$ ', ''))]).toEqual([line, 0]);
  expect(home()).toEqual(before);
});
