// Lists ten MCP servers from npm through `clawai mcp inspect` and fails where anything shows at high or above, or a server could not be listed.
// They are honest ones that many people use, so each alarm is a false one. Not part of `npm test`: it installs them into a temporary folder.
//
//   node test/score/npm-servers.mjs [NAME…]
//
// They are started without a network where the system lets us (`unshare`), with made-up keys where they want some, and never called.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const BIN = resolve(import.meta.dirname, '..', '..', 'bin', 'clawai.mjs');

/** Milliseconds that installing, and that listing one server, may take. */
const INSTALLING = 600_000;
const LISTING = 120_000;

const SERVERS = [
  { name: '@modelcontextprotocol/server-filesystem', words: ['.'] },
  { name: '@modelcontextprotocol/server-everything' },
  { name: '@modelcontextprotocol/server-memory' },
  { name: '@modelcontextprotocol/server-sequential-thinking' },
  { name: '@upstash/context7-mcp' },
  { name: '@notionhq/notion-mcp-server', env: { NOTION_TOKEN: 'ntn_made_up' } },
  { name: '@brave/brave-search-mcp-server', env: { BRAVE_API_KEY: 'made-up' }, words: ['--transport', 'stdio'] },
  { name: 'tavily-mcp', env: { TAVILY_API_KEY: 'tvly-made-up' } },
  { name: 'firecrawl-mcp', env: { FIRECRAWL_API_KEY: 'fc-made-up' } },
  { name: 'chrome-devtools-mcp', words: ['--headless'] },
];

const wanted = process.argv.slice(2);
const servers = SERVERS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const folder = mkdtempSync(join(tmpdir(), 'clawai-npm-servers-'));
try {
  install();
  const outcomes = servers.map((server) => ({ server, ...inspect(server) }));
  for (const { server, count, alarms, problem } of outcomes) report(server, { count, alarms, problem });
  const isClean = outcomes.length > 0 && outcomes.every(({ alarms, problem }) => alarms.length === 0 && problem === undefined);
  console.log(isClean ? `\nnothing at or above high in ${outcomes.length} servers` : '\nnot all of them were listed and clean');
  process.exitCode = isClean ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function install() {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  mkdirSync(join(folder, 'home'));
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', ...servers.map(({ name }) => name)];
  const { status, stderr } = spawnSync('npm', words, { cwd: folder, encoding: 'utf8', timeout: INSTALLING });
  if (status !== 0) throw new Error(`npm could not install them: ${stderr}`);
}

/** The program of a package: its first, whatever that is called. */
function entryOf(name) {
  const root = join(folder, 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return join(root, typeof bin === 'string' ? bin : Object.values(bin)[0]);
}

function inspect({ name, words = [], env = {} }) {
  const server = [process.execPath, entryOf(name), ...words];
  const surroundings = { PATH: process.env.PATH, HOME: join(folder, 'home'), ...env };
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, 'mcp', 'inspect', '--json', '--', ...alone(), ...server], {
    cwd: folder,
    env: surroundings,
    encoding: 'utf8',
    timeout: LISTING,
    maxBuffer: 256 * 1024 * 1024,
  });
  const items = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const alarms = items.flatMap(({ kind, name: of, findings }) =>
    findings
      .filter(({ severity }) => severity === 'high' || severity === 'critical')
      .map(
        ({ rule, severity, field, matches }) =>
          `${severity} ${rule} in ${kind} ${of}, ${field}: ${JSON.stringify(matches[0]?.context)}`,
      ),
  );
  const isListed = status === 0 || status === 1;
  const problem =
    isListed && items.length > 0 ? undefined : stderr.trim().split('\n').slice(0, 3).join(' ') || `it ended with ${status}`;
  return { count: items.length, alarms, problem };
}

/** Before the server's command: takes the network from it, where that works. */
function alone() {
  const words = ['unshare', '--user', '--map-root-user', '--net', '--'];
  return spawnSync(words[0], [...words.slice(1), 'true']).status === 0 ? words : [];
}

function report({ name }, { count, alarms, problem }) {
  console.log(`${name}: ${count} listed${problem === undefined ? '' : `, ${problem}`}${alarms.length === 0 ? '' : ':'}`);
  for (const alarm of alarms) console.log(`  ${alarm}`);
}
