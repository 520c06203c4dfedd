import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { AtTerminal, SCRIPT } from '../support/at-terminal.ts';
import { useSandbox } from '../support/attempt.ts';
import { isAlive } from '../support/is-alive.ts';
import type { Ended } from '../support/running.ts';
import { support } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

type CommandLine = [string, ...string[]];

const sandbox = useSandbox();

/** What is said at the end of a run whose agent has asked no model. */
const NONE =
  'clawai: warning: no request to a model passed through clawai: if the agent used a model, its calls were not checked\n';

const isWindows = process.platform === 'win32';

/** Where there is no policy, that is said. */
beforeEach(() => {
  mkdirSync(sandbox.current.path('config/clawai'), { recursive: true });
  sandbox.current.write('config/clawai/policy.toml', '[defaults]\naction = "allow"\n');
});

/** A middleman in front of a server of that name. */
function middleman(server: string, action = 'allow'): CommandLine {
  const { current } = sandbox;
  const policy = current.write(`${action}.toml`, `[defaults]\naction = "${action}"\n`);
  const line = [process.execPath, support('recording-server.mjs'), current.path(server)];
  return current.command('proxy', '--server', server, '--policy', policy, '--', ...line);
}

function agent(servers: readonly CommandLine[], env: 'all' | 'filtered' = 'all'): CommandLine {
  return [process.execPath, support('calling-agent.mjs'), JSON.stringify(servers), env];
}

function shell(command: CommandLine): CommandLine {
  return ['sh', '-c', `${command.map((word) => `'${word}'`).join(' ')}; true`];
}

/** A launcher as package runners are: a process of Node's in between, with pipes of its own. */
function runner(command: CommandLine): CommandLine {
  const file = sandbox.current.path('npx-cli.js');
  const text = `const [command, ...args] = process.argv.slice(2);
    const child = require('node:child_process').spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    process.stdin.pipe(child.stdin);
    child.stdout.pipe(process.stdout);`;
  writeFileSync(file, text);
  return [process.execPath, file, ...command];
}

/** Runs an agent to its end. That middlemen ended could not all be recorded is left out: they end at once, and none waits long for the store. */
async function run(...words: readonly string[]): Promise<Ended> {
  const ended = await sandbox.current.clawai('run', ...words).close();
  const stderr = ended.stderr.replaceAll(/^clawai: could not record \d+ events? other than calls\n/gm, '');
  return { ...ended, stderr };
}

/** For each server that was called, the session that it was called in. */
function sessions(): Record<string, string> {
  return Object.fromEntries(sandbox.current.decided().map((event) => [event['server_id'], event['session_id']]));
}

function registered(): readonly string[] {
  const folder = sandbox.current.path('state/clawai/runs');
  return existsSync(folder) ? readdirSync(folder) : [];
}

describe.skipIf(isWindows)('the session of a run', () => {
  it('is that of all its servers, however they are started, and what happened in it is said at its end', async () => {
    const servers = [middleman('a'), shell(middleman('b')), runner(middleman('c')), middleman('d', 'deny')];
    const { code, stdout, stderr } = await run('--session', 'nightly', '--', ...agent(servers));
    expect([code, stdout]).toEqual([0, '']);
    expect(sessions()).toEqual({ a: 'nightly', b: 'nightly', c: 'nightly', d: 'nightly' });
    expect(stderr).toBe(`${NONE}clawai: session nightly: 4 calls, 1 denied, 0 flow findings; see clawai report nightly\n`);
    expect(registered()).toEqual([]);
  });

  it('is known where the client passes no variable on, and is another in each run', async () => {
    const first = agent([middleman('a'), shell(middleman('b')), runner(middleman('c'))], 'filtered');
    const second = agent([middleman('d'), middleman('e')], 'filtered');
    const ended = await Promise.all([run('--', ...first), run('--', ...second)]);
    const { a, b, c, d, e } = sessions();
    expect([b, c, e]).toEqual([a, a, d]);
    expect(a).not.toBe(d);
    expect(ended.map(({ stderr }) => stderr)).toEqual([
      `${NONE}clawai: session ${a}: 3 calls, 0 denied, 0 flow findings; see clawai report ${a}\n`,
      `${NONE}clawai: session ${d}: 2 calls, 0 denied, 0 flow findings; see clawai report ${d}\n`,
    ]);
    expect([a, d]).toEqual([expect.stringMatching(/^run-[0-9a-f]{8}$/), expect.stringMatching(/^run-[0-9a-f]{8}$/)]);
  });

  it.each(['all', 'filtered'] as const)('of runs inside a run the inner one counts, with variables: %s', async (env) => {
    const inner = sandbox.current.command('run', '--session', 'inner', '--quiet', '--', ...agent([middleman('b')], env));
    const outer = agent([middleman('a'), inner], env);
    const ended = await run('--session', 'outer', '--quiet', '--', ...outer);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(sessions()).toEqual({ a: 'outer', b: 'inner' });
  });

  it('nothing counts of one that was killed', async () => {
    const { current } = sandbox;
    // Its input says when to go on; the middleman is started without the variable.
    const waiting = ['sh', '-c', `echo $$; read go; "$@"; echo done`, 'sh', ...agent([middleman('a')], 'filtered')];
    const running = current.clawai('run', '--session', 'killed', '--', ...waiting);
    await running.lines(1);
    expect(registered()).toHaveLength(1);
    running.kill('SIGKILL');
    while (isAlive(running.pid)) await setTimeout(5);
    running.send('go\n');
    await running.ended;
    expect(sessions()).toEqual({ a: expect.stringMatching(/^s-[0-9a-f]{16}$/) });
    await run('--', 'true');
    expect(registered()).toEqual([]);
  });

  it('has asked no model, which is said, and not with --quiet', async () => {
    expect(await run('--', 'true')).toMatchObject({ code: 0, stderr: NONE });
    expect((await run('--no-llm', '--', 'true')).stderr).toBe(
      'clawai: clawai checked no request to the model: that check was off\n',
    );
    expect(await run('--quiet', '--', ...agent([middleman('a')]))).toMatchObject({ code: 0, stderr: '' });
    expect(Object.values(sessions())).toEqual([expect.stringMatching(/^run-/)]);
  });

  it('a name that was used before counts what is new', async () => {
    for (let times = 0; times < 2; times++) {
      const { stderr } = await run('--session', 'again', '--', ...agent([middleman('a')]));
      expect(stderr).toContain('session again: 1 call, 0 denied');
    }
  });

  it('where the run cannot be registered, the agent runs all the same', async () => {
    const { current } = sandbox;
    current.write('config.toml', `state_dir = "${current.write('file', '')}/state"\n`);
    const { code, stdout, stderr } = await run('--config', current.path('config.toml'), '--', 'sh', '-c', 'echo $CLAWAI_SESSION');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^run-/)]);
    expect(stderr).toMatch(/^clawai: this run is not registered \(ENOTDIR/);
  });
});

describe.skipIf(isWindows)('the agent of a run', () => {
  it.each([
    ['exit 7', 7],
    ['kill -TERM $$', 143],
    ['kill -USR1 $$', 138],
  ])('ends it: %s', async (script, code) => {
    expect(await run('--', 'sh', '-c', script)).toMatchObject({ code, signal: null, stderr: NONE });
  });

  it('has our streams, and all words behind --', async () => {
    const running = sandbox.current.clawai('run', '--', 'sh', '-c', 'cat; echo "$@" >&2; echo $CLAWAI_SESSION', 'sh', '--', '-h');
    running.send('in\n');
    const { stdout, stderr } = await running.close();
    expect(stdout).toMatch(/^in\nrun-[0-9a-f]{8}\n$/);
    expect(stderr).toBe(`-- -h\n${NONE}`);
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)('gets %s from us', async (signal) => {
    const script = `trap 'echo ${signal}; exit 3' ${signal.slice(3)}; echo ready; for i in $(seq 500); do sleep 0.02; done`;
    const running = sandbox.current.clawai('run', '--', 'sh', '-c', script);
    await running.lines(1);
    running.kill(signal);
    expect(await running.ended).toMatchObject({ code: 3, stdout: `ready\n${signal}\n` });
  });

  it.each(['SIGINT', 'SIGQUIT'] as const)('gets %s from the terminal, and we wait for it', async (signal) => {
    const running = sandbox.current.clawai('run', '--', 'sh', '-c', 'echo ready; read go; exit 4');
    await running.lines(1);
    running.kill(signal);
    await setTimeout(100);
    expect(running.hasEnded).toBe(false);
    running.send('go\n');
    expect(await running.ended).toMatchObject({ code: 4, signal: null });
  });

  it('that cannot be started is said, with exit code 2, and nothing stays registered', async () => {
    const missing = await run('--', 'no-such-agent');
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('"no-such-agent": there is no such command') });
    const file = sandbox.current.write('agent', 'x', 0o644);
    expect(await run('--', file)).toMatchObject({ code: 2, stderr: expect.stringContaining('it is not executable') });
    expect(registered()).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux' && existsSync(SCRIPT))('at a terminal', () => {
  /** A shell script that runs this as an agent, and says with which code that ended. */
  function script(text: string, before = ''): string {
    const { current } = sandbox;
    const words = current.command('run', '--', 'sh', current.write('agent', text)).map((word) => `'${word}'`);
    return current.write('script', `${before}\n${words.join(' ')}\necho "code $?"\n`);
  }

  it('the agent has it for its own, is interrupted by its keys, and we stay', async () => {
    const text = `trap 'echo interrupted' INT; test -t 0 && test -t 1 && test -t 2 && stty size; read a; read b; echo "got $b"; exit 5`;
    const file = script(text, 'trap : INT');
    const terminal = new AtTerminal(sandbox.current, [], { columns: 90, rows: 30, shell: `sh ${file}` });
    await terminal.shows('30 90');
    terminal.send('\u0003');
    await terminal.shows('interrupted');
    terminal.send('one\ntwo\n');
    await terminal.shows('code 5');
    expect(terminal.text).toMatch(/got (?:one|two)/);
    await terminal.ended;
  });

  it('a stopped run goes on with its agent', async () => {
    const file = script('echo "ready $$."; read a; echo "got $a"');
    // A shell with jobs, as people have it.
    const terminal = new AtTerminal(sandbox.current, [], { shell: 'sh -i' });
    terminal.send(`sh ${file}\n`);
    await terminal.shows(/ready \d+\./);
    const [, agentPid = ''] = /ready (\d+)\./.exec(terminal.text) ?? [];
    terminal.send('\u001a');
    await terminal.shows(/Stopped/);
    // One that is about to stop, and waits for a letter, still gets the next that is typed.
    await until('the agent to stop', () => readFileSync(`/proc/${agentPid}/stat`, 'latin1').includes(') T '));
    terminal.send('fg\n');
    await until('the agent to go on', () => !readFileSync(`/proc/${agentPid}/stat`, 'latin1').includes(') T '));
    terminal.send('word\n');
    await terminal.shows('code 0');
    expect(terminal.text).toContain('got word');
    terminal.send('exit\n');
    await terminal.ended;
  });
});

describe('the command line', () => {
  it.each([
    [['run'], '-- AGENT [ARG…] is missing'],
    [['run', '--'], 'there is no command after --'],
    [['run', 'claude'], "the agent's command goes after --: clawai run -- claude …"],
    [['run', '--session', 'a b', '--', 'x'], '--session: a session name has 1 to 128 letters'],
    [['run', '--sesion', 'a', '--', 'x'], 'did you mean --session?'],
  ])('%j', async (words, message) => {
    const ended = await sandbox.current.clawai(...words).close();
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });
});
