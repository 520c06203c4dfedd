import type { FoundServer } from './read-servers.ts';
import { forbiddenBy, type AllowList } from './allow-list.ts';
import { variablesThatChangeClawai } from './environment.ts';
import { showUrl } from '../remote/remote-server.ts';
import type { WrappedServer } from '../remote/state-text.ts';
import { commandOf, type Launch, vouchedLine } from './launch.ts';
import { planRemote } from './plan-remote.ts';
import { isPortable, type Portable, portableKind, portableLauncher, shellOf } from './portable.ts';
import type { AnswerTo, Sharing, SkipReason } from './remote-answer.ts';
import type { Routes } from './routes.ts';
import type { EntryRecord } from './files/state-record.ts';
import { broughtBy, isProjects, weaknessOf } from './weakness.ts';
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
 * `wrapped`: it is already behind this clawai. `update`: it is behind another clawai, or has other flags. `adopt`: a project contains it
 * exactly as we would write it, or a person has agreed to what it brings along, and our record vouches for it from now on.
 */
export type EntryAction = 'wrap' | 'update' | 'adopt' | 'wrapped' | 'skip';

/** Tells whether the action changes anything, even if only our record. */
export function isChange(action: EntryAction): boolean {
  return action === 'wrap' || action === 'update' || action === 'adopt';
}

/** The plan for one server. */
export interface PlannedEntry {
  readonly file: string;
  readonly pointer: string;
  readonly server: string;
  /** Ids of the clients that read it, the one it was found under first. */
  readonly clients: readonly string[];
  readonly scope: string;
  /** 1-based line of the entry's key. */
  readonly line: number;
  readonly isDisabled: boolean;
  readonly action: EntryAction;
  readonly reason?: SkipReason | undefined;
  /** Details of the reason, a sentence without full stop. */
  readonly detail?: string | undefined;
  /** Notes for a person, sentences without full stop. */
  readonly notes: readonly string[];
  /** Command lines, or redacted URLs; undefined if the entry has neither. */
  readonly before?: Launch | undefined;
  /** Also of a skipped entry, if an administrator can write or allow it. */
  readonly after?: Launch | undefined;
  /** The reason why clawai may not enforce your policy, a phrase without full stop. */
  readonly weakness?: string | undefined;
  /** The server to store before the entry gets its URL. */
  readonly remote?: WrappedServer | undefined;
}

/** The rules for planning all entries. */
export interface EntryRules {
  /** The words that start clawai, before `proxy`. */
  readonly launcher: readonly string[];
  /** The way in which shared project files start clawai on every machine; undefined keeps the entry's way, else uses `launcher`. */
  readonly portable?: Portable | undefined;
  /** This clawai's version. */
  readonly version: string;
  /** Absolute path for `--policy`; undefined keeps the entry's flag, if any. */
  readonly policy?: string | undefined;
  /** Administrators' lists of exact command lines. */
  readonly allowLists: readonly AllowList[];
  /** Returns why an entry's file must stay unchanged, if a team shares it. */
  readonly sharing: (server: FoundServer) => Sharing | 'own-entry' | undefined;
  /** URLs that lead to `clawai serve`. */
  readonly routes: Routes;
  /** Returns the answers of remote servers that were asked. */
  readonly answerTo?: AnswerTo | undefined;
  /** True if somebody named the selected servers. */
  readonly isNamed?: boolean | undefined;
  /** Tells whether a person has agreed to what the user's own entry brings along, e.g. `--observe`; undefined agrees to none. */
  readonly isAgreed?: ((server: FoundServer) => boolean) | undefined;
}

/**
 * Plans the change of one server's entry.
 * @param realFile real path of its config
 * @param known our record of it; a project's entry without a record keeps no flags, since anybody may have written it
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
  // Anybody may have written a project file's flags; our record has yours.
  const flags = (isProjects(server) ? vouched && parseWrappedCommand(vouched) : current)?.flags ?? [];
  const after = wrappedCommand(entry.name, before, {
    launcher: launcherFor(server, { before, current }, rules),
    policy: rules.policy,
    flags,
  });
  const weakness = weaknessOf({ ...server, entry: { ...entry, ...after } }, after);
  const brought = broughtBy(server, { vouched, policy: rules.policy });
  const isRefused = brought.length > 0 && (isProjects(server) || rules.isAgreed?.(server) !== true);
  const leave = (): PlannedEntry => ({ ...skip('brought', brought.join(', ')), before, weakness });
  if (isSameCommand(before, after)) {
    if (isRefused) return leave();
    const isVouched = isProjects(server) ? vouched !== undefined && isSameVouched(before, vouched) : brought.length === 0;
    return { ...planned, action: isVouched ? 'wrapped' : 'adopt', before, after, weakness };
  }
  const refusal = reasonToSkip(server, { before, after }, rules);
  if (refusal !== undefined) return { ...skip(...refusal), before, ...(OF_OTHERS.includes(refusal[0]) ? { after } : {}) };
  if (isRefused) return leave();
  return { ...planned, action: current === undefined ? 'wrap' : 'update', before, after, weakness };
}

/** Reasons that an administrator can take away, who needs to know the command. */
const OF_OTHERS: readonly SkipReason[] = ['managed', 'allow-list'];

/** Tells whether the record vouches for how clawai is started. The server behind it may have changed since. */
function isSameVouched(before: CommandLine, vouched: CommandLine): boolean {
  const server = innermost(before);
  const known = parseWrappedCommand(vouched);
  return known !== undefined && isSameCommand(before, formatWrappedCommand({ ...known, server }));
}

/** Chooses the launcher. A file that other machines share keeps a way that works on each of them, with this version. */
function launcherFor(
  { found }: FoundServer,
  { before, current }: { readonly before: CommandLine; readonly current: WrappedCommand | undefined },
  rules: EntryRules,
): readonly string[] {
  const { launcher, portable, version } = rules;
  if (found.location.isShared !== true) return launcher;
  const kind = portable ?? portableKind(current?.launcher ?? []);
  if (kind === undefined) return launcher;
  const isFit = current !== undefined && portableKind(current.launcher) === kind && isPortable(current.launcher, version);
  return isFit ? current.launcher : [...shellOf([before.command, ...before.args]), ...portableLauncher(kind, version)];
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
  if (location.isPluginCache === true) return ['plugin-cache'];
  if (parseWrappedCommand(before) === undefined) {
    if (startsClawai(before)) return ['clawai'];
    const other = otherWrapper(before);
    if (other !== undefined) return ['other-wrapper', `${other} stands in front of it`];
  }
  const forbidden = forbiddenBy(rules.allowLists, { server: server.entry.name, clients: server.clients, before, after });
  if (forbidden !== undefined) return ['allow-list', forbidden];
  if (rules.portable !== undefined && location.isShared === true) {
    const own = parseWrappedCommand(after)?.flags.find((flag) => /^--(?:policy|config)(?:=|$)/.test(flag));
    return own === undefined ? undefined : ['machine-path', `it has ${own.split('=')[0]}`];
  }
  const sharing = rules.sharing(server);
  return sharing === undefined ? undefined : [sharing];
}

/** Builds the command line behind clawai. Flags of your own entries, e.g. `--observe`, were your wish and stay. */
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
    /** The flags to keep. */
    readonly flags: readonly string[];
  },
): CommandLine {
  const kept = splitFlags(old);
  const chosen = policy ?? kept.policy;
  const flags = [
    // No operating system accepts a NUL in an argument.
    ...(name === '' ? [] : writeFlag('--server', name.replaceAll('\0', '\uFFFD'))),
    ...(chosen === undefined ? [] : writeFlag('--policy', chosen)),
    ...kept.others,
  ];
  return formatWrappedCommand({ launcher, flags, server: innermost(before) });
}

/** A separate word that starts with a dash would be parsed as a flag. */
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
