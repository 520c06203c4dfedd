import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { ClawaiError } from '../../errors.ts';
import type { StartedProgram } from '../../host/start-program.ts';

/** A server that runs as our child process. */
export interface ServerProcess {
  /** It may become another one while the server runs, between two lines. */
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Null if it shares our stderr, so that its output passes through untouched. */
  readonly stderr: Readable | null;
  /** Resolves with the exit code when the process has ended; rejects with a ClawaiError if it could not be started. */
  readonly exited: Promise<number>;
  /** Sends a signal to the process and its descendants. Does nothing once all are gone. */
  signal(signal: NodeJS.Signals): void;
  /** Tells whether the process or any descendant still runs. On Windows only the process itself is known. */
  isThere(): boolean;
  /** Detaches from it, so that we can exit even if it still runs. */
  release(): void;
}

/** A terminal sends these to its whole process group, including the agent, which may handle them itself. We stay until it has ended. */
const OUTLIVED: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];
/** These come to us alone, when somebody ends the process that they started. */
const PASSED_ON: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP'];

/**
 * Runs an agent as a shell would: in our process group, so that it owns the terminal, and with our three streams, which nobody else uses
 * meanwhile.
 *
 * @returns its exit code, or 128 plus the number of the signal that ended it
 * @throws ClawaiError `command_*` if it could not be started
 */
export async function runAgent(
  [command, ...args]: readonly [string, ...string[]],
  env: Readonly<NodeJS.ProcessEnv>,
): Promise<number> {
  let child: StartedProgram | undefined;
  const outlive = (): void => {};
  const passOn = (signal: NodeJS.Signals): void => void child?.kill(signal);
  // The handlers come before the agent, or an early signal would end us and not it.
  for (const signal of OUTLIVED) process.on(signal, outlive);
  for (const signal of PASSED_ON) process.on(signal, passOn);
  try {
    const { startProgram } = await import('../../host/start-program.ts');
    child = startProgram(command, args, { env, stdio: 'inherit' });
    const { code, signal, cause } = await child.ended;
    if (code === undefined && signal === undefined) throw startError(command, cause);
    return code ?? 128 + (signal === undefined ? 0 : constants.signals[signal]);
  } finally {
    for (const signal of OUTLIVED) process.off(signal, outlive);
    for (const signal of PASSED_ON) process.off(signal, passOn);
  }
}

/** The folder and the whole environment of a server; those of this process by default. */
export interface StartPlace {
  readonly cwd?: string;
  readonly env?: Readonly<NodeJS.ProcessEnv>;
}

/**
 * Starts a server with piped stdin and stdout, and optionally stderr.
 *
 * It gets its own process group, so that signals reach the descendants of wrappers like `npx`. Not on Windows, where that would open a
 * console window.
 */
export function startServer(
  command: string,
  args: readonly string[],
  stderr: 'inherit' | 'pipe' = 'inherit',
  place: StartPlace = {},
): ServerProcess {
  const isWindows = process.platform === 'win32';
  const child: ChildProcess = spawn(command, args, {
    stdio: ['pipe', 'pipe', stderr],
    detached: !isWindows,
    windowsHide: true,
    ...place,
  });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('a pipe that was asked for is missing');
  // Writes to a dead server fail; its exit is what counts.
  stdin.on('error', () => {});
  return {
    stdin,
    stdout,
    stderr: child.stderr,
    exited: exitOf(child, command),
    signal: (signal) => void signalGroup(child, signal, isWindows),
    isThere: () => (isWindows ? child.exitCode === null && child.signalCode === null : signalGroup(child, 0, isWindows)),
    release: () => {
      stdin.destroy();
      stdout.destroy();
      child.stderr?.destroy();
      child.unref();
    },
  };
}

/**
 * Returns the exit code of a just started process; if a signal ended it, 128 plus the signal's number, as in shells. Rejects with a
 * ClawaiError `command_*` if it could not be started.
 */
function exitOf(child: ChildProcess, command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) reject(startError(command, error));
    });
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

/** Signals the group, and returns whether anybody received it; signal 0 only checks. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0, isWindows: boolean): boolean {
  if (child.pid === undefined) return false;
  try {
    return isWindows ? child.kill(signal) : process.kill(-child.pid, signal);
  } catch {
    // ESRCH: nobody of the group is left, which is what signals aim for.
    return false;
  }
}

/** Says why a command could not be started. @param cause the system's error */
function startError(command: string, cause: unknown): ClawaiError {
  const error: NodeJS.ErrnoException = cause instanceof Error ? cause : new Error(String(cause));
  if (error.code === 'EACCES') {
    return new ClawaiError(`cannot start ${JSON.stringify(command)}: it is not executable`, {
      code: 'command_not_executable',
      hint: 'check the path after `--`, and the permissions of the file (chmod +x)',
      cause: error,
    });
  }
  if (error.code === 'ENOENT') {
    const isThere = /[\\/]/.test(command) && existsSync(command);
    return new ClawaiError(
      isThere
        ? `cannot start ${JSON.stringify(command)}: the interpreter that its first line names does not exist`
        : `cannot start ${JSON.stringify(command)}: there is no such command`,
      {
        code: 'command_not_found',
        hint: 'check the command after `--`; desktop apps have a shorter PATH than your shell',
        cause: error,
      },
    );
  }
  return new ClawaiError(`cannot start ${JSON.stringify(command)}: ${error.message}`, { code: 'command_failed', cause: error });
}
