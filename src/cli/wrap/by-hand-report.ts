import { usageError } from '../command.ts';
import { homedir } from 'node:os';
import { BY_HAND } from '../../clients/by-hand.ts';

import { suggestName } from '../../suggest.ts';
import { type ByHandServer, type ByHandStatus, readByHand } from '../../wrap/read-by-hand.ts';
import type { Routes } from '../../wrap/routes.ts';
import type { ListedFile, ListedRow } from './server-listing.ts';
import { shortPath } from '../terminal/text.ts';
import { quoteWord } from '../../core/shell/quote-word.ts';
import { projectFolders } from './wrap-surroundings.ts';

/** Servers of clients whose configs clawai does not edit, where there are any. */
export function findByHand(routes: Routes, cwd = process.cwd()): readonly ByHandStatus[] {
  const machine = { env: process.env, platform: process.platform, home: homedir() };
  return readByHand(machine, projectFolders(cwd), routes);
}

/** The clients that `--ignore` names. Throws ClawaiError `usage` where one is none that is wrapped by hand. */
export function toIgnored(flag: string | undefined): ReadonlySet<string> {
  const ids = flag === undefined ? [] : flag.split(',').map((id) => id.trim());
  const known = BY_HAND.map(({ id }) => id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return new Set(ids);
  const meant = suggestName(unknown, known);
  throw usageError(
    `--ignore: ${JSON.stringify(unknown)} is no client that is wrapped by hand`,
    meant === undefined ? `those are: ${known.join(', ')}` : `did you mean ${meant}?`,
  );
}

/** Counts servers that start, may start, or are reached, without a clawai that enforces, although one could be in front. */
export function countOpenByHand(
  found: readonly ByHandStatus[],
  { ignored, routes: { origin } }: { readonly ignored: ReadonlySet<string>; readonly routes: Routes },
): number {
  const counted = found.filter(({ client }) => !ignored.has(client.id));
  const open = counted
    .flatMap(({ servers }) => servers)
    .filter(({ state }) => state === 'unwrapped' || (state === 'remote' && origin !== undefined));
  return open.length + counted.filter(({ problem }) => problem !== undefined).length;
}

export function summariseByHand(open: number): string {
  if (open === 0) return '';
  return `${open} not protected in clients that clawai does not edit: what to write there stands above, and --ignore CLIENT leaves one out of --check.\n`;
}

/** The words that go in front of a command, as a shell takes them. */
function inFront(launcher: readonly string[], server: string): string {
  return `\`${[...launcher, 'proxy', '--server', server].map(quoteWord).join(' ')} --\``;
}

const REMOTE_STEP = 'declare it in config.toml and give it the URL that `clawai status --json` then has';

/** One sentence without full stop: where the servers are, and what to do; undefined where nothing is left to do. */
export function describeByHand(status: ByHandStatus, launcher: readonly string[]): { text: string; todo: string } | undefined {
  const { client, file, servers, problem } = status;
  const place = shortPath(file);
  if (problem !== undefined) {
    const text = `${client.name}: clawai cannot tell which servers ${place} has: ${problem}`;
    return {
      text,
      todo: `put ${inFront(launcher, 'NAME')} before each command; \`clawai status --check --ignore ${client.id}\` leaves it out`,
    };
  }
  const bare = servers.filter(({ state }) => state !== 'by-hand');
  if (bare.length === 0) return undefined;
  const names = bare.map(({ server }) => server).join(', ');
  const starts = bare.filter(({ state }) => state === 'unwrapped');
  const [first] = starts;
  const todo = first === undefined ? REMOTE_STEP : `${first.server}: ${textOf(first, launcher)}`;
  return {
    text: `${client.name} is not behind clawai, which does not edit ${place}: ${names}`,
    todo: starts.length > 1 ? `${todo}, and so for each` : todo,
  };
}

interface ByHandLook {
  readonly launcher: readonly string[];
  readonly ignored: ReadonlySet<string>;
  readonly routes: Routes;
}

/** Rows of these clients in the listing of `clawai status`. */
export function listByHand(found: readonly ByHandStatus[], look: ByHandLook): readonly ListedFile[] {
  return found.map((status) => listFile(status, look));
}

function listFile({ client, file, servers, problem }: ByHandStatus, { launcher, ignored, routes }: ByHandLook): ListedFile {
  const isIgnored = ignored.has(client.id);
  const rows = servers.map((one): ListedRow => {
    const { state, server } = one;
    if (state === 'by-hand') return { state: 'by hand', tone: 'good', server, text: '' };
    const isOut = state === 'remote' && routes.origin === undefined;
    const tone = isIgnored || isOut ? 'attention' : 'bad';
    const word = one.weakness === undefined ? (isOut ? 'remote' : 'not wrapped') : 'not enforced';
    return { state: word, tone, server, text: textOf(one, launcher) };
  });
  const readers = `${client.name}, which clawai does not edit${isIgnored ? '; ignored' : ''}`;
  return {
    file: shortPath(file),
    readers,
    rows,
    problem: problem === undefined ? undefined : `it can't be told what is in it: ${problem}`,
  };
}

function textOf({ server, state, weakness }: ByHandServer, launcher: readonly string[]): string {
  if (weakness !== undefined) return `edit its entry: ${weakness}`;
  return state === 'remote' ? REMOTE_STEP : `put ${inFront(launcher, server)} before its command`;
}

/** Lists the files of clients that clawai does not edit, for programs. */
export function byHandToJson(found: readonly ByHandStatus[], ignored: ReadonlySet<string>): readonly object[] {
  return found.map(({ client, file, servers, problem }) => ({
    client: client.id,
    file,
    ignored: ignored.has(client.id),
    error: problem ?? null,
    servers: servers.map(({ server, state, weakness }) => ({ server, state, weakness: weakness ?? null })),
  }));
}
