// Runs real clients with `clawai hook` as their hook: what the policy allows must be run once, and what it denies must not be, and neither
// must any call whose hook fails: clawai is missing, crashes or is killed, its policy is broken, its store is locked, nobody answers in time.
// Without clawai's care, nearly each of these lets the call run. The models are mocks on this machine. Not part of the tests, since it
// downloads the clients from npm (some 800 MB) into a temporary folder:
//
//   node test/e2e/real-hooks.mjs [CLIENT…] [--installed FOLDER] [--only CASE]
//
// No login is needed. Where `unshare` works (root on Linux), the clients run without a network. Exit code: 0 as it should be, 1 not, 2 not tried.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BIN, createRoom, say } from '../support/real-agent.mjs';
import { HOOKED_CLIENTS } from '../support/hooked-clients.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { installed: { type: 'string' }, only: { type: 'string' }, verbose: { type: 'boolean' } },
});

const NODE = process.execPath;
const ROOT = resolve(dirname(BIN), '..');
/** Seconds that the clients wait for a hook whose limit is tried. */
const SHORT = 6;

/** In a network of its own, where there is nothing but this machine: the mock, and then the client. */
const SCENE = `
[ "$ALONE" = 1 ] && { ip link set lo up || ifconfig lo up; }
"$NODE" "$MOCK" "$PLAN" "$LOG" > "$FOLDER/port" &
mock=$!
for i in $(seq 100); do [ -s "$FOLDER/port" ] && break; sleep 0.05; done
if [ -n "$SERVE" ]; then
  sh -c "exec $SERVE" > "$FOLDER/serve" &
  serve=$!
  for i in $(seq 100); do [ -s "$FOLDER/serve" ] && break; sleep 0.05; done
  url="$("$NODE" -p 'JSON.parse(require("fs").readFileSync(process.env.FOLDER + "/serve", "utf8")).hooks[0].url')"
  sed -i "s|HOOK_URL|$url|" "$SETTINGS"
  [ "$GONE" = 1 ] && kill $serve && wait $serve
fi
PORT="$(cat "$FOLDER/port")" sh -c "$START"
code=$?
kill $mock $serve 2> /dev/null
exit $code
`;

/** A hook's command as it has to be installed: what is neither 0 nor 2 becomes a denial with a text. */
const guarded = (command) =>
  `${command}; c=$?; if [ $c -ne 0 ] && [ $c -ne 2 ]; then echo "clawai denied this call, because it did not run." >&2; c=2; fi; exit $c`;

const policyOf = (action, more = '') =>
  `[defaults]\naction = "allow"\nunmapped_tool = "allow"\n${more}[[rule]]\nid = "marks"\naction = "${action}"\nserver = "native"\ntool = "**"\nargs."**" = "**marker**"\n`;

/** The cases: the hook's command, and whether the call may run. */
function casesOf({ id }, { folder }) {
  const clawai = (policy, { bin = BIN, more = '' } = {}) =>
    `"${NODE}" "${bin}" hook ${id} --policy "${join(folder, policy)}"${more}`;
  writeFileSync(join(folder, 'allowed.toml'), policyOf('allow'));
  writeFileSync(join(folder, 'denied.toml'), policyOf('deny'));
  writeFileSync(join(folder, 'asking.toml'), policyOf('prompt', '[approval]\nchannels = ["terminal"]\ntimeout = "1h"\n'));
  writeFileSync(join(folder, 'broken.toml'), '[[rule]\n');
  writeFileSync(join(folder, 'crash.cjs'), 'setTimeout(() => { throw new Error("a bug"); }, 1);');
  const unbuilt = join(folder, 'unbuilt');
  cpSync(join(ROOT, 'bin'), join(unbuilt, 'bin'), { recursive: true });
  const serve = (policy) => `"${NODE}" "${BIN}" serve --listen 127.0.0.1:0 --json --policy "${join(folder, policy)}"`;
  const overHttp = {
    'allowed over HTTP': { serve: serve('allowed.toml'), url: 'HOOK_URL', runs: true },
    'denied over HTTP': { serve: serve('denied.toml'), url: 'HOOK_URL', told: 'clawai denied' },
    'nobody serves': { serve: serve('allowed.toml'), url: 'HOOK_URL', isGone: true },
    'another secret': { serve: serve('allowed.toml'), url: 'HOOK_URLx', told: 'outdated' },
  };
  return {
    'no hook': { runs: true },
    allowed: { command: guarded(clawai('allowed.toml')), runs: true },
    denied: { command: guarded(clawai('denied.toml')), told: 'clawai denied' },
    'broken policy': { command: guarded(clawai('broken.toml')) },
    'missing policy': { command: guarded(clawai('none.toml')) },
    'locked store': { command: guarded(clawai('allowed.toml')), isLocked: true },
    'nobody answers': { command: guarded(clawai('asking.toml', { more: ` --timeout ${SHORT}` })), seconds: SHORT },
    'a crash': { command: guarded(`NODE_OPTIONS="--require ${join(folder, 'crash.cjs')}" ${clawai('allowed.toml')}`) },
    'not built': { command: guarded(clawai('allowed.toml', { bin: join(unbuilt, 'bin', 'clawai.mjs') })) },
    'missing clawai': { command: guarded('/nowhere/clawai hook') },
    'killed by a signal': { command: guarded(`sh -c 'kill -9 $$'`) },
    'broken input': { command: guarded(`printf '{' | ${clawai('allowed.toml')}`) },
    'no input': { command: guarded(`${clawai('allowed.toml')} < /dev/null`) },
    ...(id === 'claude-code' ? overHttp : {}),
  };
}

async function play(client, room, { name, command, url, serve = '', isGone, seconds, isLocked }) {
  const { folder, home, project, env, run } = room;
  const id = name.replaceAll(' ', '-');
  const [marker, log] = [join(project, `marker-${id}`), join(folder, `log-${id}`)];
  for (const file of ['port', 'serve']) rmSync(join(folder, file), { force: true });
  client.configure({ home, project }, (command ?? url) === undefined ? undefined : { command, url, seconds: seconds ?? 30 });
  const holder = isLocked ? await holdStore(room) : undefined;
  const more = {
    NODE,
    FOLDER: folder,
    MOCK: join(folder, 'mock.mjs'),
    PLAN: JSON.stringify(client.plan(marker)),
    LOG: log,
    START: client.start,
    SERVE: serve,
    SETTINGS: client.settings === undefined ? '' : join(home, client.settings),
    GONE: isGone ? '1' : '0',
    CLI: room.cli,
    ALONE: room.isAlone ? '1' : '0',
    ...client.env,
  };
  const ended = run([...(room.isAlone ? ['unshare', '-n'] : []), 'sh', '-c', SCENE], { env: { ...env, ...more } });
  holder?.kill();
  const asked = existsSync(log) ? readFileSync(log, 'utf8') : '';
  return { ...ended, executed: existsSync(marker) ? readFileSync(marker, 'utf8') : '', asked };
}

/** Another process has the store, and does not give it back. */
async function holdStore({ folder, home }) {
  const file = join(home, '.local', 'state', 'clawai', 'clawai.db');
  const script = `const { DatabaseSync } = require('node:sqlite'); new DatabaseSync(${JSON.stringify(file)}).exec('BEGIN IMMEDIATE'); console.log('held'); setInterval(() => {}, 1000);`;
  const holder = spawn(NODE, ['-e', script], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((held) => holder.stdout.once('data', held));
  return holder;
}

async function tryClient(client) {
  const room = createRoom(`hooks-${client.id}`, client.env);
  const { folder, run } = room;
  try {
    const place = values.installed === undefined ? folder : resolve(values.installed, client.id);
    if (values.installed === undefined) {
      say(`installing ${client.package} …`);
      run(['npm', 'install', '--no-audit', '--no-fund', '--prefix', folder, client.package], {
        env: { ...process.env, HOME: homedir() },
        cwd: folder,
        timeout: 600_000,
      });
    }
    room.cli = join(place, 'node_modules', '.bin', client.command);
    const version = run([room.cli, '--version']);
    if (version.status !== 0) {
      say(`${client.id}: not tried: ${version.text.slice(-500)}`);
      return 'untried';
    }
    room.isAlone = run(['unshare', '-n', 'sh', '-c', 'ip link set lo up || ifconfig lo up']).status === 0;
    say(`${client.id}: ${version.stdout.trim()}${room.isAlone ? ', without a network' : ''}`);
    writeFileSync(join(folder, 'mock.mjs'), client.mock);
    mkdirSync(join(room.home, '.cache'), { recursive: true });
    let isRight = true;
    for (const [name, one] of Object.entries(casesOf(client, room))) {
      if (values.only !== undefined && values.only !== name && name !== 'no hook') continue;
      const { status, executed, asked, text } = await play(client, room, { name, ...one });
      if (name === 'no hook' && executed !== 'once\n') {
        say(`${client.id}: not tried: it does not run what the mock calls (code ${status}): ${text.slice(-2000)}`);
        return 'untried';
      }
      const isTold = one.told === undefined || asked.includes(one.told);
      const holds = executed === (one.runs === true ? 'once\n' : '') && isTold;
      isRight &&= holds;
      say(
        `${holds ? 'ok    ' : 'NOT OK'} ${client.id}, ${name}: ${executed === '' ? 'stopped' : `ran: ${JSON.stringify(executed)}`}, code ${status}`,
      );
      if (!holds || values.verbose) say(`${text.slice(-1500)}\n--- the model was asked\n${client.heard(asked)}`);
    }
    return isRight ? 'right' : 'wrong';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const wanted = HOOKED_CLIENTS.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
const outcomes = [];
for (const client of wanted) outcomes.push(await tryClient(client));
process.exitCode = outcomes.includes('wrong') ? 1 : outcomes.includes('untried') ? 2 : 0;
