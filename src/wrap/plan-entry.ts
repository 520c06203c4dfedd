import type { FoundServer } from './read-servers.ts';
import { forbiddenBy, type AllowList } from './allow-list.ts';
import { variablesThatChangeClawai } from './environment.ts';
import { showUrl } from '../remote/remote-server.ts';
import type { WrappedServer } from '../remote/state-text.ts';
import { commandOf, type Launch, vouchedLine } from './launch.ts';
import { planRemote } from './plan-remote.ts';
import { isPortable, type Portable, portableKind, portableLauncher } from './portable.ts';
import type { AnswerTo, Sharing, SkipReason } from './remote-answer.ts';
import type { Routes } from './routes.ts';
import type { EntryRecord } from './files/state-record.ts';
import { isProjects, weaknessOf } from './weakness.ts';
import {
  formatWrappedCommand,
  innermost,
  isSameCommand,
  otherWrapper,
  parseWrappedCommand,
  startsClawai,
  type CommandLine,
  type WrappedCommand,
} from './wrapped-command.ts';

/**
 * `wrapped`: it is behind this clawai already. `update`: behind another one, or with other flags. `adopt`: a project brought it along as we
 * would write it, and from then on our record vouches for it.
 */
export type EntryAction = 'wrap' | 'update' | 'adopt' | 'wrapped' | 'skip';

/** Is anything done about the entry, be it in our record alone? */
export function isChange(action: EntryAction): boolean {
  return action === 'wrap' || action === 'update' || action === 'adopt';
}

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
  /** Why clawai may not hold your policy even so, a phrase without full stop. */
  readonly weakness?: string | undefined;
  /** What has to be remembered before the entry gets its URL. */
  readonly remote?: WrappedServer | undefined;
}

/** What decides about every entry alike. */
export interface EntryRules {
  /** The words that start clawai, before `proxy`. */
  readonly launcher: readonly string[];
  /** How files of projects start clawai on every machine; undefined keeps the way that an entry has, else `launcher`. */
  readonly portable?: Portable | undefined;
  /** Of this clawai. */
  readonly version: string;
  /** Absolute path for `--policy`; undefined keeps what an entry says, by default nothing. */
  readonly policy?: string | undefined;
  /** Administrators' lists of exact command lines. */
  readonly allowLists: readonly AllowList[];
  /** Why an entry's file shall stay as it is, where a team shares it. */
  readonly sharing: (server: FoundServer) => Sharing | 'own-entry' | undefined;
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
  const vouched = vouchedLine(known);
  const current = parseWrappedCommand(before);
  // What a project's file says of flags is anybody's word; our record has yours.
  const flags = (isProjects(server) ? vouched && parseWrappedCommand(vouched) : current)?.flags ?? [];
  const after = wrappedCommand(entry.name, before, {
    launcher: launcherFor(server, current, rules),
    policy: rules.policy,
    flags,
  });
  const weakness = weaknessOf({ ...server, entry: { ...entry, ...after } }, after);
  if (isSameCommand(before, after)) {
    const isVouched = !isProjects(server) || (vouched !== undefined && isSameVouched(before, vouched));
    return { ...planned, action: isVouched ? 'wrapped' : 'adopt', before, after, weakness };
  }
  const refusal = reasonToSkip(server, { before, after }, rules);
  if (refusal !== undefined) return { ...skip(...refusal), before };
  return { ...planned, action: current === undefined ? 'wrap' : 'update', before, after, weakness };
}

/** Does the record vouch for how clawai is started? What is behind it may have changed since. */
function isSameVouched(before: CommandLine, vouched: CommandLine): boolean {
  const server = innermost(before);
  const known = parseWrappedCommand(vouched);
  return known !== undefined && isSameCommand(before, formatWrappedCommand({ ...known, server }));
}

/** In a file that other machines get, the way that works on each of them stays, with this version. */
function launcherFor({ found }: FoundServer, current: WrappedCommand | undefined, rules: EntryRules): readonly string[] {
  const { launcher, portable, version } = rules;
  if (found.location.isShared !== true) return launcher;
  const kind = portable ?? portableKind(current?.launcher ?? []);
  if (kind === undefined) return launcher;
  const isFit = current !== undefined && portableKind(current.launcher) === kind && isPortable(current.launcher, version);
  return isFit ? current.launcher : portableLauncher(kind, version);
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
  if (rules.portable !== undefined && location.isShared === true) {
    const own = parseWrappedCommand(after)?.flags.find((flag) => /^--(?:policy|config)(?:=|$)/.test(flag));
    return own === undefined ? undefined : ['machine-path', `it has ${own.split('=')[0]}`];
  }
  const sharing = rules.sharing(server);
  return sharing === undefined ? undefined : [sharing];
}

/** The command line behind clawai. Flags that an entry of yours has already, e.g. `--observe`, were your wish and stay. */
function wrappedCommand(
  name: string,
  before: CommandLine,
  {
    launcher,
    policy,
    flags: old,
  }: {
    readonly launcher: readonly string[];
    readonly policy: string | undefined;
    /** Those that stay. */
    readonly flags: readonly string[];
  },
): CommandLine {
  const kept = splitFlags(old);
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
