import { EXIT } from '../../errors.ts';
import { parseFlags, splitArgv } from '../argv.ts';
import type { Command } from '../command.ts';
import { hookCommand } from './hook.ts';

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
    process.exitCode = EXIT.usage;
    process.stderr.write(`clawai: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  }
}
