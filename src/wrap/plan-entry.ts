import type { FoundServer } from './read-servers.ts';
import { forbiddenBy, type AllowList } from './allow-list.ts';
import { variablesThatChangeClawai } from './environment.ts';
import { showUrl } from '../remote/show-url.ts';
import type { WrappedServer } from '../remote/state-text.ts';
import { commandOf, type Launch } from './launch.ts';
import { planRemote } from './plan-remote.ts';
import type { AnswerTo } from './remote-answer.ts';
import type { Routes } from './routes.ts';
import type { Sharing, SkipReason } from './skip-reason.ts';
import type { EntryRecord } from './state-record.ts';
import { isProjects } from './weakness.ts';
import {
  formatWrappedCommand,
  innermost,
  isSameCommand,
  otherWrapper,
  parseWrappedCommand,
  startsClawai,
  type CommandLine,
} from './wrapped-command.ts';

/** `wrapped`: it is behind this clawai already. `update`: behind another one, or with other flags. */
export type EntryAction = 'wrap' | 'update' | 'wrapped' | 'skip';

/** What shall become of one server. */
export interface PlannedEntry {
  readonly file: string;
  readonly pointer: string;
  readonly server: string;
  /** Ids of the clients that see it, the one it was found under first. */
  readonly clients: readonly string[];
  readonly scope: string;
  /** 1-based line of the entry's key. */
  readonly line: number;
  readonly isDisabled: boolean;
  readonly action: EntryAction;
  readonly reason?: SkipReason | undefined;
  /** More about the reason, a sentence without full stop. */
  readonly detail?: string | undefined;
  /** What a person should know, sentences without full stop. */
  readonly notes: readonly string[];
  /** Command lines, or URLs as they may be shown; undefined where the entry has neither. */
  readonly before?: Launch | undefined;
  readonly after?: Launch | undefined;
  /** What has to be remembered before the entry gets its URL. */
  readonly remote?: WrappedServer | undefined;
}

/** What decides about every entry alike. */
export interface EntryRules {
  /** The words that start clawai, before `proxy`. */
  readonly launcher: readonly string[];
  /** Absolute path for `--policy`; undefined keeps what an entry says, by default nothing. */
  readonly policy?: string | undefined;
  /** Administrators' lists of exact command lines. */
  readonly allowLists: readonly AllowList[];
  /** Why an entry's file shall stay as it is, where a team shares it. */
  readonly sharing: (server: FoundServer) => Sharing | undefined;
  /** URLs that lead to `clawai serve`. */
  readonly routes: Routes;
  /** What remote servers answered that were asked. */
  readonly answerTo?: AnswerTo | undefined;
  /** True where each server is wrapped that somebody named. */
  readonly isNamed?: boolean | undefined;
}

/**
 * Decides what shall become of one server's entry.
 * @param realFile of its config
 * @param known our record of it; an entry of a project's that we have none of keeps no flag, since anybody may have written it
 */
export function planEntry(
  server: FoundServer,
  { realFile, known }: { readonly realFile: string; readonly known?: EntryRecord | undefined },
  rules: EntryRules,
): PlannedEntry {
  const { entry, pointer, found, clients } = server;
  const planned = {
    file: found.file,
    pointer,
    server: entry.name,
    clients,
    scope: found.location.scope,
    line: entry.line,
    isDisabled: entry.isDisabled,
    notes: notesAbout(server),
  };
  const skip = (reason: SkipReason, detail?: string): PlannedEntry => ({ ...planned, action: 'skip', reason, detail });
  if (entry.kind === 'malformed') return skip('malformed', entry.problem);
  if (entry.kind === 'other') return skip('no-process', entry.problem);
  if (entry.kind === 'remote') {
    const { note, ...plan } = planUrl(server, realFile, rules);
    return { ...planned, ...plan, notes: [...planned.notes, ...(note === undefined ? [] : [note])] };
  }
  const before = commandOf(server);
  if (before === undefined) return skip('malformed', 'it has no command');
  const isForeign = known === undefined && isProjects(server);
  const isOurs = parseWrappedCommand(before) !== undefined;
  const after = wrappedCommand(entry.name, before, { ...rules, keepsFlags: !isForeign });
  if (isSameCommand(before, after)) return { ...planned, action: isForeign ? 'update' : 'wrapped', before, after };
  const refusal = reasonToSkip(server, { before, after }, rules);
  if (refusal !== undefined) return { ...skip(...refusal), before };
  return { ...planned, action: isOurs ? 'update' : 'wrap', before, after };
}

function planUrl(
  server: FoundServer,
  realFile: string,
  rules: EntryRules,
): Pick<PlannedEntry, 'action' | 'reason' | 'detail' | 'before' | 'after' | 'remote'> & { readonly note?: string | undefined } {
  const { url = '' } = server.entry;
  const plan = planRemote(server, realFile, rules);
  const isOurs = rules.routes.find(url) !== undefined || rules.routes.isDeclared(url);
  const before = { url: isOurs ? url : showUrl(url) };
  switch (plan.action) {
    case 'wrapped':
      return { action: 'wrapped', before, after: before };
    case 'skip':
      return { action: 'skip', reason: plan.reason, detail: plan.detail, before };
    default:
      return { action: plan.action, before, after: { url: plan.url }, remote: plan.server, note: plan.note };
  }
}

function reasonToSkip(
  server: FoundServer,
  { before, after }: { readonly before: CommandLine; readonly after: CommandLine },
  rules: EntryRules,
): [reason: SkipReason, detail?: string | undefined] | undefined {
  const { location } = server.found;
  if (location.scope === 'managed') return ['managed'];
  if (location.isPluginCache === true) return ['plugin-cache', location.remarks?.find(({ id }) => id === 'plugin-cache')?.text];
  if (parseWrappedCommand(before) === undefined) {
    if (startsClawai(before)) return ['clawai'];
    const other = otherWrapper(before);
    if (other !== undefined) return ['other-wrapper', `${other} stands in front of it`];
  }
  const forbidden = forbiddenBy(rules.allowLists, { clients: server.clients, before, after });
  if (forbidden !== undefined) return ['allow-list', forbidden];
  const sharing = rules.sharing(server);
  return sharing === undefined ? undefined : [sharing];
}

/** The command line behind clawai. Flags that an entry of yours has already, e.g. `--observe`, were your wish and stay. */
function wrappedCommand(
  name: string,
  before: CommandLine,
  { launcher, policy, keepsFlags }: EntryRules & { readonly keepsFlags: boolean },
): CommandLine {
  const kept = splitFlags(keepsFlags ? (parseWrappedCommand(before)?.flags ?? []) : []);
  const chosen = policy ?? kept.policy;
  const flags = [
    // No operating system takes a NUL in an argument.
    ...(name === '' ? [] : writeFlag('--server', name.replaceAll('\0', '\uFFFD'))),
    ...(chosen === undefined ? [] : writeFlag('--policy', chosen)),
    ...kept.others,
  ];
  return formatWrappedCommand({ launcher, flags, server: innermost(before) });
}

/** A value that starts with a dash is taken for a flag where it is a word of its own. */
function writeFlag(flag: string, value: string): readonly string[] {
  return value.startsWith('-') ? [`${flag}=${value}`] : [flag, value];
}

function splitFlags(flags: readonly string[]): { readonly policy: string | undefined; readonly others: readonly string[] } {
  let policy: string | undefined;
  const others: string[] = [];
  for (let i = 0; i < flags.length; i++) {
    const word = flags[i] ?? '';
    if (word === '--server') i++;
    else if (word === '--policy') policy = flags[++i];
    else if (word.startsWith('--policy=')) policy = word.slice('--policy='.length);
    else if (!word.startsWith('--server=')) others.push(word);
  }
  return { policy, others };
}

function notesAbout({ entry, found }: FoundServer): readonly string[] {
  const variables = variablesThatChangeClawai(entry.env ?? {});
  const remarks = [...(found.location.remarks ?? []), ...(found.client.remarks ?? [])];
  return [
    ...(variables.length === 0 ? [] : [`its environment sets ${variables.join(', ')}, which clawai will see too`]),
    ...remarks.flatMap(({ ifEntryHas: key, text }) => (key !== undefined && entry.keys.includes(key) ? [text] : [])),
  ];
}
