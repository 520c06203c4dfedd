import type { Severity } from '../../../core/finding.ts';
import { shortFingerprint } from '../../../core/registry/fingerprint.ts';
import { EXIT } from '../../../errors.ts';
import { defineCommand } from '../../command.ts';
import { STORE_FLAGS } from '../../machine/open-store.ts';
import { type Look, paint, stdoutLook } from '../../terminal/colour.ts';
import { note } from '../../terminal/notes.ts';
import { escapeUnprintable, visible } from '../../terminal/text.ts';
import { createOutput } from '../../terminal/streams.ts';
import { type Column, Table } from '../../terminal/table.ts';
import { countBySeverity, entryJson } from './describe-entry.ts';
import {
  type Entry,
  ENTRY_KINDS,
  ENTRY_STATUSES,
  LAUNCH_FLAG,
  listEntries,
  openRegistry,
  sayEmpty,
  serverLabel,
} from './entries.ts';

/** `clawai mcp registry list`: what servers declare, and whether that is what is trusted. */
export const mcpRegistryListCommand = defineCommand({
  meta: {
    name: 'mcp registry list',
    description: 'List what servers have declared: tools, resources, prompts and instructions.',
    notes: [
      'STATUS is pinned if the definition is unchanged since it was trusted, changed! if it differs, and new if nobody has trusted it yet. Definitions that a server no longer lists stay in this list. HASH is the beginning of the last seen fingerprint.',
      'DETECTIONS are the findings in the last seen definition, whatever the policy does about them. "none" means only that no known pattern matched.',
      'The launch of a server is listed if it is not trusted, and with --kind server.',
    ],
    examples: ['clawai mcp registry list --status changed', 'clawai mcp registry list --server files --json'],
  },
  args: {
    server: { type: 'string', hint: 'SERVER', description: 'Only this server.' },
    launch: LAUNCH_FLAG,
    kind: { type: 'enum', options: ENTRY_KINDS, description: 'Only this kind.' },
    status: { type: 'enum', options: ENTRY_STATUSES, description: 'Only this status.' },
    json: { type: 'boolean', description: 'Print one JSON object a line.' },
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
      : formatEntries(entries, stdoutLook());
    await createOutput(process.stdout).write(text);
    return EXIT.ok;
  },
});

const STYLES = { pinned: 'green', changed: 'red', new: 'yellow' } as const satisfies Record<Entry['status'], string>;

const SEVERITY_STYLES = {
  none: 'dim',
  low: 'dim',
  medium: 'yellow',
  high: 'red',
  critical: 'red',
} as const satisfies Record<Severity | 'none', string>;

/** A table of entries; their kind has a column where not all of them are tools. */
function formatEntries(entries: readonly Entry[], look: Look): string {
  const isToolsAlone = entries.every(({ kind }) => kind === 'tool');
  const name: Column<Entry> = { title: isToolsAlone ? 'TOOL' : 'NAME', least: 12, cell: nameOf };
  return new Table([SERVER, ...(isToolsAlone ? [] : [KIND]), name, HASH, STATUS, DETECTIONS], look).format(entries);
}

const SERVER: Column<Entry> = { title: 'SERVER', least: 8, cell: serverLabel };
const KIND: Column<Entry> = { title: 'KIND', cell: ({ kind }) => kind };
const HASH: Column<Entry> = { title: 'HASH', cell: ({ seen }) => visible(shortFingerprint(seen)) };
const STATUS: Column<Entry> = {
  title: 'STATUS',
  cell: ({ status, isListed }) => `${status === 'changed' ? 'changed!' : status}${isListed ? '' : ' (gone)'}`,
  paint: (cell, { status }) => paint(STYLES[status], cell),
};

const DETECTIONS: Column<Entry> = {
  title: 'DETECTIONS',
  cell: describeFound,
  paint: (cell, { detections }) => paint(SEVERITY_STYLES[detections?.severity ?? 'none'], cell),
};

/** Counts detections in words; empty for a launch, which is no text that a model gets to see. */
function describeFound({ kind, detections }: Entry): string {
  if (kind === 'server') return '';
  if (detections === undefined) return 'not looked at';
  return detections.severity === undefined ? 'none' : countBySeverity(detections.detections);
}

function nameOf({ kind, name }: Entry): string {
  return kind === 'server' ? '(how it is started)' : visible(name);
}
