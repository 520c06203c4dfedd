import type { JsonEdit } from '../clients/edit-json.ts';
import { rewriteCommand, rewriteUrl } from '../clients/entries.ts';
import { parseRouteUrl, showUrl } from '../remote/remote-server.ts';
import type { EntryRecord } from './files/state-record.ts';
import type { FoundServer } from './read-servers.ts';
import type { Routes } from './routes.ts';
import { isSameCommand, type CommandLine, innermost, parseWrappedCommand } from './wrapped-command.ts';

/** The address of a server that its client does not start. */
interface Address {
  readonly url: string;
}

/** The way in which a client reaches a server. */
export type Launch = CommandLine | Address;

export function isAddress(launch: Launch): launch is Address {
  return 'url' in launch;
}

/** Returns the command line of an entry; undefined if it is not a process or its command is empty. */
export function commandOf({
  entry,
}: {
  readonly entry: Pick<FoundServer['entry'], 'kind' | 'command' | 'args'>;
}): CommandLine | undefined {
  const { kind, command = '', args = [] } = entry;
  return kind === 'stdio' && command !== '' ? { command, args } : undefined;
}

/** Returns the URL of an entry; undefined if it is not remote. */
export function addressOf({ entry: { kind, url } }: FoundServer): Address | undefined {
  return kind === 'remote' && url !== undefined ? { url } : undefined;
}

export function launchOf(server: FoundServer): Launch | undefined {
  return commandOf(server) ?? addressOf(server);
}

export function isSameLaunch(left: Launch, right: Launch): boolean {
  if (isAddress(left) || isAddress(right)) return isAddress(left) && isAddress(right) && left.url === right.url;
  return isSameCommand(left, right);
}

/** Returns the edits that give an entry of the same kind this launch. */
export function rewriteLaunch({ entry }: FoundServer, to: Launch): readonly JsonEdit[] {
  return isAddress(to) ? rewriteUrl(entry, to.url) : rewriteCommand(entry, to);
}

/** Formats a launch for a record: the words of a command line, or a URL alone. */
export function toWords(launch: Launch): readonly string[] {
  return isAddress(launch) ? [launch.url] : [launch.command, ...launch.args];
}

/** Returns the recorded launch from before clawai. */
export function originalOf({ kind, original }: EntryRecord): Launch {
  return fromWords(kind, original);
}

/** Returns the recorded launch behind clawai. */
function wrappedOf({ kind, wrapped }: EntryRecord): Launch {
  return fromWords(kind, wrapped);
}

function fromWords(kind: EntryRecord['kind'], [first = '', ...rest]: readonly string[]): Launch {
  return kind === 'url' ? { url: first } : { command: first, args: rest };
}

/** Returns the recorded command line of a process behind clawai. */
export function vouchedLine(known: EntryRecord | undefined): CommandLine | undefined {
  const launch = known === undefined ? undefined : wrappedOf(known);
  return launch === undefined || isAddress(launch) ? undefined : launch;
}

/**
 * Returns the launch without clawai; undefined if clawai does not stand in front. A URL is ours if the entry's record has its secret,
 * whatever happened to the rest of our state, or if the state knows it.
 */
export function unwrapped(launch: Launch, known: EntryRecord | undefined, routes: Pick<Routes, 'find'>): Launch | undefined {
  if (!isAddress(launch)) return parseWrappedCommand(launch) === undefined ? undefined : innermost(launch);
  const secret = parseRouteUrl(launch.url)?.secret;
  if (secret === undefined) return undefined;
  const wrapped = known === undefined ? undefined : wrappedOf(known);
  if (known !== undefined && wrapped !== undefined && isAddress(wrapped) && parseRouteUrl(wrapped.url)?.secret === secret) {
    return originalOf(known);
  }
  const server = routes.find(launch.url);
  return server === undefined ? undefined : { url: server.url };
}

/** Returns a command line unchanged, and a URL redacted unless it is ours. */
export function shownAs<T extends Launch | undefined>(launch: T, isOurs: boolean): T | { readonly url: string } {
  return launch === undefined || !isAddress(launch) || isOurs ? launch : { url: showUrl(launch.url) };
}
