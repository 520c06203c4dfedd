import type { Readable, Writable } from 'node:stream';
import { execa, type Options } from 'execa';

/** What is left to whoever starts a program: its streams, its environment (all of it), and for how many milliseconds it may run. */
export interface StartOptions {
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly stdio: 'inherit' | 'ignore' | 'pipe';
  readonly cwd?: string;
  readonly detached?: boolean;
  readonly timeout?: number;
}

/** A program that was started, or could not be. Its streams are there where they are pipes. */
export interface StartedProgram {
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  kill(signal: NodeJS.Signals): boolean;
  /** Lets us end before it does. */
  unref(): void;
  /** Resolves when it and its streams have ended. Never rejects. */
  readonly ended: Promise<ProgramEnd>;
}

/** Without a code and a signal it was never started, and the cause is the system's error. */
export interface ProgramEnd {
  readonly code: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  readonly cause: unknown;
}

const PLAIN = {
  // The environment is what was given, and nothing of ours besides.
  extendEnv: false,
  // A program that fails is a result, not a bug.
  reject: false,
  // Whoever reads its output reads a stream.
  buffer: false,
  stripFinalNewline: false,
  // It may outlive us, and no signal is followed by another one after a while.
  cleanup: false,
  forceKillAfterDelay: false,
  // It belongs to a person's terminal or desktop.
  windowsHide: false,
} as const satisfies Options;

/**
 * Starts a program with no shell in between; on Windows also what is a script there (`claude.cmd`).
 *
 * This file is to be imported when it is needed: execa is 120 kB, which no server of a client should wait for.
 */
export function startProgram(command: string, args: readonly string[], options: StartOptions): StartedProgram {
  const child = execa(command, args, { ...PLAIN, ...options });
  const ended = child.then(({ exitCode, signal, cause }) => ({ code: exitCode, signal, cause }));
  const { stdin, stdout, stderr } = child;
  return { stdin, stdout, stderr, kill: (signal) => child.kill(signal), unref: () => child.nodeChildProcess.unref(), ended };
}
