import { type Ended, Running } from './running.ts';
import { SCRIPT } from './at-terminal.ts';
import type { Sandbox } from './sandbox.ts';

/** Runs `clawai …` at a terminal to its end, with nobody at the keys; stderr comes out among stdout. Only where `HAS_TERMINAL`. */
export async function runAtTerminal(sandbox: Sandbox, words: readonly string[], cwd = sandbox.folder): Promise<Ended> {
  const line = sandbox
    .command(...words)
    .map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`)
    .join(' ');
  const env = { ...sandbox.env, TERM: 'dumb', SHELL: '/bin/sh' };
  const ended = await new Running([SCRIPT, '-qec', line, '/dev/null'], { env, cwd }).ended;
  return { ...ended, stdout: ended.stdout.replaceAll('\r\n', '\n') };
}
