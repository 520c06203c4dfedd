// Sends honest calls to the tools of real MCP servers from npm and fails where the guard [schema] finds anything: each finding is a false one.
// Not part of `npm test`: it installs the servers into a temporary folder.
//
//   node test/score/honest-calls.mjs [FOLDER]
//
// FOLDER keeps the installation for the next time. The servers are asked only what tools they have, through `clawai proxy` and without a network
// where the system lets us (`unshare`); the calls then go to a stand-in that lists the same tools. The calls are in honest-calls.jsonl.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = resolve(import.meta.dirname, '..', '..');
const BIN = join(ROOT, 'bin', 'clawai.mjs');
const CALLS = join(import.meta.dirname, 'honest-calls.jsonl');

/** Milliseconds that installing, and that one answer of a server, may take. */
const INSTALLING = 900_000;
const ANSWERING = 60_000;

const official = (name) => `@modelcontextprotocol/server-${name}`;
const SERVERS = {
  filesystem: { name: official('filesystem'), words: ['.'] },
  memory: { name: official('memory') },
  everything: { name: official('everything') },
  thinking: { name: official('sequential-thinking') },
  github: { name: official('github') },
  gitlab: { name: official('gitlab'), env: { GITLAB_PERSONAL_ACCESS_TOKEN: 'made-up' } },
  slack: { name: official('slack'), env: { SLACK_BOT_TOKEN: 'made-up', SLACK_TEAM_ID: 'T1' } },
  postgres: { name: official('postgres'), words: ['postgresql://127.0.0.1:1/x'] },
  brave: { name: official('brave-search'), env: { BRAVE_API_KEY: 'made-up' } },
  puppeteer: { name: official('puppeteer') },
  maps: { name: official('google-maps'), env: { GOOGLE_MAPS_API_KEY: 'made-up' } },
  brave2: { name: '@brave/brave-search-mcp-server', words: ['--transport', 'stdio'], env: { BRAVE_API_KEY: 'made-up' } },
  playwright: { name: '@playwright/mcp' },
  devtools: { name: 'chrome-devtools-mcp', words: ['--headless'] },
  context7: { name: '@upstash/context7-mcp' },
  notion: { name: '@notionhq/notion-mcp-server', env: { NOTION_TOKEN: 'ntn_made_up' } },
  cygit: { name: '@cyanheads/git-mcp-server' },
  fetch: { name: '@kazuph/mcp-fetch' },
  firecrawl: { name: 'firecrawl-mcp', env: { FIRECRAWL_API_KEY: 'fc-made-up' } },
  exa: { name: 'exa-mcp-server', env: { EXA_API_KEY: 'made-up' } },
  tavily: { name: 'tavily-mcp', env: { TAVILY_API_KEY: 'tvly-made-up' } },
  kubernetes: { name: 'mcp-server-kubernetes' },
  zgitlab: { name: '@zereight/mcp-gitlab', env: { GITLAB_PERSONAL_ACCESS_TOKEN: 'made-up' } },
  airtable: { name: 'airtable-mcp-server', env: { AIRTABLE_API_KEY: 'pat.made-up' } },
  chart: { name: '@antv/mcp-server-chart' },
  figma: { name: 'figma-developer-mcp', words: ['--stdio', '--figma-api-key=made-up'] },
  circleci: { name: '@circleci/mcp-server-circleci', env: { CIRCLECI_TOKEN: 'made-up' } },
  elastic: { name: '@elastic/mcp-server-elasticsearch', env: { ES_URL: 'http://127.0.0.1:1', ES_API_KEY: 'made-up' } },
  eslint: { name: '@eslint/mcp' },
  commander: { name: '@wonderwhy-er/desktop-commander', words: ['--no-onboarding'] },
  xcode: { name: 'xcodebuildmcp', words: ['mcp'] },
  line: { name: '@line/line-bot-mcp-server', env: { CHANNEL_ACCESS_TOKEN: 'made-up', DESTINATION_USER_ID: 'U1' } },
};

/**
 * Policies by their name. The shipped one answers its own questions with yes, and what it denies without a rule is allowed: the guard is asked only
 * about calls that may go on.
 */
const POLICIES = {
  closed:
    '[defaults]\naction = "allow"\n[schema]\non_mismatch = "deny"\nunknown_arguments = "mismatch"\n[flow]\nenabled = false\n',
  strict: readFileSync(join(ROOT, 'policies', 'strict.toml'), 'utf8')
    .replace('[defaults]\naction = "deny"', '[defaults]\naction = "allow"')
    .replaceAll('action = "prompt"', 'action = "allow"')
    .replace('[flow]\naction = "deny"', '[flow]\nenabled = false'),
};

/** A server with the tools of a file, which answers every call and does nothing. */
const STAND_IN = `
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const tools = JSON.parse(readFileSync(process.argv[2], 'utf8'));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } }
    : method === 'tools/list' ? { tools } : { content: [{ type: 'text', text: 'done' }] };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});
`;

const calls = readFileSync(CALLS, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const isKept = process.argv[2] !== undefined;
const folder = isKept ? resolve(process.argv[2]) : mkdtempSync(join(tmpdir(), 'clawai-honest-calls-'));
try {
  process.exitCode = await main();
} finally {
  if (!isKept) rmSync(folder, { recursive: true, force: true });
}

async function main() {
  install();
  let [sent, wrong, servers] = [0, 0, 0];
  for (const [key, server] of Object.entries(SERVERS)) {
    const own = calls.filter((call) => call.server === key);
    const tools = await toolsOf(key, server);
    const unknown = own.filter(({ tool }) => !tools.some(({ name }) => name === tool)).map(({ tool }) => tool);
    if (tools.length === 0 || unknown.length > 0) console.log(`${key}: not listed ${unknown.join(' ')}`);
    if (tools.length === 0) continue;
    const found = await findingsOf(key, { tools, own });
    servers++;
    sent += own.length;
    wrong += found.length + unknown.length;
    console.log(`${key}: ${tools.length} tools, ${own.length} calls, ${found.length} findings`);
    for (const line of found) console.log(`  ${line}`);
  }
  console.log(
    `\n${sent} honest calls to ${servers} servers, each under ${Object.keys(POLICIES).join(' and ')}: ${wrong} are wrong`,
  );
  return wrong === 0 && servers === Object.keys(SERVERS).length ? 0 : 1;
}

function install() {
  mkdirSync(join(folder, 'home'), { recursive: true });
  writeFileSync(join(folder, 'stand-in.mjs'), STAND_IN);
  for (const [name, text] of Object.entries(POLICIES)) writeFileSync(join(folder, `${name}.toml`), text);
  const missing = Object.values(SERVERS).filter(({ name }) => !existsSync(join(folder, 'node_modules', name)));
  if (missing.length === 0) return;
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', '--silent'];
  const { status, stderr } = spawnSync('npm', ['install', ...flags, ...missing.map(({ name }) => name)], {
    cwd: folder,
    encoding: 'utf8',
    timeout: INSTALLING,
  });
  if (status !== 0) throw new Error(`npm could not install them: ${stderr}`);
}

/** What a server lists, through clawai. */
async function toolsOf(key, { name, words = [], env = {} }) {
  const { bin } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
  const entry = join(folder, 'node_modules', name, typeof bin === 'string' ? bin : Object.values(bin)[0]);
  const server = await open(key, { policy: 'closed', command: [...alone(), process.execPath, entry, ...words], env });
  const tools = [];
  try {
    for (let cursor; ;) {
      const { result } = await server.ask('tools/list', cursor === undefined ? {} : { cursor });
      tools.push(...(result?.tools ?? []));
      cursor = result?.nextCursor;
      if (cursor === undefined) return tools;
    }
  } finally {
    server.end();
  }
}

/** Sends calls to a stand-in under each policy. @returns a line for each denial by the guard */
async function findingsOf(key, { tools, own }) {
  const list = join(folder, 'tools.json');
  writeFileSync(list, JSON.stringify(tools));
  const found = [];
  for (const policy of Object.keys(POLICIES)) {
    const server = await open(key, { policy, command: [process.execPath, join(folder, 'stand-in.mjs'), list] });
    await server.ask('tools/list', {});
    for (const { tool, args } of own) {
      const { result, error } = await server.ask('tools/call', { name: tool, arguments: args });
      const answer = JSON.stringify(result ?? error);
      if (answer.includes('Correct the arguments'))
        found.push(`${policy} ${tool} ${JSON.stringify(args).slice(0, 200)}\n    ${answer}`);
      else if (policy === 'closed' && !answer.includes('"done"')) found.push(`${policy} ${tool} is not sent: ${answer}`);
    }
    server.end();
  }
  return found;
}

/** A session with a server behind clawai. */
async function open(key, { policy, command, env = {} }) {
  // Each has its own state: a tool of the same name is another one elsewhere.
  const home = mkdtempSync(join(folder, 'home', `${key}-`));
  const proxy = [BIN, 'proxy', '--server', key, '--policy', join(folder, `${policy}.toml`), '--', ...command];
  const child = spawn(process.execPath, proxy, {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method !== undefined && message.id !== undefined) send({ id: message.id, result: { roots: [] } });
    else waiting.get(message.id)?.(message);
  });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  child.stdin.on('error', () => {
    // The server has ended, and the question gets no answer.
  });
  let id = 0;
  const ask = (method, params) =>
    new Promise((done) => {
      const own = ++id;
      const late = setTimeout(() => done({}), ANSWERING);
      waiting.set(own, (answer) => (clearTimeout(late), done(answer)));
      send({ id: own, method, params });
    });
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'honest', version: '1' } });
  send({ method: 'notifications/initialized' });
  return { ask, end: () => child.kill('SIGTERM') };
}

/** Before a server's command: takes the network from it, where that works. */
function alone() {
  const words = ['unshare', '--user', '--map-root-user', '--net', '--'];
  return spawnSync(words[0], [...words.slice(1), 'true']).status === 0 ? words : [];
}
