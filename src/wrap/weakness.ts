import { existsSync } from 'node:fs';
import { isAbsolute, resolve, win32 } from 'node:path';
import { variablesOfClawai, variablesThatChangePolicy, variablesThatReplaceClawai } from './environment.ts';
import { commandOf } from './launch.ts';
import { portableKind, projectFolderOf, type PlacedFile, readBrought, standInFor } from './portable.ts';
import type { FoundServer } from './read-servers.ts';
import { parseWrappedCommand, type CommandLine, type WrappedCommand } from './wrapped-command.ts';

/** The parts of a server that show whether its clawai enforces your policy. */
export interface Weighed {
  readonly entry: Pick<FoundServer['entry'], 'kind' | 'command' | 'args' | 'env'> &
    Partial<Pick<FoundServer['entry'], 'keys' | 'envFile'>>;
  readonly found: PlacedFile;
}

/**
 * Says why an entry that starts its server behind clawai may not enforce your policy, as a phrase without full stop; undefined if nothing
 * is suspicious. The author of the entry may be hostile: a repository contains its own files.
 * @param vouched the entry's command line in our own record
 */
export function weaknessOf(server: Weighed, vouched: CommandLine | undefined): string | undefined {
  const line = commandOf(server);
  const wrapped = line === undefined ? undefined : parseWrappedCommand(line);
  if (wrapped === undefined) return undefined;
  const { flags, launcher } = wrapped;
  if (flags.some((flag) => flag === '--observe' || flag.startsWith('--observe='))) {
    return 'it only observes: --observe lets denied calls pass';
  }
  const { env = {} } = server.entry;
  const isFound = !isAbsolute(launcher[0] ?? '') && !win32.isAbsolute(launcher[0] ?? '');
  const variables = isProjects(server) ? variablesThatReplaceClawai(env, isFound) : variablesThatChangePolicy(env);
  if (variables.length > 0) return `its environment sets ${variables.join(', ')}, which can give clawai another policy`;
  const known = vouched === undefined ? undefined : parseWrappedCommand(vouched);
  return isProjects(server) ? weaknessOfProjects(server, wrapped, known) : weaknessOfOwn(wrapped, known);
}

/** Checks a project's entry against our record, word by word, since the next pull may bring another entry. */
function weaknessOfProjects(
  { entry, found }: Weighed,
  { launcher, flags }: WrappedCommand,
  known: WrappedCommand | undefined,
): string | undefined {
  if (known === undefined) return 'it came with a project: nobody has wrapped it on this machine';
  if (!isSame(launcher, known.launcher)) return `the project has it start another clawai than was wrapped: ${launcher.join(' ')}`;
  if (!isSame(flags, known.flags)) return `the project gave clawai other flags than were wrapped: ${flags.join(' ')}`;
  const folder = projectFolderOf(found);
  if (folder === undefined) return undefined;
  if (entry.keys?.includes('cwd') === true && portableKind(launcher) === 'npx') {
    return 'it starts in a folder of its own ("cwd"), where npx may find another clawai';
  }
  return standInFor(launcher, folder) ?? weaknessOfFile(entry.envFile, folder);
}

/** Matches a variable as VS Code reads it: a name after any white space or byte order mark, and before `=` or `: `. */
const VARIABLE = /^[^\S\r\n\u2028\u2029]*(?:export[^\S\r\n\u2028\u2029]+)?([A-Za-z_]\w*)(?:\s*=|:\s)/gm;

/** Checks a file from which the client reads more variables; the project may contain it. */
function weaknessOfFile(envFile: string | undefined, project: string): string | undefined {
  if (envFile === undefined) return undefined;
  const name = envFile.replaceAll('${workspaceFolder}', project);
  if (name.includes('${')) return `its environment comes from ${envFile}, and clawai cannot tell which file that is`;
  const file = resolve(project, name);
  if (!existsSync(file)) return undefined;
  try {
    const names = readBrought(file).matchAll(VARIABLE);
    const variables = variablesThatReplaceClawai(
      Object.fromEntries(Array.from(names, ([, variable = '']) => [variable, ''])),
      true,
    );
    return variables.length === 0 ? undefined : `${file} sets ${variables.join(', ')}, which can give clawai another policy`;
  } catch (error) {
    return `its environment comes from ${file}, which can't be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function weaknessOfOwn({ launcher, flags }: WrappedCommand, known: WrappedCommand | undefined): string | undefined {
  if (!isSame(launcher, known?.launcher) && launcher.some(isOption)) {
    return `it starts clawai with options of its own: ${launcher.filter(isOption).join(' ')}`;
  }
  if (isSame(flags, known?.flags)) return undefined;
  const config = valueOf(flags, '--config');
  if (config !== undefined) return `it brings a config of its own: ${config}`;
  const policy = valueOf(flags, '--policy');
  if (policy === undefined || policy === valueOf(known?.flags ?? [], '--policy')) return undefined;
  return known === undefined
    ? `it brings a policy of its own: ${policy}`
    : `it was given another policy after it was wrapped: ${policy}`;
}

/** Flags that make clawai enforce less, or something else. */
const WEAKENING = ['--observe', '--policy', '--config'];

/**
 * Lists the flags and variables of an entry that choose what clawai enforces, and that our record does not vouch for. Wrapping it as it is
 * would make them the user's wish. A project's flags don't count, since wrapping drops them.
 * @param vouched the entry's command line in our own record
 * @param policy the policy that it is about to get in place of its own
 */
export function broughtBy(
  server: Weighed,
  { vouched, policy }: { readonly vouched: CommandLine | undefined; readonly policy: string | undefined },
): readonly string[] {
  const line = commandOf(server);
  const flags = isProjects(server) || line === undefined ? [] : (parseWrappedCommand(line)?.flags ?? []);
  const known = vouched === undefined ? [] : (parseWrappedCommand(vouched)?.flags ?? []);
  const words = (from: readonly string[], flag: string): readonly string[] =>
    from.flatMap((word, i) => (word === flag ? [word, from[i + 1] ?? ''] : word.startsWith(`${flag}=`) ? [word] : []));
  const isReplaced = (flag: string): boolean => flag === '--policy' && policy !== undefined;
  const brought = WEAKENING.filter(
    (flag) => !isReplaced(flag) && words(flags, flag).length > 0 && !isSame(words(flags, flag), words(known, flag)),
  );
  const isVouched = vouched !== undefined && !isProjects(server);
  return [...brought, ...(isVouched ? [] : variablesOfClawai(server.entry.env ?? {}))];
}

/** Tells whether a file belongs to a project, and so perhaps to a stranger. */
export function isProjects({ found }: Weighed): boolean {
  return found.location.scope === 'project';
}

/** Returns the value of a flag: `--config x` or `--config=x`. */
export function valueOf(flags: readonly string[], flag: string): string | undefined {
  const at = flags.indexOf(flag);
  return at === -1 ? flags.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1) : flags[at + 1];
}

/**
 * Tells whether a word is an option of the launcher, which can run other code in clawai's process or with other settings; package runners
 * and Windows' shell need these few.
 */
function isOption(word: string): boolean {
  return word.startsWith('-') && !['-y', '--yes', '--'].includes(word);
}

function isSame(words: readonly string[], others: readonly string[] | undefined): boolean {
  return others !== undefined && words.length === others.length && words.every((word, i) => word === others[i]);
}
