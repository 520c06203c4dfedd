import { EXIT } from '../../../errors.ts';
import { defineCommand, usageError } from '../../command.ts';
import { STORE_FLAGS } from '../../machine/open-store.ts';
import { stdoutLook } from '../../terminal/colour.ts';
import { createOutput } from '../../terminal/streams.ts';
import { escapeUnprintable } from '../../terminal/text.ts';
import { describeInFull, entryInFullJson } from './describe-entry.ts';
import {
  type Entry,
  ENTRY_KINDS,
  entryLabel,
  LAUNCH_FLAG,
  readEntry,
  describeMissing,
  findEntries,
  openRegistry,
  sayEmpty,
} from './entries.ts';
import { shortFingerprint } from '../../../core/registry/fingerprint.ts';
import { note, warn } from '../../terminal/notes.ts';

/** `clawai mcp registry show`: one definition, as it is trusted and as it was seen last. */
export const mcpRegistryShowCommand = defineCommand({
  meta: {
    name: 'mcp registry show',
    description: 'Show what a server has declared, whether it is trusted, and what has changed in it.',
    exitCodes: { 1: 'no server has listed it' },
    examples: ['clawai mcp registry show files:read_file', 'clawai mcp registry show files --kind instructions'],
  },
  args: {
    server: { type: 'string', hint: 'SERVER', description: 'The server, if SERVER:NAME is not clear.' },
    launch: LAUNCH_FLAG,
    kind: { type: 'enum', options: ENTRY_KINDS, description: 'The kind of the definition (tool).' },
    json: { type: 'boolean', description: 'Print one JSON object.' },
    ...STORE_FLAGS,
  },
  words: {
    isRequired: true,
    hint: 'SERVER:NAME',
    description: 'The definition: the name of its server, and its own name or URI.',
  },
  async run({ flags, words }) {
    const [word, ...others] = words;
    if (word === undefined || others.length > 0) {
      throw usageError('clawai mcp registry show takes one SERVER:NAME', 'clawai mcp registry list shows them');
    }
    const opened = await openRegistry(flags.config);
    const { reader } = opened;
    if (reader === undefined) {
      sayEmpty(opened);
      return EXIT.mismatch;
    }
    try {
      const [found, ...more] = findEntries(reader, word, flags);
      const entry = found === undefined ? undefined : readEntry(reader, found);
      if (entry === undefined) {
        warn(describeMissing(reader, word, flags));
        return EXIT.mismatch;
      }
      tellOthers(more);
      const output = createOutput(process.stdout);
      if (flags.json) {
        const line = entryInFullJson(entry);
        await output.write(`${process.stdout.isTTY ? escapeUnprintable(line) : line}\n`);
      } else await output.write(`${describeInFull(entry, { width: stdoutLook().width, now: Date.now() }).join('\n')}\n`);
      return EXIT.ok;
    } finally {
      reader.close();
    }
  },
});

/** The same of the server's other launches. */
function tellOthers(others: readonly Entry[]): void {
  for (const other of others)
    note(`there is also ${entryLabel(other)}: --launch ${shortFingerprint(other.launch ?? '')} shows it`);
}
