import { quoteWord } from '../../core/shell/quote-word.ts';
import type { LocatedFile } from '../../clients/locate.ts';
import { projectKey } from '../../wrap/own-entry.ts';
import { isChange, type PlannedEntry } from '../../wrap/plan-entry.ts';
import { projectFolderOf } from '../../wrap/portable.ts';
import type { SkipReason } from '../../wrap/remote-answer.ts';
import { planWrap, type WrapRequest } from '../../wrap/wrap.ts';
import { printable, shortPath } from '../terminal/text.ts';

/** A way to call `clawai wrap` that puts clawai in front of a server, or back in front. */
export type Way = 'all' | 'named' | 'portable' | 'local' | 'scope';

/** Obstacles that a person can take away, or pass by. */
export const CLOSABLE: ReadonlySet<SkipReason> = new Set([
  'brought',
  'clawai',
  'shared',
  'shared-url',
  'maybe-shared',
  'other-wrapper',
  'unreachable',
]);

/** The facts of a server that choose its ways. */
export interface Asked {
  readonly server: string;
  readonly pointer: string;
  readonly file: string;
  readonly realFile: string;
  readonly clients: readonly string[];
  readonly obstacle?: SkipReason | undefined;
}

const REQUESTS: Readonly<Record<Way, Partial<WrapRequest>>> = {
  // A person agrees to what entries bring along.
  all: { isAgreed: () => true },
  named: { isAgreed: () => true },
  portable: { portable: 'npx' },
  local: { own: true },
  scope: { sharedToo: true },
};
const NO_WAY: Partial<WrapRequest> = { portable: undefined, own: false, sharedToo: false };
const FLAGS: Readonly<Record<Way, string>> = {
  all: '',
  named: '',
  portable: '--portable npx ',
  local: '--local ',
  scope: '--scope project ',
};
const SHARED: readonly (SkipReason | undefined)[] = ['shared', 'maybe-shared', 'shared-url'];

/**
 * Finds the ways that lead to an entry that counts, by planning each of them: advice that changes nothing leads in a circle.
 * @param request plans `wrap --all` for all files that were found
 */
export function findWays(request: WrapRequest, servers: readonly Asked[]): ReadonlyMap<Asked, Led> {
  const names = servers.map(({ server }) => server);
  const files = new Set(servers.map(({ file }) => file));
  const planned = new Map<Way, ReadonlyMap<string, PlannedEntry>>();
  const plan = (way: Way): ReadonlyMap<string, PlannedEntry> => {
    const known = planned.get(way);
    if (known !== undefined) return known;
    const selection = way === 'all' ? {} : { servers: names };
    // Other files may be large, and say nothing about these.
    const located = way === 'local' ? request.located : request.located.filter(({ file }) => files.has(file));
    const outcomes = planWrap({ ...request, ...NO_WAY, ...REQUESTS[way], located, selection });
    const entries = outcomes.flatMap(({ realFile, report }) =>
      (report?.entries ?? []).map((entry) => [`${realFile}\0${entry.pointer}`, entry] as const),
    );
    const found = new Map(way === 'local' ? entries.flatMap(([, entry]) => ownKeys(entry)) : entries);
    planned.set(way, found);
    return found;
  };
  const isOwnPossible = ({ clients }: Asked): boolean => {
    const readers = request.located.filter(
      ({ client }) => clients.includes(client.id) && request.present?.has(client.id) !== false,
    );
    return readers.length > 0 && readers.every(({ client }) => client.locations.some(({ hides }) => hides !== undefined));
  };
  const entryFor = (way: Way, asked: Asked): PlannedEntry | undefined => {
    if (way !== 'local') return plan(way).get(`${asked.realFile}\0${asked.pointer}`);
    const isPossible = SHARED.includes(asked.obstacle) && isOwnPossible(asked);
    return isPossible ? plan(way).get(`${projectKey(asked.file)}\0${asked.server}`) : undefined;
  };
  const lead = (asked: Asked): Led => {
    let why: string | undefined;
    const leads = (way: Way): boolean => {
      const entry = entryFor(way, asked);
      why ??= entry?.weakness;
      if (entry === undefined || !isChange(entry.action)) return false;
      return entry.weakness === undefined;
    };
    const first = (['all', 'named'] as const).find(leads);
    const shared = first === undefined ? (['portable', 'local'] as const).filter(leads) : [first];
    // Others would get paths of this machine, so it comes last.
    const ways = shared.length > 0 ? shared : (['scope'] as const).filter(leads);
    return { server: asked.server, ways, why: ways.length > 0 ? undefined : why };
  };
  return new Map(servers.map((asked) => [asked, lead(asked)]));
}

/** The project and the name of a user's own entry. */
function ownKeys(entry: PlannedEntry): readonly (readonly [string, PlannedEntry])[] {
  if (entry.scope !== 'local') return [];
  const project = entry.pointer.split('/').at(-3)?.replaceAll('~1', '/').replaceAll('~0', '~');
  return [[`${project}\0${entry.server}`, entry]];
}

/** Servers for which the same commands help. */
export interface WayOut<S> {
  readonly servers: readonly S[];
  /** Any one of them; none where only an edit of the entry helps. */
  readonly commands: readonly string[];
}

export interface Led {
  readonly server: string;
  /** Any one of them; none where only an edit of the entry helps. */
  readonly ways: readonly Way[];
  /** The reason that clawai would not count in front of it, a phrase without full stop. */
  readonly why?: string | undefined;
  /** The project to go to first, where this was called elsewhere. */
  readonly elsewhere?: string | undefined;
}

export function groupWays<S extends Led>(servers: readonly S[]): readonly WayOut<S>[] {
  const groups = Map.groupBy(servers, ({ ways, why, elsewhere }) => JSON.stringify([ways, why, elsewhere]));
  return [...groups.values()].map((group) => {
    const [{ ways, elsewhere } = { ways: [], elsewhere: undefined }] = group;
    const names = [...new Set(group.map(({ server }) => server))];
    return { servers: group, commands: ways.map((way) => formatWay(way, names, elsewhere)) };
  });
}

function formatWay(way: Way, names: readonly string[], elsewhere: string | undefined): string {
  const words =
    way === 'all'
      ? '--all'
      : `${FLAGS[way]}${names.some((name) => name.startsWith('-')) ? '-- ' : ''}${names.map(quoteWord).join(' ')}`;
  return `${elsewhere === undefined ? '' : `cd ${quoteWord(shortPath(elsewhere))} && `}clawai wrap ${words}`;
}

/** The names of servers, each once. */
export function namesOf(servers: readonly { readonly server: string }[]): string {
  return [...new Set(servers.map(({ server }) => server))].join(', ');
}

export function quoteCommands(commands: readonly string[]): string {
  return commands.map((command) => `\`${command}\``).join(', or ');
}

/** Lists the commands for servers that are not protected, as the text behind their number. */
export function listWays(open: readonly Led[]): string {
  const ways = groupWays(open);
  const [first] = ways;
  if (ways.length === 1 && first !== undefined && first.commands.length === 1) return `: ${quoteCommands(first.commands)}`;
  return `:${ways.map((way) => `\n  ${printable(describeWay(way, 'the reason stands beside it'))}`).join('')}`;
}

/** The same for servers that start another clawai than this one, each a sentence without full stop. */
export function waysToCurrent(old: readonly Led[]): readonly string[] {
  return groupWays(old).map((way) => `it starts another clawai than this one: ${describeWay(way, 'name this one in it')}`);
}

function describeWay({ servers, commands }: WayOut<Led>, otherwise: string): string {
  return `${namesOf(servers)}: ${commands.length === 0 ? `edit the entry; ${servers[0]?.why ?? otherwise}` : quoteCommands(commands)}`;
}

/** The project in which to call `clawai wrap` for a file that it does not find from here; undefined if it does. */
export function elsewhereOf(file: LocatedFile | undefined, here: readonly LocatedFile[]): string | undefined {
  if (file === undefined || here.some((one) => one.file === file.file)) return undefined;
  return projectFolderOf(file);
}
