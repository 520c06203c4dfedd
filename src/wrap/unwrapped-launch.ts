import { parseRouteUrl, showUrl } from '../remote/remote-server.ts';
import { isAddress, type Launch, originalOf, wrappedOf } from './launch.ts';
import type { Routes } from './routes.ts';
import type { EntryRecord } from './files/state-record.ts';
import { innermost, parseWrappedCommand } from './wrapped-command.ts';

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
