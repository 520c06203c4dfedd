// Asks real clients which servers they have, before and after `clawai wrap`, and after `clawai unwrap`. Each must list the same servers each time,
// start clawai in between (where it says what it starts), and have its bytes back. Not part of the tests, since the clients come from npm:
//
//   node test/e2e/real-lists.mjs [CLIENT…] [--installed FOLDER]
//
// FOLDER has a folder for each client, such as `codex/node_modules`; without it they are installed (some 900 MB) into a temporary one.
// No login and no model is needed. Needs a terminal of its own for `unwrap` (`script`). Exit code: 0 as it should be, 1 not.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BIN, createRoom, say } from '../support/real-agent.mjs';

const SERVER = [
  process.execPath,
  resolve(import.meta.dirname, '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js'),
];
const [command, ...args] = SERVER;
const inJson = (more) => `{\n  // mine\n  "mcpServers": {\n    "files": ${JSON.stringify({ ...more, command, args })}\n  }\n}\n`;

/** How each client lists its servers, and how it says that one works. */
const CLIENTS = {
  'claude-code': {
    install: '@anthropic-ai/claude-code',
    program: 'claude',
    list: ['mcp', 'list'],
    file: 'home/.claude.json',
    text: inJson({ type: 'stdio' }).replace('  // mine\n', ''),
    works: /files: .*Connected/,
    shows: /clawai\.mjs proxy/,
  },
  codex: {
    install: '@openai/codex',
    program: 'codex',
    list: ['mcp', 'list', '--json'],
    file: 'home/.codex/config.toml',
    text: `# mine\nmodel = "x"\n\n[mcp_servers.files] # one\ncommand = '${command}'\nargs = [\n  "${args[0]}", # the server\n]\nenv.A = "1"\n[mcp_servers.off]\nenabled = false\ncommand = "false"\n`,
    works: /"name": "files"[\s\S]*server-everything/,
    shows: /clawai\.mjs",\s+"proxy"/,
  },
  'gemini-cli': {
    install: '@google/gemini-cli',
    program: 'gemini',
    list: ['mcp', 'list'],
    file: 'home/.gemini/settings.json',
    text: inJson({}),
    works: /files: /,
    shows: /clawai\.mjs proxy/,
  },
  'qwen-code': {
    install: '@qwen-code/qwen-code',
    program: 'qwen',
    list: ['mcp', 'list'],
    file: 'home/.qwen/settings.json',
    text: inJson({}),
    works: /files: /,
    shows: /clawai\.mjs proxy/,
  },
  opencode: {
    install: 'opencode-ai',
    program: 'opencode',
    list: ['mcp', 'list'],
    file: 'home/.config/opencode/opencode.json',
    text: `{\n  "$schema": "https://opencode.ai/config.json",\n  // mine\n  "mcp": { "files": { "type": "local", "command": ${JSON.stringify(SERVER)}, }, },\n}\n`,
    works: /files .*connected/,
    shows: /clawai\.mjs proxy/,
  },
};

const { values, positionals } = parseArgs({ allowPositionals: true, options: { installed: { type: 'string' } } });
const installed = values.installed === undefined ? mkdtempSync(join(tmpdir(), 'clawai-clients-')) : resolve(values.installed);
let failures = 0;

function check(client, what, isRight, shown) {
  say(`${isRight ? 'ok' : 'NOT OK'}  ${client}: ${what}`);
  if (isRight) return;
  failures += 1;
  say(shown.replaceAll(/^/gm, '        '));
}

for (const id of positionals.length === 0 ? Object.keys(CLIENTS) : positionals) {
  const { install, program, list, file, text, works, shows } = CLIENTS[id];
  const room = createRoom(id, { NO_COLOR: '1', OPENCODE_DISABLE_AUTOUPDATE: 'true', GEMINI_CLI_TRUST_WORKSPACE: 'true' });
  const place = join(installed, id);
  if (values.installed === undefined) {
    mkdirSync(place);
    room.run(['npm', 'install', '--no-audit', '--no-fund', '--prefix', place, install], { timeout: 600_000 });
  }
  const path = join(room.folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const ask = () => room.run([join(place, 'node_modules/.bin', program), ...list]).text;
  const clawai = (...words) => room.run([process.execPath, BIN, ...words]);
  const before = ask();
  check(id, 'lists its server before', works.test(before), before);
  // It may write its own file when it starts.
  const own = readFileSync(path, 'utf8');
  const wrapped = clawai('wrap', '--all', '--client', id);
  check(id, 'is wrapped', wrapped.status === 0 && readFileSync(path, 'utf8') !== own, wrapped.text);
  const between = ask();
  check(id, 'lists it behind clawai', works.test(between) && shows.test(between), between);
  const line = [process.execPath, BIN, 'unwrap', '--all'].map((word) => `'${word}'`).join(' ');
  const unwrapped = room.run(['script', '-qec', line, '/dev/null']);
  check(id, 'lists it after', ask() === before, unwrapped.text);
  const isSame = readFileSync(path, 'utf8') === own;
  // Claude Code counts its starts in the same file.
  if (id !== 'claude-code') check(id, 'has its bytes back', isSame, readFileSync(path, 'utf8'));
  else
    check(
      id,
      'has its entry back',
      readFileSync(path, 'utf8').includes('server-everything') && !readFileSync(path, 'utf8').includes('clawai'),
      readFileSync(path, 'utf8'),
    );
  rmSync(room.folder, { recursive: true, force: true });
}
if (values.installed === undefined) rmSync(installed, { recursive: true, force: true });
process.exitCode = failures === 0 ? 0 : 1;
