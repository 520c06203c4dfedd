// Holds logins by clawai against the real Claude Code, over streamable HTTP and HTTP+SSE: it must hear what to do before a login, reach its servers
// after it, and have its entries and its own stored logins back after `unwrap`. Not part of the tests, since Claude Code comes from npm:
//
//   node test/e2e/real-login.mjs FOLDER
//
// FOLDER has Claude Code in `node_modules` (`npm install --prefix FOLDER @anthropic-ai/claude-code`). All servers are on this machine, and no
// model is needed. Needs a terminal of its own for `unwrap` (`script`). Exit code: 0 as it should be, 1 not.
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startEverything } from '../support/http-server.ts';
import { logInAt, OAuthWorld } from '../support/oauth-world.ts';
import { runAtTerminal } from '../support/run-at-terminal.ts';
import { Running } from '../support/running.ts';
import { Sandbox } from '../support/sandbox.ts';
import { Serving } from '../support/serving.ts';

const CONFIG = '[login]\nkeychain = false\n';
const QUIET = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1' };
const PAGE = /^http\S+$/m;

const program = resolve(process.argv[2] ?? '', 'node_modules', '.bin', 'claude');
if (!existsSync(program)) throw new Error(`there is no Claude Code at ${program}`);
const sandbox = new Sandbox();
const say = (text) => process.stdout.write(`${text}\n`);
let failures = 0;

function check(what, isRight, shown) {
  say(`${isRight ? 'ok    ' : 'NOT OK'}  ${what}`);
  if (isRight) return;
  failures += 1;
  say(String(shown).replaceAll(/^/gm, '          '));
}

async function claude(...args) {
  const { stdout, stderr } = await new Running([program, ...args], {
    env: { ...sandbox.env, ...QUIET },
    cwd: sandbox.folder,
  }).close();
  return `${stdout}${stderr}`;
}

const clawai = (...args) => sandbox.clawai(...args).close();
const entries = () => JSON.parse(sandbox.read('home/.claude.json').toString()).mcpServers;
const stored = () => readFileSync(join(sandbox.home, '.claude', '.credentials.json'), 'utf8');
const both = (text, state) => ['docs', 'wiki'].every((name) => new RegExp(`^${name}: .* ${state}$`, 'm').test(text));

const worlds = { docs: await OAuthWorld.start(), wiki: await OAuthWorld.start() };
const behind = [await startEverything(sandbox), await startEverything(sandbox, 'sse')];
[worlds.docs.behind, worlds.wiki.behind] = behind.map(({ url }) => url);
mkdirSync(sandbox.path('config/clawai'), { recursive: true });
sandbox.write('config/clawai/config.toml', CONFIG);
const serving = await Serving.start(sandbox, { config: CONFIG });

for (const [name, transport] of [
  ['docs', 'http'],
  ['wiki', 'sse'],
])
  await claude('mcp', 'add', '--scope', 'user', '--transport', transport, name, worlds[name].url);
const before = await claude('mcp', 'list');
check('both servers want a login', both(before, 'Needs authentication'), before);
const [own, logins] = [entries(), stored()];

const wrapped = await clawai('wrap', '--all', '--login');
check('both are wrapped', /wrapped +docs[^]*wrapped +wiki/.test(wrapped.stdout), wrapped.stdout);
const without = await claude('mcp', 'list');
const logs = globSync(join(sandbox.folder, '**', 'mcp-logs-*', '*.jsonl')).map((file) => readFileSync(file, 'utf8'));
check('neither can be reached yet, and no login of its own begins', both(without, 'Failed to connect'), without);
for (const name of Object.keys(worlds))
  check(
    `it is told what to do for ${name}`,
    logs.some((text) => text.includes(`run \`clawai login ${name}\``)),
    logs.join('\n'),
  );

for (const name of Object.keys(worlds)) {
  const running = sandbox.clawai('login', name, '--no-browser');
  await running.until(() => PAGE.test(running.stdout.toString()));
  await (await fetch(await logInAt(PAGE.exec(running.stdout.toString())[0]))).text();
  const { code, stderr } = await running.ended;
  check(`a person logs in to ${name}`, code === 0, stderr);
}
const after = await claude('mcp', 'list');
check('both are reached', both(after, 'Connected'), after);

const unwrapped = await runAtTerminal(sandbox, ['unwrap', '--all']);
check('its entries are its own again', JSON.stringify(entries()) === JSON.stringify(own), unwrapped.stdout);
check('its stored logins are untouched', stored() === logins, stored());
const last = await claude('mcp', 'list');
check('both want its own login again', both(last, 'Needs authentication'), last);

await serving.stop();
for (const server of [...behind, ...Object.values(worlds)]) await server.stop();
sandbox.remove();
process.exitCode = failures === 0 ? 0 : 1;
