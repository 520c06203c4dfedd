import { DEFINITION_KINDS, type DefinitionKind } from '../../../core/registry/definition.ts';
import { EXIT } from '../../../errors.ts';
import type { WriterOptions } from '../../../store/open-writer.ts';
import { approveShown, type Shown, type ShownDefinition } from '../../../store/registry-approvals.ts';
import type { RegistryReader } from '../../../store/reading/registry-reader.ts';
import { describePerson, patiently } from '../../approvals/answer-question.ts';
import { defineCommand, usageError } from '../../command.ts';
import { STORE_FLAGS } from '../../machine/open-store.ts';
import { askYes, requirePerson } from '../../terminal/person.ts';
import { visible } from '../../terminal/text.ts';
import { stdoutLook } from '../../terminal/colour.ts';
import { createOutput } from '../../terminal/streams.ts';
import { describeEntry, describeInFull } from './describe-entry.ts';
import {
  commandFor,
  type Entry,
  type EntryFilter,
  type EntryKind,
  entryLabel,
  type EntryWithTexts,
  ENTRY_KINDS,
  LAUNCH_FLAG,
  listEntries,
  readEntry,
  scopeOf,
  describeMissing,
  findEntries,
  openRegistry,
  sayEmpty,
} from './entries.ts';
import { warn } from '../../terminal/notes.ts';

interface Asked extends EntryFilter {
  /** `SERVER:NAME`; undefined: everything of the server that is not trusted. */
  readonly word: string | undefined;
}

/** `clawai mcp approve`: trusts what a server declares now. */
export const mcpApproveCommand = defineCommand({
  meta: {
    name: 'mcp approve',
    description: 'Trust what a server declares now, after you have seen what changed.',
    notes: [
      'It shows what differs from the trusted definition and asks. Only a person at a terminal can say yes. If anything changes before the yes, nothing is approved.',
      '--all takes everything of the server that is new or changed, definitions with findings that were trusted at first use, and each untrusted launch. --launch takes what belongs to one launch.',
    ],
    exitCodes: { 1: 'nothing was approved' },
    examples: ['clawai mcp approve files:read_file', 'clawai mcp approve --server files --all'],
  },
  args: {
    server: { type: 'string', hint: 'SERVER', description: 'The server whose definitions to trust.' },
    all: { type: 'boolean', description: 'With --server: trust everything that is not trusted yet.' },
    launch: LAUNCH_FLAG,
    kind: { type: 'enum', options: ENTRY_KINDS, description: 'Trust only this kind (tool; with --all, every kind).' },
    ...STORE_FLAGS,
  },
  words: { hint: 'SERVER:NAME', description: 'The definition: the name of its server, and its own name or URI.' },
  run: ({ flags, words }) => approveDeclared(flags, words, 'mcp approve'),
});

interface DeclaredFlags {
  readonly server: string | undefined;
  readonly kind: EntryKind | undefined;
  readonly launch: string | undefined;
  readonly all: boolean;
  readonly config: string | undefined;
}

/**
 * Shows what a server declares, asks, and trusts it: the one way to do so.
 *
 * @param words one SERVER:NAME, or none with `all`
 * @param command as it was typed
 * @returns the exit code
 * @throws ClawaiError `usage`, `person_required`, `config_*` or `store_*`
 */
export async function approveDeclared(flags: DeclaredFlags, words: readonly string[], command: string): Promise<number> {
  const [word, ...others] = words;
  const { server, launch, kind } = flags;
  const isWhole = flags.all || (word === undefined && launch !== undefined);
  if (others.length > 0 || (word === undefined) !== isWhole || (isWhole && server === undefined)) {
    throw usageError(
      `clawai ${command} takes one SERVER:NAME, or --server SERVER with --all or --launch HASH`,
      'clawai mcp registry list --status changed shows what has changed',
    );
  }
  if (launch !== undefined && !/^(?:sha256:)?[0-9a-f]{4,64}$/.test(launch)) {
    throw usageError(
      `--launch takes the beginning of a fingerprint, such as 1a2b3c4d, and not ${JSON.stringify(launch)}`,
      'clawai mcp registry list --kind server shows them',
    );
  }
  requirePerson(command);
  const opened = await openRegistry(flags.config);
  if (opened.reader === undefined) {
    sayEmpty(opened);
    return EXIT.mismatch;
  }
  const asked: Asked = { server, launch, kind, word };
  const found = readAsked(opened.reader, asked);
  const besides = typeof found === 'string' ? [] : findBesides(opened.reader, found);
  opened.reader.close();
  if (typeof found === 'string') return refuse(found);
  const untrusted = found.filter(needsYes);
  if (untrusted.length === 0) {
    process.stdout.write(`${found.length === 1 ? describeTrusted(found) : 'everything'} is trusted as it is\n`);
    return EXIT.ok;
  }
  const shown = untrusted.filter(({ seenText }) => seenText !== undefined);
  await show(untrusted);
  if (!isFilled(shown)) return refuse('nothing was approved: what can not be shown can not be approved');
  if (!(await askYes(question(shown, untrusted.length)))) return refuse('nothing was approved');
  const { isTaken, text } = await approveEntries(opened.writer, shown);
  if (!isTaken) return refuse(text);
  process.stdout.write(`${[text, ...besides].join('\n')}\n`);
  return EXIT.ok;
}

/** Reads the entries that are asked for, with texts; or says why there are none. */
function readAsked(reader: RegistryReader, { word, ...filter }: Asked): readonly EntryWithTexts[] | string {
  if (word !== undefined) {
    const found = findEntries(reader, word, filter);
    const waiting = found.filter(needsYes);
    const read = readAll(reader, waiting.length > 0 ? waiting : found.slice(0, 1));
    return read.length === 0 ? describeMissing(reader, word, filter) : read;
  }
  const entries = listEntries(reader, filter);
  if (entries.length === 0) return `nothing is known of ${visible(filter.server ?? '')}; clawai mcp registry list shows what is`;
  return readAll(reader, entries.filter(needsYes));
}

function readAll(reader: RegistryReader, entries: readonly Entry[]): readonly EntryWithTexts[] {
  return entries.flatMap((entry) => readEntry(reader, entry) ?? []);
}

/** Says what still keeps the server from being trusted once these are: a person may take one yes to be enough. */
function findBesides(reader: RegistryReader, entries: readonly EntryWithTexts[]): readonly string[] {
  const { server, launch } = entries[0] ?? {};
  const kinds = new Set(entries.map(({ kind }) => kind));
  return listEntries(reader, { server })
    .filter((entry) => entry.launch === launch && isAgainstServer(entry) && !kinds.has(entry.kind))
    .map((entry) => `${entryLabel(entry)} has changed too, and is not approved: see ${commandFor(entry)}`);
}

/** Tells whether the entry makes every call of its server denied. */
function isAgainstServer({ kind, status, launch }: Entry): boolean {
  if (kind === 'server' && launch !== undefined) return status !== 'pinned';
  return (kind === 'server' || kind === 'instructions') && status === 'changed';
}

function isFilled<T>(list: readonly T[]): list is readonly [T, ...T[]] {
  return list.length > 0;
}

/** Tells whether the entry has findings, and is trusted only since it was seen first. */
function isOnlySeen({ status, approvedAt, detections }: Entry): boolean {
  return status === 'pinned' && approvedAt === undefined && detections?.severity !== undefined;
}

/** Waits for a person: it is not trusted, or only because it was seen first while something was found in it. */
export function needsYes(entry: Entry): boolean {
  return entry.status !== 'pinned' || isOnlySeen(entry);
}

async function show(entries: readonly EntryWithTexts[]): Promise<void> {
  const output = createOutput(process.stdout);
  const options = { width: stdoutLook().width, now: Date.now() };
  for (const entry of entries) {
    const lines = isOnlySeen(entry) ? describeInFull(entry, options) : describeEntry(entry, options);
    await output.write(`${lines.join('\n')}\n\n`);
  }
}

function question(shown: readonly EntryWithTexts[], all: number): string {
  const [only] = shown;
  const what = shown.length === 1 && only !== undefined ? entryLabel(only) : `these ${shown.length}`;
  const rest = all === shown.length ? '' : ` (${all - shown.length} can not be shown and stay as they are)`;
  return `Trust ${what} as shown${rest}?`;
}

function describeTrusted([entry]: readonly EntryWithTexts[]): string {
  return entry === undefined ? 'nothing' : entryLabel(entry);
}

function refuse(text: string): number {
  warn(text);
  return EXIT.mismatch;
}

/** The result of an approval. */
interface Approved {
  /** All of it is trusted now. */
  readonly isTaken: boolean;
  /** The message for the person. */
  readonly text: string;
}

/**
 * Trusts entries of one server as they were shown, or none of them where one is another by now.
 *
 * @throws ClawaiError `store_*`
 */
async function approveEntries(writer: WriterOptions, entries: readonly [Entry, ...Entry[]]): Promise<Approved> {
  const [first] = entries;
  const shown = [...Map.groupBy(entries, ({ launch }) => launch).values()].map((ofLaunch): Shown => ({
    scope: scopeOf(ofLaunch[0] ?? first),
    identity: ofLaunch.find(({ kind }) => kind === 'server'),
    definitions: ofLaunch.flatMap((entry) => toShown(entry)),
  }));
  const outcome = await patiently(() => approveShown(writer, shown, { by: describePerson(), now: Date.now() }));
  if (outcome.kind === 'outdated') {
    const { scope, what } = outcome;
    const { server, launch } = typeof scope === 'string' ? { server: scope, launch: undefined } : scope;
    const label = entryLabel({ server, launch, ...(what === 'identity' ? { kind: 'server', name: '' } : what) });
    return { isTaken: false, text: `${label} is not as it was shown any more: nothing was approved; look at it anew` };
  }
  const already = outcome.alreadyTrusted === 0 ? '' : ' (somebody else has approved that meanwhile)';
  const what = entries.length === 1 ? entryLabel(first) : `all ${entries.length} of ${visible(first.server)}`;
  return { isTaken: true, text: `approved: ${what}${already}` };
}

function toShown({ kind, name, pinned, seen }: Entry): readonly ShownDefinition[] {
  return isDefinitionKind(kind) ? [{ kind, name, pinned, seen }] : [];
}

function isDefinitionKind(kind: Entry['kind']): kind is DefinitionKind {
  return DEFINITION_KINDS.some((known) => known === kind);
}
