import { ClawaiError, EXIT } from '../../errors.ts';
import { unifiedDiff } from '../../wrap/unified-diff.ts';
import { formatDiff } from '../terminal/colour.ts';
import { defineCommand, type Parsed } from '../command.ts';
import { formatExcerpt } from '../terminal/excerpt.ts';
import { findAskedPolicy } from '../machine/find-present-policy.ts';
import { isOwnTarget } from './own-target.ts';
import { readTarget, type Target, type TargetResult } from './read-target.ts';
import { writeTarget } from './write-target.ts';
import { formatError, formatPolicyFaults } from '../terminal/errors.ts';
import { isQuiet } from '../terminal/notes.ts';
import { printable } from '../terminal/printable.ts';
import { refuseAgents } from '../terminal/person.ts';
import { STDIN } from '../terminal/stdin.ts';

const ARGS = {
  check: { type: 'boolean', description: 'Write nothing; list what is not formatted, and exit with 1 if anything is.' },
  'dry-run': { type: 'boolean', description: 'Write nothing; show what would change as a diff.' },
  policy: { type: 'string', hint: 'FILE', description: 'The same as FILE.' },
  project: { type: 'boolean', description: "They are projects' policies; without FILE, the one of the project around here." },
  json: { type: 'boolean', description: 'Print one JSON object.' },
} as const;

/** `clawai policy fmt`: writes policies as everybody writes them, and changes nothing of what they say. */
export const policyFmtCommand = defineCommand({
  meta: {
    name: 'policy fmt',
    description:
      'Format policies: the order of keys in a rule, spaces, quotes, empty lines, and long arrays with a line for each element.',
    notes: [
      'Comments stay where they are, and strings are what they were. It is proved that the policy is the very same before anything is written; one with a ' +
        'mistake stays as it is, and the mistake is shown as by `clawai policy lint`.',
      'The policy that counts here, and all else that makes up clawai, is formatted for a person only and not from a process that an agent has started. ' +
        '--check, --dry-run and - write nothing, and anybody may run them.',
    ],
    exitCodes: {
      0: 'all are formatted now',
      1: '--check has found some that are not',
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
    description: 'Policies; without any, the one that `clawai proxy` would use. - is stdin, and goes to stdout.',
  },
  async run({ flags, words }) {
    const names = await chooseNames({ flags, words });
    const results: TargetResult[] = [];
    for (const name of names) results.push(await finish(await readTarget(name, flags.project), flags));
    const output = flags.json ? toJson(results) : results.map((result) => describe(result, flags)).join('');
    process.stdout.write(output);
    if (!flags.json) process.stderr.write(results.map(describeFailure).join(''));
    if (results.some(({ ok }) => !ok)) return EXIT.usage;
    return flags.check && results.some(isChanged) ? EXIT.mismatch : EXIT.ok;
  },
});

type Flags = Parsed<typeof ARGS>['flags'];

async function chooseNames({ flags, words }: Pick<Parsed<typeof ARGS>, 'flags' | 'words'>): Promise<readonly string[]> {
  const { policy, project } = flags;
  if (policy !== undefined && words.length > 0) throw usage('--policy and FILE are both given', 'give one of them');
  if (words.includes('-') && words.length > 1) throw usage('- stands alone', 'format files and stdin one after the other');
  if (words.includes('-') && flags.json) throw usage('- and --json both want stdout', 'give one of them');
  if (policy !== undefined) return [policy];
  if (words.length > 0) return words;
  const found = await findAskedPolicy({ policy: undefined, project });
  if (found.kind === 'file') return [found.file];
  throw new ClawaiError(`there is no policy at ${found.lookedAt}`, {
    code: 'policy_not_found',
    hint: 'run `clawai init` for one of your own, or name a FILE',
  });
}

/** Writes what is to be written; a failure of that is one more thing that can come of it. */
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

/** The first line that is not as it should be, from 1. */
function firstDifference(before: string, after: string): number {
  const [lines, wanted] = [before.split('\n'), after.split('\n')];
  const index = lines.findIndex((line, at) => line !== wanted[at]);
  return index === -1 ? lines.length : index + 1;
}

function describeFailure(result: TargetResult): string {
  if (result.ok) return '';
  const { file, text, error } = result;
  const lines = text.replace(/^\uFEFF/, '');
  const excerpt = ({ line, column }: { line?: number; column?: number }): string =>
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
  return `${JSON.stringify({ ok: files.every(({ ok }) => ok), files }, undefined, 2)}\n`;
}

function usage(message: string, hint: string): ClawaiError {
  return new ClawaiError(message, { code: 'usage', hint });
}
