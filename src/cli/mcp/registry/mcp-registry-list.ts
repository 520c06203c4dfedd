import { EXIT } from '../../../errors.ts';
import { hasColour } from '../../terminal/colour.ts';
import { defineCommand } from '../../command.ts';
import { note } from '../../terminal/notes.ts';
import { STORE_FLAGS } from '../../machine/open-store.ts';
import { createOutput } from '../../terminal/streams.ts';
import { escapeUnprintable } from '../../terminal/printable.ts';
import { tableOptions } from '../../log/print-events.ts';
import { ENTRY_KINDS, ENTRY_STATUSES, LAUNCH_FLAG, listEntries } from './entries.ts';
import { entryJson } from './entry-json.ts';
import { formatEntries } from './entry-table.ts';
import { openRegistry, sayEmpty } from './open-registry.ts';

/** `clawai mcp registry list`: what servers declare, and whether that is what is trusted. */
export const mcpRegistryListCommand = defineCommand({
  meta: {
    name: 'mcp registry list',
    description: 'List what servers have declared: tools, resources, prompts and instructions.',
    notes: [
      'STATUS is pinned where it is as it was when it was trusted, changed! where it is not, and new where nobody has trusted it yet. ' +
        'What has gone from its server stays known. HASH is the beginning of the fingerprint of what was seen last.',
      'DETECTIONS is what was found in it as it was seen last, whatever the policy does about that; none says that known patterns were looked for ' +
        'and not found, and no more.',
      'How a server is started is listed where that is not what is trusted, and with --kind server.',
    ],
    examples: ['clawai mcp registry list --status changed', 'clawai mcp registry list --server files --json'],
  },
  args: {
    server: { type: 'string', hint: 'SERVER', description: 'Of this server.' },
    launch: LAUNCH_FLAG,
    kind: { type: 'enum', options: ENTRY_KINDS, description: 'Of this kind.' },
    status: { type: 'enum', options: ENTRY_STATUSES, description: 'Of this status.' },
    json: { type: 'boolean', description: 'One JSON object a line.' },
    ...STORE_FLAGS,
  },
  async run({ flags }) {
    const opened = await openRegistry(flags.config);
    const { reader } = opened;
    const entries = reader === undefined ? [] : listEntries(reader, flags);
    const isEmpty = entries.length === 0 && (reader === undefined || listEntries(reader, {}).length === 0);
    reader?.close();
    if (isEmpty) sayEmpty(opened);
    else if (entries.length === 0) note('nothing of what servers have listed matches');
    if (entries.length === 0) return EXIT.ok;
    const shown = (line: string): string => (process.stdout.isTTY ? escapeUnprintable(line) : line);
    const text = flags.json
      ? entries.map((entry) => `${shown(entryJson(entry))}\n`).join('')
      : formatEntries(entries, tableOptions(hasColour(process.stdout)));
    await createOutput(process.stdout).write(text);
    return EXIT.ok;
  },
});
