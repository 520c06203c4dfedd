import { constants } from 'node:os';
import type { StartedProgram } from '../host/start-program.ts';
import { startError } from './server-process.ts';

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
    const { startProgram } = await import('../host/start-program.ts');
    child = startProgram(command, args, { env, stdio: 'inherit' });
    const { code, signal, cause } = await child.ended;
    if (code === undefined && signal === undefined) throw startError(command, cause);
    return code ?? 128 + (signal === undefined ? 0 : constants.signals[signal]);
  } finally {
    for (const signal of OUTLIVED) process.off(signal, outlive);
    for (const signal of PASSED_ON) process.off(signal, passOn);
  }
}
