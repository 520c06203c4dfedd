import { readFileSync } from 'node:fs';
import type { LocatedPolicy } from '../clients/locate.ts';
import { readValue } from '../clients/text.ts';
import { isSameCommand, type CommandLine } from './wrapped-command.ts';
import { isObject } from './files/state-record.ts';

/** The rules of an administrator's file that may affect a wrapped server. */
export interface AllowList {
  readonly client: string;
  readonly file: string;
  /** The rules in one sentence without full stop. */
  readonly text: string;
  /** Exact command lines; if there are any, a process must match one. */
  readonly allowed: readonly CommandLine[];
  readonly denied: readonly CommandLine[];
  /** URLs with `*` for any characters; if there are any, a remote server must match one. */
  readonly allowedUrls: readonly string[];
  readonly deniedUrls: readonly string[];
  /** The command or the URL that each server must have, by its name; undefined if it may have any. */
  readonly identities: ReadonlyMap<string, string> | undefined;
  /** True if the file can't be read, so that its rules are unknown. */
  readonly isUnreadable: boolean;
}

/**
 * Reads the administrators' files, and leaves out those without rules on servers. Entries that name a server apply whatever its command or
 * URL is. The parsers of their syntaxes must be loaded.
 */
export function readAllowLists(policies: readonly LocatedPolicy[]): readonly AllowList[] {
  return policies.flatMap(({ client, file, policyFile: { syntax, keys, remark } }): readonly AllowList[] => {
    const start = { client: client.id, file, text: remark.text };
    if (syntax === 'plist') return [{ ...start, ...NO_RULES }];
    const value = readObject(file, syntax);
    if (value === undefined) return [{ ...start, ...NO_RULES, isUnreadable: true }];
    if (keys.every((key) => value[key] === undefined)) return [];
    return [
      {
        ...start,
        allowed: commandsIn(value['allowedMcpServers']),
        denied: commandsIn(value['deniedMcpServers']),
        allowedUrls: urlsIn(value['allowedMcpServers']),
        deniedUrls: urlsIn(value['deniedMcpServers']),
        identities: identitiesIn(value['mcp_servers']),
        isUnreadable: false,
      },
    ];
  });
}

const NO_RULES = { allowed: [], denied: [], allowedUrls: [], deniedUrls: [], identities: undefined, isUnreadable: false };

interface Change<T> {
  readonly server: string;
  readonly clients: readonly string[];
  readonly before: T;
  readonly after: T;
}

/**
 * Says which administrator's list forbids changing a command line: the client would refuse the new one, or a denied one would bypass the
 * list. Undefined if none does.
 */
export function forbiddenBy(
  lists: readonly AllowList[],
  { server, clients, before, after }: Change<CommandLine>,
): string | undefined {
  for (const { client, file, allowed, denied, identities, isUnreadable } of lists) {
    if (!clients.includes(client)) continue;
    if (isUnreadable) return `${file} may forbid it and can't be read`;
    if (denied.some((command) => isSameCommand(command, before))) return `${file} denies its command`;
    const isListed = allowed.length === 0 || allowed.some((command) => isSameCommand(command, after));
    const isIdentical = identities === undefined || identities.get(server) === after.command;
    if (!isListed || !isIdentical) return `${file} allows exact commands only, and the wrapped one is not among them`;
  }
  return undefined;
}

/** Like `forbiddenBy`, for a URL. */
export function urlForbiddenBy(
  lists: readonly AllowList[],
  { server, clients, before, after }: Change<string>,
): string | undefined {
  for (const { client, file, allowedUrls, deniedUrls, identities, isUnreadable } of lists) {
    if (!clients.includes(client)) continue;
    if (isUnreadable) return `${file} may forbid it and can't be read`;
    if (deniedUrls.some((pattern) => fits(pattern, before))) return `${file} denies its URL`;
    const isListed = allowedUrls.length === 0 || allowedUrls.some((pattern) => fits(pattern, after));
    const isIdentical = identities === undefined || identities.get(server) === after;
    if (!isListed || !isIdentical) return `${file} allows certain URLs only, and the wrapped one is not among them`;
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

/** Codex allows a server only if its name and its command, or its URL, are listed together. */
function identitiesIn(table: unknown): AllowList['identities'] {
  if (!isObject(table)) return undefined;
  const identities = Object.entries(table).flatMap(([name, server]) => {
    const identity = isObject(server) ? server['identity'] : undefined;
    const word = isObject(identity) ? (identity['command'] ?? identity['url']) : undefined;
    return typeof word === 'string' ? [[name, word] as const] : [];
  });
  return new Map(identities);
}

function readObject(
  file: string,
  syntax: Exclude<LocatedPolicy['policyFile']['syntax'], 'plist'>,
): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = readValue(readFileSync(file, 'utf8'), syntax);
    return isObject(value) ? value : undefined;
  } catch {
    // The file is unreadable or has another syntax; the caller reports it.
    return undefined;
  }
}
