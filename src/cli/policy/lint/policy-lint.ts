import { fixPolicy } from '../../../config/rewrite-policy.ts';
import { loadFoundPolicy } from '../../../config/policy-file.ts';
import { isJsonObject, type JsonValue } from '../../../core/json.ts';
import type { Policy } from '../../../core/policy/tables.ts';
import { ClawaiError, EXIT, faultsOf } from '../../../errors.ts';
import type { KnownTool } from '../../../policy-tools/lint/finding.ts';
import { type Lint, lintPolicy, type LintReport } from '../../../policy-tools/lint/lint-policy.ts';
import type { RegistryReader } from '../../../store/reading/registry-reader.ts';
import { unifiedDiff } from '../../../policy-tools/format/unified-diff.ts';
import { defineCommand, type Parsed, usageError } from '../../command.ts';
import { findAskedPolicy, POLICY_FLAG, PROJECT_FLAG, shippedNote } from '../../machine/find-present-policy.ts';
import { STORE_FLAGS } from '../../machine/open-store.ts';
import { openRegistry, sayEmpty } from '../../mcp/registry/entries.ts';
import { countOf } from '../../terminal/layout.ts';
import { formatDiff, hasColour } from '../../terminal/colour.ts';
import { isQuiet, note } from '../../terminal/notes.ts';
import { refuseAgents } from '../../terminal/person.ts';
import { chooseReporter } from '../annotations.ts';
import { rewritePolicy } from '../edit-policy.ts';
import {
  formatGithubLints,
  formatInvalidPolicy,
  formatJsonLints,
  formatSarifLints,
  formatTextLints,
  type LintOutput,
} from './lint-formats.ts';

const ARGS = {
  policy: POLICY_FLAG,
  project: PROJECT_FLAG,
  registry: { type: 'boolean', description: 'Compare names of servers, tools and arguments with what servers have listed.' },
  fix: { type: 'boolean', description: 'Remove what can go without changing a decision.' },
  'dry-run': { type: 'boolean', description: 'Print what --fix would change, and change nothing.' },
  'max-warnings': { type: 'string', hint: 'N', description: 'Allow N warnings before it fails (0).' },
  strict: { type: 'boolean', description: 'Fail for infos too.' },
  reporter: { type: 'enum', options: ['text', 'json', 'github', 'sarif'], description: 'How to print the findings (text).' },
  json: { type: 'boolean', description: 'The same as --reporter json.' },
  ...STORE_FLAGS,
} as const;

type Flags = Parsed<typeof ARGS>['flags'];

/** `clawai policy lint`: finds what a valid policy says in vain, or otherwise than it looks. */
export const policyLintCommand = defineCommand({
  meta: {
    name: 'policy lint',
    description: 'Find rules that never decide, that cannot match, or that mean something else than they seem to.',
    notes: [
      'An error is a rule that cannot do what it says. A warning is a rule that hardly does what was meant. An info is about what could be said better. Each finding has an id in brackets.',
      'To ignore a finding, write a comment in the rule or right above the place: `# lint-ignore ID: why it is right here`. Without a reason, it ignores nothing.',
      '--fix removes rules that others cover in full, with the comments that touch them, and comments that ignore nothing. It then checks that every call is decided as before. No agent may run it.',
    ],
    exitCodes: { 0: 'no errors or warnings', 1: 'there are some', 2: 'the policy is not valid' },
    examples: [
      'clawai policy lint',
      'clawai policy lint --policy policy.toml --fix --dry-run',
      'clawai policy lint --project --reporter github',
      'clawai policy lint --registry',
    ],
  },
  args: ARGS,
  async run({ flags }) {
    const reporter = chooseReporter(flags);
    const mostWarnings = readMostWarnings(flags);
    const isChanging = flags.fix && !flags['dry-run'];
    if (flags['dry-run'] && !flags.fix)
      throw usageError('--dry-run is about --fix', 'add --fix, or leave it out: lint alone changes nothing');
    if (flags.config !== undefined && !flags.registry)
      throw usageError('--config is about --registry', 'add --registry, which reads the store, or leave it out');
    if (isChanging && flags.policy === '-')
      throw usageError('--fix cannot write to stdin', 'add --dry-run to see the changes, or name a file');
    if (isChanging) refuseAgents('policy lint --fix');
    const print = (error: unknown): never => {
      if (error instanceof ClawaiError) process.stdout.write(formatInvalidPolicy(reporter, faultsOf(error, flags.policy ?? '')));
      throw error;
    };
    const found = await findAskedPolicy(flags).catch(print);
    if (found.kind === 'shipped') {
      if (flags.fix)
        throw usageError('there is no policy of your own to change', '`clawai init` writes one; --policy FILE names another');
      note(shippedNote(found, 'looked at') ?? '');
    }
    const { file } = found;
    const policy = await loadFoundPolicy(found, flags.project).catch(print);
    const { fixed, after } = flags.fix ? await fix(policy, { file, flags }) : { fixed: [], after: policy };
    const known = flags.registry ? await readKnown(flags.config) : undefined;
    const report = lintPolicy(after, flags.project, known);
    const ok = isFine(report, { mostWarnings, isStrict: flags.strict });
    const output: LintOutput = { file, report, ok, fixed, summary: summarise(report, after) };
    if (reporter === 'json') process.stdout.write(formatJsonLints(output));
    else if (reporter === 'github') process.stdout.write(formatGithubLints(output));
    else if (reporter === 'sarif') process.stdout.write(formatSarifLints(output));
    else if (!(isQuiet() && report.lints.length === 0))
      process.stdout.write(formatTextLints(output, after.text.replace(/^\uFEFF/, ''), hasColour(process.stdout)));
    return ok ? EXIT.ok : EXIT.mismatch;
  },
});

/** Reads the tools that servers have listed, and reports on stderr if there are none. */
async function readKnown(config: string | undefined): Promise<readonly KnownTool[]> {
  const opened = await openRegistry(config);
  try {
    const known = opened.reader === undefined ? [] : readKnownTools(opened.reader);
    if (known.length === 0) sayEmpty(opened);
    return known;
  } finally {
    opened.reader?.close();
  }
}

/** Makes the changes of `--fix`, or shows them with `--dry-run`. */
async function fix(
  policy: Policy,
  { file, flags }: { readonly file: string; readonly flags: Flags },
): Promise<{ readonly fixed: readonly Lint[]; readonly after: Policy }> {
  const { policy: after, fixed } = await fixPolicy(policy, { file, isProject: flags.project });
  if (fixed.length === 0) return { fixed, after: policy };
  const isShown = flags['dry-run'];
  const isText = chooseReporter(flags) === 'text';
  if (isShown) {
    const diff = unifiedDiff(file, policy.text, after.text);
    if (isText) process.stdout.write(`${formatDiff(diff)}\n`);
    // The policy is not changed, so its findings stay.
    return { fixed: [], after: policy };
  }
  rewritePolicy(file, { before: policy.text, after: after.text }, () =>
    usageError('the policy has changed just now, and stays as it is', 'try again'),
  );
  if (isText)
    process.stdout.write(
      `${fixed.map((lint) => `${file}:${lint.line}: removed ${lint.fix?.what ?? ''} [${lint.id}]`).join('\n')}\n\n`,
    );
  return { fixed, after };
}

function isFine(
  { lints }: LintReport,
  { mostWarnings, isStrict }: { readonly mostWarnings: number; readonly isStrict: boolean },
): boolean {
  const count = (severity: Lint['severity']): number => lints.filter((lint) => lint.severity === severity).length;
  return count('error') === 0 && count('warning') <= mostWarnings && !(isStrict && count('info') > 0);
}

function summarise({ lints, ignored }: LintReport, { rules }: Policy): string {
  const counts = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const count = lints.filter((lint) => lint.severity === severity).length;
    return count === 0 ? [] : [countOf(count, severity)];
  });
  const fixable = lints.filter((lint) => lint.fix !== undefined).length;
  const what = counts.length === 0 ? `ok, ${countOf(rules.length, 'rule')}` : counts.join(', ');
  return `${what}${ignored.length === 0 ? '' : `, ${ignored.length} ignored`}${fixable === 0 ? '' : `; --fix removes ${fixable}`}`;
}

function readMostWarnings({ 'max-warnings': text }: Flags): number {
  if (text === undefined) return 0;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw usageError(
    `--max-warnings ${JSON.stringify(text)} is no number of warnings`,
    'write a whole number, such as --max-warnings 5',
  );
}

/** The tools that servers have listed, also those that have gone from their lists, with the arguments that they say they take. */
function readKnownTools(reader: RegistryReader): readonly KnownTool[] {
  return reader.definitions({ kind: 'tool' }).map(({ server, name }) => {
    const args = argumentsIn(reader.definition(server, 'tool', name)?.seenText);
    return { server, name, ...(args === undefined ? {} : { args }) };
  });
}

/** Reads a tool's arguments; undefined if its schema does not name them, or allows others. */
function argumentsIn(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const definition = parseText(text);
  const schema = isJsonObject(definition) ? definition['inputSchema'] : undefined;
  if (!isJsonObject(schema)) return undefined;
  const isClosed = Object.keys(schema).every((key) => !/^(?:patternProperties|allOf|anyOf|oneOf|\$ref|if)$/.test(key));
  const { properties, additionalProperties = false } = schema;
  return isClosed && isJsonObject(properties) && additionalProperties === false ? Object.keys(properties) : undefined;
}

function parseText(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // A damaged text says nothing of arguments, and the rest of the registry is as good as before.
    return undefined;
  }
}
