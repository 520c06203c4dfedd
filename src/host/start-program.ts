import type { Readable, Writable } from 'node:stream';
import { execa, type Options } from 'execa';

/** Options of a started program: its streams, its entire environment, and a limit of its run in milliseconds. */
export interface StartOptions {
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly stdio: 'inherit' | 'ignore' | 'pipe';
  readonly cwd?: string;
  readonly detached?: boolean;
  readonly timeout?: number;
}

/** A program that was started, or failed to start. Its streams are set if they are pipes. */
export interface StartedProgram {
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  kill(signal: NodeJS.Signals): boolean;
  /** Lets this process exit before the program does. */
  unref(): void;
  /** Resolves when the program and its streams have ended. Never rejects. */
  readonly ended: Promise<ProgramEnd>;
}

/** Without a code and a signal it never started, and `cause` is the system's error. */
export interface ProgramEnd {
  readonly code: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  readonly cause: unknown;
}

const PLAIN = {
  // Passes the given environment only, without ours.
  extendEnv: false,
  // A failing program is a result, not a bug.
  reject: false,
  // The caller reads its output as a stream.
  buffer: false,
  stripFinalNewline: false,
  // The program may outlive us, and a signal is not followed by a kill.
  cleanup: false,
  forceKillAfterDelay: false,
  // The program belongs to a person's terminal or desktop.
  windowsHide: false,
} as const satisfies Options;

/**
 * Starts a program without a shell; on Windows it also starts scripts (`claude.cmd`).
 *
 * Import this file only when needed: execa is 120 kB, and starting a server should not wait for that.
 */
export function startProgram(command: string, args: readonly string[], options: StartOptions): StartedProgram {
  const child = execa(command, args, { ...PLAIN, ...options });
  const ended = child.then(({ exitCode, signal, cause }) => ({ code: exitCode, signal, cause }));
  const { stdin, stdout, stderr } = child;
  return { stdin, stdout, stderr, kill: (signal) => child.kill(signal), unref: () => child.nodeChildProcess.unref(), ended };
}
