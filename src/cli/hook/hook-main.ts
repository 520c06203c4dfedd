import { EXIT } from '../../errors.ts';
import { denialBy } from '../../protocol/hooks/hook-client.ts';
import { HOOK_CLIENTS } from '../../protocol/hooks/hook-clients.ts';
import { parseFlags, splitArgv } from '../argv.ts';
import type { Command } from '../command.ts';
import { hookCommand, say } from './hook.ts';

/**
 * Runs the words after `clawai` of a hook's command line, and sets the exit code of the process. Never rejects. It does what `main` does, from
 * a bundle of its own, since a client starts one process for each call and waits for it.
 */
export async function main([, ...words]: readonly string[]): Promise<void> {
  try {
    // Its flags are read as its own definition says.
    process.exitCode = await hookCommand.run(
      parseFlags(hookCommand as Command, splitArgv(words)) as Parameters<typeof hookCommand.run>[0],
    );
  } catch (thrown) {
    const why = `clawai: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
    // The command line is wrong, but the first name of a client in it tells whose words stop the call.
    const client = words.flatMap((word) => HOOK_CLIENTS.filter(({ id }) => id === word))[0];
    process.exitCode = say(client === undefined ? { stdout: '', stderr: `${why}\n`, code: EXIT.usage } : denialBy(client, why));
  }
}
