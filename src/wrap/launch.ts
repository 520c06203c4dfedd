import type { JsonEdit } from '../clients/edit-json.ts';
import { rewriteCommand, rewriteUrl } from '../clients/entries.ts';
import { parseRouteUrl, showUrl } from '../remote/remote-server.ts';
import type { EntryRecord } from './files/state-record.ts';
import type { FoundServer } from './read-servers.ts';
import type { Routes } from './routes.ts';
import { isSameCommand, type CommandLine, innermost, parseWrappedCommand } from './wrapped-command.ts';

/** Where a client reaches a server that it does not start. */
interface Address {
  readonly url: string;
}

/** How a client gets at a server. */
export type Launch = CommandLine | Address;

export function isAddress(launch: Launch): launch is Address {
  return 'url' in launch;
}

/** The command line of an entry; undefined where it is no process or its command is empty. */
export function commandOf({
  entry,
}: {
  readonly entry: Pick<FoundServer['entry'], 'kind' | 'command' | 'args'>;
}): CommandLine | undefined {
  const { kind, command = '', args = [] } = entry;
  return kind === 'stdio' && command !== '' ? { command, args } : undefined;
}

/** The URL of an entry; undefined where it is not remote. */
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

/** The edits that let an entry of the same kind launch its server so. */
export function rewriteLaunch({ entry }: FoundServer, to: Launch): readonly JsonEdit[] {
  return isAddress(to) ? rewriteUrl(entry, to.url) : rewriteCommand(entry, to);
}

/** As a record has it: the words of a command line, or a URL alone. */
export function toWords(launch: Launch): readonly string[] {
  return isAddress(launch) ? [launch.url] : [launch.command, ...launch.args];
}

/** What stood there before clawai, by a record. */
export function originalOf({ kind, original }: EntryRecord): Launch {
  return fromWords(kind, original);
}

/** What clawai made of it, by a record. */
function wrappedOf({ kind, wrapped }: EntryRecord): Launch {
  return fromWords(kind, wrapped);
}

function fromWords(kind: EntryRecord['kind'], [first = '', ...rest]: readonly string[]): Launch {
  return kind === 'url' ? { url: first } : { command: first, args: rest };
}

/** The command line that a record has of a process behind clawai. */
export function vouchedLine(known: EntryRecord | undefined): CommandLine | undefined {
  const launch = known === undefined ? undefined : wrappedOf(known);
  return launch === undefined || isAddress(launch) ? undefined : launch;
}

/**
 * What is behind clawai, as far as that stands in front of this; undefined where it does not. A URL is ours where the record of its
 * entry has its secret, whatever became of the rest of our state, or where that knows it.
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

/** A command line as it is, a URL as it may be shown. */
export function shownAs<T extends Launch | undefined>(launch: T, isOurs: boolean): T | { readonly url: string } {
  return launch === undefined || !isAddress(launch) || isOurs ? launch : { url: showUrl(launch.url) };
}
