import { symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSession } from '../../src/session/session.ts';
import { Running } from '../support/running.ts';
import { Sandbox, support } from '../support/sandbox.ts';

type CommandLine = [string, ...string[]];

const NODE = [process.execPath, '--disable-warning=ExperimentalWarning'] as const;
const PRINTER: CommandLine = [...NODE, support('session-printer.mjs')];
const ANONYMOUS = /^s-[0-9a-f]{16}$/;

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

/** What middlemen print that one run of a client started by these command lines. */
async function clientRun(...commands: readonly CommandLine[]): Promise<string[]> {
  return outputOf([...NODE, support('session-client.mjs'), JSON.stringify(commands)]);
}

async function outputOf(command: CommandLine, env = sandbox.env): Promise<string[]> {
  const { stdout, stderr } = await new Running(command, { env, cwd: sandbox.folder }).close();
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

/** Writes a Node program that starts the command in its arguments; `stdin` is the child's. */
function wrapper(name: string, stdin: 'inherit' | 'pipe'): CommandLine {
  const file = sandbox.path(name);
  const stdio = JSON.stringify([stdin, 'inherit', 'inherit']);
  const lines = [
    `const [command, ...args] = process.argv.slice(2);`,
    `require('node:child_process').spawn(command, args, { stdio: ${stdio} });`,
  ];
  writeFileSync(file, lines.join('\n'));
  return [process.execPath, file];
}

function quoted(command: CommandLine): string {
  return command.map((word) => `'${word}'`).join(' ');
}

const runs = '/nowhere/runs';

describe('CLAWAI_SESSION', () => {
  const warn = (line: string): never => {
    throw new Error(line);
  };

  it.each(['run-7', 'a', 'A.b_c:d-9', 'x'.repeat(128)])('%s names the session', (name) => {
    const session = createSession({ env: { CLAWAI_SESSION: name }, runs, warn });
    expect([session.id(), session.isGiven()]).toEqual([name, true]);
  });

  it.each(['', undefined])('%j is none', (name) => {
    const session = createSession({ env: { CLAWAI_SESSION: name }, runs, warn });
    expect([session.id(), session.isGiven()]).toEqual([expect.stringMatching(ANONYMOUS), false]);
  });

  it.each(['a b', '../x', 'x\n', 'ü', 'x'.repeat(129), '"'])('%j is ignored, and that is said once', (name) => {
    const said: string[] = [];
    const session = createSession({ env: { CLAWAI_SESSION: name }, runs, warn: (line) => said.push(line) });
    expect(said).toEqual([]);
    expect(session.id()).toMatch(ANONYMOUS);
    expect(session.id()).toBe(session.id());
    expect(said).toEqual([expect.stringMatching(/^CLAWAI_SESSION is ignored: /)]);
  });
});

describe('middlemen', () => {
  it('of one run of a client agree, those of another do not', async () => {
    const [first, second] = await Promise.all([clientRun(PRINTER, PRINTER, PRINTER), clientRun(PRINTER, PRINTER)]);
    expect([first.length, second.length]).toEqual([3, 2]);
    expect(new Set(first).size).toBe(1);
    expect(new Set(second).size).toBe(1);
    expect(new Set([...first, ...second]).size).toBe(2);
    expect(first[0]).toMatch(ANONYMOUS);
  });

  it.skipIf(process.platform === 'win32')('agree through shells and package runners', async () => {
    const shell: CommandLine = ['sh', '-c', `${quoted(PRINTER)}; true`];
    const runner: CommandLine = [...wrapper('npx-cli.js', 'pipe'), ...PRINTER];
    const nested: CommandLine = [...wrapper('npm-cli.js', 'pipe'), ...shell];
    const sessions = await clientRun(PRINTER, shell, runner, nested);
    expect(sessions).toHaveLength(4);
    expect(new Set(sessions).size).toBe(1);
  });

  it.skipIf(process.platform !== 'linux')('agree through a wrapper of any name that hands its own input on', async () => {
    const sessions = await clientRun(PRINTER, [...wrapper('start-it.js', 'inherit'), ...PRINTER]);
    expect(sessions).toHaveLength(2);
    expect(new Set(sessions).size).toBe(1);
  });

  it('of clients inside a client belong to the inner one', async () => {
    const inner: CommandLine = [...NODE, support('session-client.mjs'), JSON.stringify([PRINTER, PRINTER])];
    const sessions = await clientRun(PRINTER, inner, inner);
    expect(sessions).toHaveLength(5);
    expect(new Set(sessions).size).toBe(3);
  });

  it.skipIf(process.platform !== 'linux')('see the client whatever it is called', async () => {
    const client = sandbox.path('weird) name (x 1 2 3');
    symlinkSync('/bin/sh', client);
    const script = sandbox.write('script', `${quoted(PRINTER)}\n${quoted(PRINTER)}\ntrue\n`);
    // Its input is no pipe that it could have handed on, so only its name can tell what it is.
    const run: CommandLine = ['sh', '-c', `${quoted([client, script])} </dev/null; true`];
    const [first, second] = [await outputOf(run), await outputOf(run)];
    expect([first.length, second.length]).toEqual([2, 2]);
    expect([first[0], second[0]]).toEqual([first[1], second[1]]);
    expect(first[0]).not.toBe(second[0]);
  });

  it.skipIf(process.platform === 'win32')('that nobody owns any more agree with nobody', async () => {
    const orphan = `${quoted(PRINTER)} $$ &`;
    const orphans: CommandLine = ['sh', '-c', `${orphan} ${orphan}`];
    const sessions = await outputOf(orphans);
    expect(sessions).toEqual([expect.stringMatching(ANONYMOUS), expect.stringMatching(ANONYMOUS)]);
    expect(sessions[0]).not.toBe(sessions[1]);
  });
});

describe('a client that tells its session', () => {
  const ID = '6f1c2b1e-1111-4222-8333-944445555666';

  /** A client of that name, which starts these command lines as its servers. */
  function clientCalled(name: string): CommandLine {
    const client = sandbox.path(name);
    symlinkSync('/bin/sh', client);
    return [client, sandbox.write(`${name}-servers`, `${quoted(PRINTER)}\n${quoted(['sh', '-c', quoted(PRINTER)])}\ntrue\n`)];
  }

  it.skipIf(process.platform === 'win32')('is believed, by each of its middlemen', async () => {
    const sessions = await outputOf(clientCalled('claude'), { ...sandbox.env, CLAUDE_CODE_SESSION_ID: ID });
    expect(sessions).toEqual([`claude-${ID}`, `claude-${ID}`]);
  });

  it.skipIf(process.platform === 'win32')('and what another agent inherits of it is not', async () => {
    const env = { ...sandbox.env, CLAUDE_CODE_SESSION_ID: ID };
    const codex = clientCalled('codex');
    const claude: CommandLine = [
      clientCalled('claude')[0],
      sandbox.write('script', `${quoted(codex)}\n${quoted(codex)}\ntrue\n`),
    ];
    // Not an input that they share, by which they would be known to be launchers.
    const sessions = await outputOf(['sh', '-c', `${quoted(claude)} </dev/null; true`], env);
    expect(sessions).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(ANONYMOUS)));
    // Two runs of it, and two middlemen of each.
    expect([sessions[0], sessions[2]]).toEqual([sessions[1], sessions[3]]);
    expect(sessions[0]).not.toBe(sessions[2]);
  });
});

describe('a session that was idle', () => {
  const warn = (): void => {};

  it('goes on under the name that the log has for it now', () => {
    const { id, follow } = createSession({ env: {}, runs, warn });
    const name = id();
    const asked: string[] = [];
    follow((given) => {
      asked.push(given);
      return `${given}.2`;
    });
    expect(id()).toBe(`${name}.2`);
    follow((given) => {
      asked.push(given);
      return `${given}.3`;
    });
    expect(id()).toBe(`${name}.3`);
    // Always by the name that was found, or there would be `s-1.2.3`.
    expect(asked).toEqual([name, name]);
  });

  it('is as it was where the log fails', () => {
    const { id, follow } = createSession({ env: {}, runs, warn });
    const name = id();
    const fail = (): never => {
      throw new Error('full');
    };
    expect(() => follow(fail)).toThrow('full');
    expect(id()).toBe(name);
  });

  it('keeps the name that CLAWAI_SESSION gave it', () => {
    const { id, follow } = createSession({ env: { CLAWAI_SESSION: 'run-7' }, runs, warn });
    follow(() => 'another');
    expect(id()).toBe('run-7');
  });
});
