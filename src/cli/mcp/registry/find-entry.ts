import { ClawaiError } from '../../../errors.ts';
import type { RegistryReader } from '../../../store/registry-reader.ts';
import { visible } from '../../terminal/printable.ts';
import { type Entry, type EntryFilter, type EntryKind, listEntries } from './entries.ts';

/**
 * The entries that a person means by `SERVER:NAME`; `SERVER` or `SERVER:` where its kind has no name. Names may be typed as they are
 * shown, with the numbers of what can't be seen.
 *
 * @returns one for each launch of the server that has pins of its own, and what the others share in front; none where no server has listed it
 * @throws ClawaiError `usage` where several names are meant
 */
export function findEntries(reader: RegistryReader, word: string, filter: EntryFilter): readonly Entry[] {
  const found = listEntries(reader, { ...filter, kind: filter.kind ?? 'tool' }).filter((entry) => isMeant(entry, word));
  if (found.some(({ server, name }) => server !== found[0]?.server || name !== found[0].name)) {
    const named = found.map((entry) => `${visible(entry.server)} ${visible(entry.name)}`).join(', ');
    throw new ClawaiError(`${JSON.stringify(word)} may mean several: ${named}`, {
      code: 'usage',
      hint: 'say which with --server',
    });
  }
  return found;
}

/** Why nothing was found, and what may be meant. */
export function describeMissing(reader: RegistryReader, word: string, { server, kind }: EntryFilter): string {
  const others = new Set<EntryKind>(
    listEntries(reader, { server })
      .filter((entry) => entry.kind !== 'server' && isMeant(entry, word))
      .map((entry) => entry.kind),
  );
  const shown = visible(word);
  if (others.size > 0)
    return `no server has listed a ${kind ?? 'tool'} ${shown}; did you mean --kind ${[...others].join(' or ')}?`;
  if (!word.includes(':') && kind !== 'server' && kind !== 'instructions')
    return `${shown} is no SERVER:NAME, as in files:read_file`;
  return `no server has listed ${kind === undefined ? '' : `${kind} `}${shown}; clawai mcp registry list shows what they have`;
}

function isMeant(entry: Entry, word: string): boolean {
  const { server, kind, name } = entry;
  if ((kind === 'server' || kind === 'instructions') && (word === server || word === visible(server))) return true;
  const full = `${server}:${name}`;
  return word === full || word === visible(full);
}
