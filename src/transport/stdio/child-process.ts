import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { ClawaiError } from '../../errors.ts';
import type { StartedProgram } from '../../host/start-program.ts';

/** A server that runs as our child. */
export interface ServerProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Null where its stderr is ours, so that what it prints there passes through untouched. */
  readonly stderr: Readable | null;
  /** Resolves with the exit code when the process has ended; rejects with a ClawaiError if it could not be started. */
  readonly exited: Promise<number>;
  /** Sends a signal to the process and everything it started. Does nothing once all are gone. */
  signal(signal: NodeJS.Signals): void;
  /** Is the process, or anything that it started, still there? On Windows only the process itself is known. */
  isThere(): boolean;
  /** Lets go of it, so that we can end although it may not have. */
  release(): void;
}

/** A terminal sends these to all that run in it, the agent too, which may have its own use for them. We stay until it has ended. */
const OUTLIVED: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];
/** These come to us alone where somebody ends what they have started. */
const PASSED_ON: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP'];

/**
 * Runs an agent as a shell would: in our process group, so that the terminal is its own, and with our three streams, which nobody else
 * reads or writes meanwhile.
 *
 * @returns its exit code, 128 and the signal's number where one ended it
 * @throws ClawaiError `command_*` where it could not be started
 */
export async function runAgent(
  [command, ...args]: readonly [string, ...string[]],
  env: Readonly<NodeJS.ProcessEnv>,
): Promise<number> {
  let child: StartedProgram | undefined;
  const outlive = (): void => {};
  const passOn = (signal: NodeJS.Signals): void => void child?.kill(signal);
  // Before the agent is there, or a signal at the wrong moment would end us and not it.
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

/**
 * Starts a server with its stdin and stdout in our hands, and its stderr where that is to be read.
 *
 * It gets a process group of its own, so that an ending reaches what wrappers like `npx` started; on Windows that would open
 * a console window, and there it has none.
 */
export function startServer(command: string, args: readonly string[], stderr: 'inherit' | 'pipe' = 'inherit'): ServerProcess {
  const isWindows = process.platform === 'win32';
  const child: ChildProcess = spawn(command, args, {
    stdio: ['pipe', 'pipe', stderr],
    detached: !isWindows,
    windowsHide: true,
  });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('a pipe that was asked for is missing');
  // A server that dies leaves writes that fail; its exit is what counts.
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
 * The exit code of a process that was started just now; where a signal ended it, 128 and the signal's number, as shells have it. Rejects
 * with a ClawaiError `command_*` where it could not be started.
 */
function exitOf(child: ChildProcess, command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) reject(startError(command, error));
    });
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

/** Returns whether there was anybody to get it; signal 0 only asks that. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0, isWindows: boolean): boolean {
  if (child.pid === undefined) return false;
  try {
    return isWindows ? child.kill(signal) : process.kill(-child.pid, signal);
  } catch {
    // ESRCH: nobody of the group is left, which is what a signal wants in the end.
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
