import { variablesThatChangePolicy } from './environment.ts';
import { commandOf } from './launch.ts';
import type { FoundServer } from './read-servers.ts';
import type { EntryRecord } from './state-record.ts';
import { parseWrappedCommand, type CommandLine } from './wrapped-command.ts';

/**
 * Says why an entry that starts its server behind clawai may not hold your policy, as a phrase without full stop; undefined where
 * nothing speaks against it. Whoever wrote the entry may be hostile: a repository brings its own files.
 * @param known our record of the entry, which vouches for the flags and the launcher that we wrote ourselves
 */
export function weaknessOf(server: FoundServer, known: EntryRecord | undefined): string | undefined {
  const line = commandOf(server);
  const wrapped = line === undefined ? undefined : parseWrappedCommand(line);
  if (line === undefined || wrapped === undefined) return undefined;
  const { flags, launcher } = wrapped;
  if (flags.some((flag) => flag === '--observe' || flag.startsWith('--observe='))) {
    return 'it only observes: --observe lets denied calls pass';
  }
  const variables = variablesThatChangePolicy(server.entry.env ?? {});
  if (variables.length > 0) return `its environment sets ${variables.join(', ')}, which can give clawai another policy`;
  const vouched = known === undefined ? undefined : parseWrappedCommand(lineOf(known));
  if (vouched === undefined && isProjects(server)) return 'a project brought it along: nobody has wrapped it on this machine';
  if (!isSame(launcher, vouched?.launcher) && launcher.some(isOption)) {
    return `it starts clawai with options of its own: ${launcher.filter(isOption).join(' ')}`;
  }
  if (isSame(flags, vouched?.flags)) return undefined;
  const config = valueOf(flags, '--config');
  if (config !== undefined) return `it brings a config of its own: ${config}`;
  const policy = valueOf(flags, '--policy');
  const isNew = vouched !== undefined && policy !== valueOf(vouched.flags, '--policy');
  return policy !== undefined && isNew ? `it was given another policy after it was wrapped: ${policy}` : undefined;
}

/** A file that comes with a project, and so perhaps from a stranger. */
export function isProjects({ found }: FoundServer): boolean {
  return found.location.scope === 'project';
}

/** A word of this flag's: `--config x` or `--config=x`. */
export function valueOf(flags: readonly string[], flag: string): string | undefined {
  const at = flags.indexOf(flag);
  return at === -1 ? flags.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1) : flags[at + 1];
}

function lineOf({ wrapped: [command = '', ...args] }: EntryRecord): CommandLine {
  return { command, args };
}

/** Runs other code in clawai's process, or with other settings; package runners and Windows' shell need these few. */
function isOption(word: string): boolean {
  return word.startsWith('-') && !['-y', '--yes', '--'].includes(word);
}

function isSame(words: readonly string[], others: readonly string[] | undefined): boolean {
  return others !== undefined && words.length === others.length && words.every((word, i) => word === others[i]);
}
