import { existsSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { findAgent } from '../../src/session/find-agent.ts';
import { readLinuxProcess } from '../../src/session/processes.ts';
import { Running } from './running.ts';
import type { Sandbox } from './sandbox.ts';

/** Runs a command in a terminal of its own; the one of util-linux, since others take other flags. */
export const SCRIPT = '/usr/bin/script';

/** Is there a way to sit a test down at a terminal? Not where the test itself was started by an agent, to whom clawai doesn't listen. */
export const HAS_TERMINAL: boolean =
  process.platform === 'linux' && existsSync(SCRIPT) && findAgent(process.ppid, readLinuxProcess) === undefined;

let last = 0;

/** A person at a terminal: what is sent are keys, what is printed is what stands on the screen. */
export class AtTerminal extends Running {
  readonly #device: string;
  readonly #pid: string;

  /** @param command a shell's command line; without any, clawai's words */
  constructor(sandbox: Sandbox, words: readonly string[], { columns = 80, rows = 24, shell = '' } = {}) {
    last += 1;
    const device = sandbox.path(`tty-${last}`);
    const pid = sandbox.path(`pid-${last}`);
    const command =
      shell === ''
        ? sandbox
            .command(...words)
            .map(quote)
            .join(' ')
        : shell;
    const run = `sh -c 'echo $$ > "$0"; exec "$@"' ${quote(pid)} ${command}`;
    const line = `tty > ${quote(device)}; stty cols ${columns} rows ${rows}; ${run}; code=$?; stty -a | grep -c ' icanon' ; exit $code`;
    super([SCRIPT, '-qec', line, '/dev/null'], {
      env: { ...sandbox.env, TERM: 'xterm', SHELL: '/bin/sh' },
      cwd: sandbox.folder,
    });
    this.#device = device;
    this.#pid = pid;
  }

  /** All that was shown so far, without what moves and colours. */
  get text(): string {
    // eslint-disable-next-line no-control-regex
    return this.stdout.toString().replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, '');
  }

  /** Resolves when a text has been shown. */
  shows(text: string | RegExp): Promise<void> {
    return this.until(() => (typeof text === 'string' ? this.text.includes(text) : text.test(this.text)));
  }

  /** Sends a signal to the command itself. */
  signal(name: NodeJS.Signals): void {
    process.kill(Number(readFileSync(this.#pid, 'utf8')), name);
  }

  resize(columns: number, rows: number): void {
    const device = readFileSync(this.#device, 'utf8').trim();
    spawnSync('stty', ['-F', device, 'cols', String(columns), 'rows', String(rows)]);
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
