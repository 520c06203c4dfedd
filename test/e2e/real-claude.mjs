// Holds `clawai wrap` against the real Claude Code: it must list and reach the wrapped servers as it did before, and have its config back
// afterwards. Not part of the tests, since it downloads Claude Code from npm (some 200 MB) into a temporary folder:
//
//   node test/e2e/real-claude.mjs [VERSION]
//
// No login is needed. Where `unshare` works (root on Linux), Claude Code runs without a network. Exit code: 0 as before, 1 not, 2 not tried.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

const ROOT = resolve(import.meta.dirname, '..', '..');
const BIN = join(ROOT, 'bin', 'clawai.mjs');
const SERVER = (name) => join(ROOT, 'node_modules', '@modelcontextprotocol', `server-${name}`, 'dist', 'index.js');
const PATIENCE = 120_000;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'clawai-claude-')));
const home = join(folder, 'home');
const project = join(folder, 'project');
mkdirSync(home);
mkdirSync(project);
const env = {
  PATH: process.env.PATH,
  HOME: home,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
};
const offline = spawnSync('unshare', ['-n', 'true']).status === 0 ? ['unshare', '-n'] : [];

function run(words, options = {}) {
  const [command, ...args] = words;
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: project,
    env,
    encoding: 'utf8',
    timeout: PATIENCE,
    ...options,
  });
  return { status, text: `${stdout}${stderr}`.trim() };
}
const claude = (...args) => run([...offline, join(folder, 'node_modules', '.bin', 'claude'), ...args]);
const clawai = (...args) => run([process.execPath, BIN, ...args]);
/** Unwrapping wants a terminal; the one of util-linux. */
const unwrapAll = () => run(['script', '-qec', `'${process.execPath}' '${BIN}' unwrap --all`, '/dev/null']);
const say = (text) => process.stdout.write(`${text}\n`);

/** Each server and whether it could be reached; what it is started by differs when it is wrapped. */
function reached(text) {
  const lines = [...text.matchAll(/^(\S+): .* - (.+)$/gm)].map(([, name, state]) => `${name}: ${state}`);
  return lines.toSorted();
}

function serversIn(file) {
  const { mcpServers, projects = {} } = JSON.parse(readFileSync(file, 'utf8'));
  return { mcpServers, local: Object.entries(projects).map(([path, value]) => [path, value.mcpServers]) };
}

/** A project's servers are started once somebody trusted the folder and approved them by name, which no command does. */
function approve(config) {
  const value = JSON.parse(readFileSync(config, 'utf8'));
  value.projects[project] = { ...value.projects[project], hasTrustDialogAccepted: true, enabledMcpjsonServers: ['files'] };
  writeFileSync(config, JSON.stringify(value, undefined, 2));
}

function main() {
  say(`installing Claude Code in ${folder} …`);
  const name = `@anthropic-ai/claude-code@${process.argv[2] ?? 'latest'}`;
  const installed = run(['npm', 'install', '--no-audit', '--no-fund', '--prefix', folder, name], {
    env: process.env,
    cwd: folder,
    timeout: 600_000,
  });
  const version = claude('--version');
  if (installed.status !== 0 || version.status !== 0) {
    say(`not tried: ${installed.text.slice(-500)}\n${version.text.slice(-500)}`);
    return 2;
  }
  say(`Claude Code ${version.text}${offline.length > 0 ? ', without a network' : ''}`);

  const node = process.execPath;
  for (const [scope, server, ...args] of [
    ['user', 'everything', SERVER('everything'), 'stdio'],
    ['local', 'memory', SERVER('memory')],
    ['project', 'files', SERVER('filesystem'), project],
  ]) {
    const added = claude('mcp', 'add', '-s', scope, server, '--', node, ...args);
    if (added.status !== 0) throw new Error(added.text);
  }
  writeFileSync(join(project, 'note.txt'), 'x');
  const config = join(home, '.claude.json');
  approve(config);
  const shared = join(project, '.mcp.json');
  const original = { servers: serversIn(config), shared: readFileSync(shared, 'utf8') };

  const before = reached(claude('mcp', 'list').text);
  say(`before:\n  ${before.join('\n  ')}`);
  say(clawai('wrap', '--all').text);
  const status = clawai('status', '--check');
  const after = reached(claude('mcp', 'list').text);
  say(`wrapped:\n  ${after.join('\n  ')}`);
  const got = claude('mcp', 'get', 'everything').text;
  say(got);
  const seen = JSON.parse(clawai('status', '--json').text).files.flatMap(({ servers }) => servers);
  say(unwrapAll().text);
  const end = reached(claude('mcp', 'list').text);

  // The project's file is under version control now, so that it stays, and Claude Code starts entries of the user's own.
  spawnSync('git', ['init', '-q'], { cwd: project, env });
  spawnSync('git', ['add', '-A'], { cwd: project, env });
  const own = clawai('wrap', '--all', '--local');
  say(own.text);
  const ownStatus = clawai('status', '--check');
  const hidden = reached(claude('mcp', 'list').text);
  const local = claude('mcp', 'get', 'files').text;
  const kept = readFileSync(shared, 'utf8');
  say(unwrapAll().text);
  const last = reached(claude('mcp', 'list').text);

  const checks = {
    'three servers are listed and reached': before.length === 3 && before.every((line) => /Connected/.test(line)),
    'it lists and reaches wrapped servers as before': isDeepStrictEqual(after, before),
    'nothing is left unwrapped': status.status === 0,
    'it starts clawai': got.includes('clawai'),
    'each server that it reached left its trace in the audit': seen.every(
      ({ server, last_seen: lastSeen }) =>
        lastSeen !== null || !before.some((line) => line.startsWith(`${server}: `) && /Connected/.test(line)),
    ),
    'its servers are as before after unwrapping': isDeepStrictEqual(serversIn(config), original.servers),
    "the project's file is the same to the byte": readFileSync(shared, 'utf8') === original.shared,
    'it reaches them as before after unwrapping': isDeepStrictEqual(end, before),
    "with --local, the project's file stays and nothing is left unwrapped": kept === original.shared && ownStatus.status === 0,
    "it starts an entry of the user's own in the place of the project's":
      local.includes('Local config') && local.includes('clawai'),
    'it reaches them so as before, and after unwrapping': isDeepStrictEqual(hidden, before) && isDeepStrictEqual(last, before),
  };
  for (const [what, holds] of Object.entries(checks)) say(`${holds ? 'ok  ' : 'FAIL'}  ${what}`);
  return Object.values(checks).every(Boolean) ? 0 : 1;
}

try {
  process.exitCode = main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
