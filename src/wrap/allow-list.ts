import { readFileSync } from 'node:fs';
import type { LocatedPolicy } from '../clients/locate.ts';
import { isSameCommand, type CommandLine } from './wrapped-command.ts';
import { isObject } from './files/state-record.ts';

/** The rules of an administrator's file that may affect a wrapped server. */
export interface AllowList {
  readonly client: string;
  readonly file: string;
  /** Exact command lines; if there are any, a process must match one. */
  readonly allowed: readonly CommandLine[];
  readonly denied: readonly CommandLine[];
  /** URLs with `*` for any characters; if there are any, a remote server must match one. */
  readonly allowedUrls: readonly string[];
  readonly deniedUrls: readonly string[];
  /** True if the file can't be read, so that its rules are unknown. */
  readonly isUnreadable: boolean;
}

/** Reads the administrators' files. Entries that name a server are left out, since they apply whatever its command or URL. */
export function readAllowLists(policies: readonly LocatedPolicy[]): readonly AllowList[] {
  return policies.map(({ client, file }) => {
    const value = readJson(file);
    return {
      client: client.id,
      file,
      allowed: commandsIn(value?.['allowedMcpServers']),
      denied: commandsIn(value?.['deniedMcpServers']),
      allowedUrls: urlsIn(value?.['allowedMcpServers']),
      deniedUrls: urlsIn(value?.['deniedMcpServers']),
      isUnreadable: value === undefined,
    };
  });
}

/**
 * Says which administrator's list forbids changing a command line: the client would refuse the new one, or a denied one would bypass the
 * list. Undefined if none does.
 */
export function forbiddenBy(
  lists: readonly AllowList[],
  { clients, before, after }: { readonly clients: readonly string[]; readonly before: CommandLine; readonly after: CommandLine },
): string | undefined {
  for (const { client, file, allowed, denied, isUnreadable } of lists) {
    if (!clients.includes(client)) continue;
    if (isUnreadable) return `${file} may forbid it and can't be read`;
    if (denied.some((command) => isSameCommand(command, before))) return `${file} denies its command`;
    const isAllowed = allowed.length === 0 || allowed.some((command) => isSameCommand(command, after));
    if (!isAllowed) return `${file} allows exact commands only, and the wrapped one is not among them`;
  }
  return undefined;
}

/** Like `forbiddenBy`, for a URL. */
export function urlForbiddenBy(
  lists: readonly AllowList[],
  { clients, before, after }: { readonly clients: readonly string[]; readonly before: string; readonly after: string },
): string | undefined {
  for (const { client, file, allowedUrls, deniedUrls, isUnreadable } of lists) {
    if (!clients.includes(client)) continue;
    if (isUnreadable) return `${file} may forbid it and can't be read`;
    if (deniedUrls.some((pattern) => fits(pattern, before))) return `${file} denies its URL`;
    const isAllowed = allowedUrls.length === 0 || allowedUrls.some((pattern) => fits(pattern, after));
    if (!isAllowed) return `${file} allows certain URLs only, and the wrapped one is not among them`;
  }
  return undefined;
}

/** Matches in linear time: parts between stars are searched from left to right, the end from the right. */
function fits(pattern: string, url: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop();
  if (end === undefined) return url === pattern;
  if (!url.startsWith(start) || !url.endsWith(end) || url.length < start.length + end.length) return false;
  let at = start.length;
  for (const part of rest) {
    const found = url.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= url.length - end.length;
}

function urlsIn(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    const url = isObject(item) ? item['serverUrl'] : undefined;
    return typeof url === 'string' ? [url] : [];
  });
}

function commandsIn(list: unknown): readonly CommandLine[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    const words = isObject(item) ? item['serverCommand'] : undefined;
    if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) return [];
    const [command, ...args] = words;
    return command === undefined ? [] : [{ command, args }];
  });
}

function readJson(file: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
    return isObject(value) ? value : undefined;
  } catch {
    // The file is unreadable or not JSON; the caller reports it.
    return undefined;
  }
}
