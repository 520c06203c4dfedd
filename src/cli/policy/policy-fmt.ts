import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { loadConfig } from '../../config/config-file.ts';
import { type Config, defaultConfig } from '../../config/config.ts';
import { findFile } from '../../config/find-file.ts';
import { formatPolicy } from '../../config/rewrite-policy.ts';
import { readTomlText } from '../../config/toml-file.ts';
import { foldPath, toSlashes } from '../../core/paths/absolute-path.ts';
import { compileOwnPaths, isOwn, PROJECT_FOLDER } from '../../core/self/own-paths.ts';
import { ClawaiError, EXIT, type Place } from '../../errors.ts';
import { writeAtomically } from '../../host/atomic-write.ts';
import type { Machine } from '../../host/directories.ts';
import { toDiskError } from '../../host/disk.ts';
import { pathStyle, realPath } from '../../host/paths.ts';
import { resolveTarget } from '../../wrap/files/read-config.ts';
import { unifiedDiff } from '../../policy-tools/format/unified-diff.ts';
import { defineCommand, type Parsed, usageError } from '../command.ts';
import { findAskedPolicy } from '../machine/find-present-policy.ts';
import { listOwnPaths, ownFiles } from '../machine/own-paths.ts';
import { formatDiff } from '../terminal/colour.ts';
import { formatError, formatExcerpt, formatPolicyFaults } from '../terminal/errors.ts';
import { isQuiet, printError } from '../terminal/notes.ts';
import { refuseAgents } from '../terminal/person.ts';
import { printable, prettyJson } from '../terminal/text.ts';
import { nameOfFile, readStdinPolicy, STDIN } from '../terminal/streams.ts';

const ARGS = {
  check: { type: 'boolean', description: 'Write nothing. List what is not formatted, and exit with 1 if anything is.' },
  'dry-run': { type: 'boolean', description: 'Write nothing. Print what would change as a diff.' },
  policy: { type: 'string', hint: 'FILE', description: 'The same as FILE.' },
  project: {
    type: 'boolean',
    description: "Read them as projects' policies. Without FILE, format that of the project around this folder.",
  },
  json: { type: 'boolean', description: 'Print one JSON object.' },
} as const;

/** `clawai policy fmt`: writes policies as everybody writes them, and changes nothing of what they say. */
export const policyFmtCommand = defineCommand({
  meta: {
    name: 'policy fmt',
    description:
      'Format policies: the order of keys in a rule, spaces, quotes, empty lines, and one line for each element of a long array.',
    notes: [
      'Comments stay where they are, and strings keep their value. Before it writes, clawai proves that the policy means the same. A policy with an error stays as it is, and the error is shown as by `clawai policy lint`.',
      "Only a person may format the policy in use here and clawai's other files, and not from a process that an agent started. Anybody may use --check, --dry-run and -, which write nothing.",
    ],
    exitCodes: {
      0: 'all are formatted now',
      1: '--check found some that are not',
      2: 'something could not be read, formatted or written; the others were',
    },
    examples: [
      'clawai policy fmt',
      'clawai policy fmt --check policies/*.toml',
      'clawai policy fmt --dry-run policy.toml',
      'clawai policy fmt - < policy.toml',
    ],
  },
  args: ARGS,
  words: {
    hint: 'FILE…',
    description: 'Policies; - is stdin, and prints to stdout. The default is the one that `clawai proxy` would use.',
  },
  async run({ flags, words }) {
    const names = await chooseNames({ flags, words });
    const results: TargetResult[] = [];
    for (const name of names) results.push(await finish(await readTarget(name, flags.project), flags));
    const output = flags.json ? toJson(results) : results.map((result) => describe(result, flags)).join('');
    process.stdout.write(output);
    if (!flags.json) printError(results.map(describeFailure).join(''));
    if (results.some(({ ok }) => !ok)) return EXIT.usage;
    return flags.check && results.some(isChanged) ? EXIT.mismatch : EXIT.ok;
  },
});

type Flags = Parsed<typeof ARGS>['flags'];

async function chooseNames({ flags, words }: Pick<Parsed<typeof ARGS>, 'flags' | 'words'>): Promise<readonly string[]> {
  const { policy, project } = flags;
  if (policy !== undefined && words.length > 0) throw usageError('--policy and FILE are both given', 'give one of them');
  if (words.includes('-') && words.length > 1) throw usageError('- stands alone', 'format files and stdin one after the other');
  if (words.includes('-') && flags.json) throw usageError('- and --json both want stdout', 'give one of them');
  if (policy !== undefined) return [policy];
  if (words.length > 0) return words;
  const found = await findAskedPolicy({ policy: undefined, project });
  if (found.kind === 'file') return [found.file];
  throw new ClawaiError(`there is no policy at ${found.missingFile}`, {
    code: 'policy_not_found',
    hint: 'run `clawai init` for one of your own, or name a FILE',
  });
}

/** Writes a formatted policy if it differs and flags allow it; a failure becomes the result. */
async function finish(result: TargetResult, flags: Flags): Promise<TargetResult> {
  if (!isChanged(result) || flags.check || flags['dry-run'] || isStdin(result.target)) return result;
  const { target } = result;
  try {
    if (await isOwnTarget(target.file)) refuseAgents('policy fmt');
    writeTarget(target);
    return result;
  } catch (error) {
    if (error instanceof ClawaiError) return { ok: false, file: target.file, text: target.before, error };
    throw error;
  }
}

function isChanged(result: TargetResult): result is Extract<TargetResult, { ok: true }> {
  return result.ok && result.target.before !== result.target.after;
}

function isStdin({ file }: Target): boolean {
  return file === STDIN;
}

function describe(result: TargetResult, flags: Flags): string {
  if (!result.ok) return '';
  const { file, before, after } = result.target;
  const isSame = before === after;
  const { check, 'dry-run': isDryRun } = flags;
  if (check && !isSame && !isDryRun) return `${printable(file)}:${firstDifference(before, after)}: not formatted\n`;
  if (isDryRun) return formatDiff(unifiedDiff(file, before, after));
  if (check) return '';
  if (isStdin(result.target)) return after;
  if (isSame && isQuiet()) return '';
  return `${isSame ? 'kept ' : 'wrote'}  ${printable(file)}\n`;
}

/** The number of the first line that formatting changes, from 1. */
function firstDifference(before: string, after: string): number {
  const [lines, wanted] = [before.split('\n'), after.split('\n')];
  const index = lines.findIndex((line, at) => line !== wanted[at]);
  return index === -1 ? lines.length : index + 1;
}

function describeFailure(result: TargetResult): string {
  if (result.ok) return '';
  const { file, text, error } = result;
  const lines = text.replace(/^\uFEFF/, '');
  const excerpt = ({ line, column }: Place): string =>
    line === undefined || column === undefined ? '' : formatExcerpt(lines, line, column);
  return error.faults.length === 0 ? formatError(error, excerpt) : formatPolicyFaults(printable(file), error.faults, excerpt);
}

function toJson(results: readonly TargetResult[]): string {
  const files = results.map((result) => {
    if (result.ok)
      return { file: result.target.file, ok: true, formatted: result.target.before === result.target.after, errors: [] };
    const { message, hint, faults } = result.error;
    const errors =
      faults.length === 0
        ? [{ message, hint }]
        : faults.map(({ place, ...fault }) => ({ ...fault, line: place.line, column: place.column }));
    return { file: result.file, ok: false, formatted: null, errors };
  });
  return prettyJson({ ok: files.every(({ ok }) => ok), files });
}

/** Tells whether a file belongs to clawai, such as the policy that decides here. No agent may have those written. */
async function isOwnTarget(file: string): Promise<boolean> {
  const machine = { env: process.env, platform: process.platform, home: homedir() };
  const style = pathStyle(machine.platform);
  const config = await configOf(machine);
  const start = { file: policyOf(machine), project: undefined };
  const own = compileOwnPaths(
    listOwnPaths({ ...machine, stateDir: config.stateDir, files: ownFiles(start, config) }, realPath),
    style,
  );
  const path = resolve(file);
  return [path, realPath(path)].some((each) => isOwn(foldPath(style === 'windows' ? toSlashes(each) : each, style), own));
}

async function configOf(machine: Machine): Promise<Config> {
  try {
    return await loadConfig(machine);
  } catch (error) {
    // A fault in the config is not this command's concern.
    if (error instanceof ClawaiError) return defaultConfig(machine);
    throw error;
  }
}

function policyOf(machine: Machine): string {
  try {
    return findFile('policy', machine).file;
  } catch (error) {
    // A named policy that is missing can't be the target; the usual one may be.
    if (error instanceof ClawaiError) return findFile('policy', { ...machine, env: { ...machine.env, CLAWAI_POLICY: '' } }).file;
    throw error;
  }
}

/** A policy's text before and after formatting. */
interface Target {
  /** The file's name as given, or `<stdin>`. */
  readonly file: string;
  readonly before: string;
  /** Equal to `before` if that is formatted already. */
  readonly after: string;
}

/** A policy that was read, or its error; `text` is what the faults are about, empty if nothing was read. */
type TargetResult =
  | { readonly ok: true; readonly target: Target }
  | { readonly ok: false; readonly file: string; readonly text: string; readonly error: ClawaiError };

/** Reads and formats a policy. `-` is stdin. A policy in a folder `.clawai` is always a project's. */
async function readTarget(name: string, isProject: boolean): Promise<TargetResult> {
  const file = nameOfFile(name);
  let text = '';
  try {
    text = name === '-' ? await readStdinPolicy() : readTomlText('policy', name);
    const isInProject = name !== '-' && basename(dirname(resolve(name))) === PROJECT_FOLDER;
    const formatted = await formatPolicy(text, { file, isProject: isProject || isInProject });
    if (formatted.ok) return { ok: true, target: { file, before: text, after: formatted.text } };
    const error = new ClawaiError(`the policy cannot be formatted: ${formatted.reason}`, {
      code: 'policy_unreadable',
      place: { file },
      hint: 'nothing was written; please report this, with the policy if you may',
    });
    return { ok: false, file, text, error };
  } catch (error) {
    if (error instanceof ClawaiError) return { ok: false, file, text, error };
    throw error;
  }
}

/**
 * Puts a formatted policy in the place of what was read. A link stays one, mode and owner stay, and nobody sees half of it.
 *
 * @throws ClawaiError `config_unwritable`, also where the file is another one by now
 */
function writeTarget({ file, before, after }: Target): void {
  try {
    const { path, stats } = resolveTarget(file);
    // A writable folder lets a read-only file be replaced, but that is meant to stay as it is.
    accessSync(path, constants.W_OK);
    writeAtomically(path, Buffer.from(after), {
      mode: Number(stats.mode) & 0o7777,
      owner: { uid: Number(stats.uid), gid: Number(stats.gid) },
      beforeReplacing: () => {
        if (readTomlText('policy', path) !== before) throw changed(file);
      },
    });
  } catch (error) {
    throw toDiskError(error, { file, failure: 'cannot be written', code: 'config_unwritable' });
  }
}

function changed(file: string): ClawaiError {
  return new ClawaiError('the policy has changed just now, and stays as it is', {
    code: 'config_unwritable',
    place: { file },
    hint: 'run this again',
  });
}
