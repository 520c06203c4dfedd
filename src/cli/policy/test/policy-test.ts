import { loadFoundPolicy } from '../../../config/policy-file.ts';
import { ruleName } from '../../../core/decision.ts';
import type { Policy } from '../../../core/policy/tables.ts';
import { ClawaiError, EXIT, faultsOf } from '../../../errors.ts';
import { defineCommand, type Parsed, usageError } from '../../command.ts';
import { findAskedPolicy, POLICY_FLAG, PROJECT_FLAG, shippedNote } from '../../machine/find-present-policy.ts';
import { stdoutLook } from '../../terminal/colour.ts';
import { createExcerpts, formatError } from '../../terminal/errors.ts';
import { counted, isQuiet, note, printError } from '../../terminal/notes.ts';
import { checkStdin, nameOfFile } from '../../terminal/streams.ts';
import { CALL_OUTCOMES, type Fixture } from '../fixtures/fixture-case.ts';
import { listFixtures, loadFixtures } from '../fixtures/read-fixtures.ts';
import type { testMutants } from './mutate-policy.ts';
import { chooseReporter } from '../annotations.ts';
import { gatesOf } from './reporters/gates.ts';
import { REPORTER_NAMES, REPORTERS } from './reporters/reporters.ts';
import { countResults, evaluateFixtures, type Mutation, toErrorReport } from './test-report.ts';

const ARGS = {
  policy: POLICY_FLAG,
  project: PROJECT_FLAG,
  fixture: { type: 'string', hint: 'FILE', description: 'One fixture file, or - for stdin.' },
  'fixture-dir': { type: 'string', hint: 'DIR', description: 'Every *.json directly in this directory.' },
  expect: {
    type: 'enum',
    options: CALL_OUTCOMES,
    description: 'Expect this of every fixture, whatever it says. If it has steps, expect it of the last one.',
  },
  coverage: { type: 'string', hint: 'MIN', description: 'Fail if fixtures hit less than MIN percent of the rules.' },
  mutate: {
    type: 'boolean',
    description: 'Change the policy in every way that matters, and list the changes that no fixture notices.',
  },
  'mutate-min': {
    type: 'string',
    hint: 'MIN',
    description: 'Do the same, and fail if fixtures notice less than MIN percent of the changes.',
  },
  reporter: { type: 'enum', options: REPORTER_NAMES, description: 'How to print the results (text).' },
  json: { type: 'boolean', description: 'The same as --reporter json.' },
} as const;

/** `clawai policy test`: decides fixtures and compares. Nothing is decided unless every fixture can be. */
export const policyTestCommand = defineCommand({
  meta: {
    name: 'policy test',
    description: 'Test a policy: decide the calls in fixtures, and compare with what they expect.',
    notes: [
      'A fixture is JSON: {"method": "tools/call", "params": {"name": "read_file", "arguments": {"path": "/etc/hosts"}}, "expected": "deny"}. It may also have "name", "server" (default: "fixture") and "expectedRule" (an id, a number from 1, or null for the default). A file holds one fixture or an array of them. The home is /home/user and the working directory /home/user/project; no file on this disk is looked at.',
      'A fixture may say more in "context": {"pin": "pinned", "changed", "new" or "unlisted", "category": ["send"], "fingerprint": "sha256:…", "serverIdentity": "changed", "shadowed": "files", "servers": ["files", "mail"]}. "shadowed" is the server that had the name of the tool first. "servers" are part of the session. Without a context, no definition was looked at and nothing is pinned.',
      'A fixture with "steps" is a session: a list of calls. Each has "method", "params" and "server" (unless the fixture has one for all). It may also have "context", what is expected, "at" (the time since the start, as "5s" or "1m30s"), "result" (what the server answers: an object or a text), "turn" (the answer of the model that the call comes from), "approved": true (a person says yes if asked) and "retracted": true (the call is taken back). Beside "steps", a fixture may have "name", "server", "context" and "tools": {"files": ["read_file"]}, the tools that each server lists, in that order. Without "servers", all servers of the fixture are part of its session from the start.',
      '--project decides by a project\'s policy alone. It allows nothing: a call that none of its rules matches is "unmatched", and left to the user\'s own policy. A fixture that expects "unmatched" proves that the policy does not deny too much.',
      '"expectedRule" may name a guard: "self", "server_policy", "unmapped_tool", "schema", "dlp", "pinning", "rate_limit", "detection:definition", "flow:read_then_send" or another rule of [flow]. "expectedFlow": ["burst"] lists everything that the rules of [flow] find, also if they only alert; [] expects nothing. "expectedSchema": false expects arguments that do not fit the tool\'s schema. "expectedDlp": ["github_token"] lists the kinds of secrets in the arguments, whatever [dlp] does.',
      '`--mutate` tests the fixtures. It tries the policy without each rule, with each action flipped, each glob wider and narrower, each condition gone, neighbours swapped, and each guard that the policy sets changed. A mutant is noticed if it makes a fixture fail. The others are listed, with the line and the missing fixture. Mutants that no call can tell from the policy do not count.',
      'A fixture must expect something, unless --expect says it for all. If it has steps, one expectation is enough.',
      'If the policy or a fixture cannot be read, nothing is decided. stderr says why, and the reporter prints the errors to stdout.',
    ],
    exitCodes: {
      0: 'all as expected',
      1: 'a mismatch, too few rules hit, or too few mutants noticed',
      2: 'something could not be evaluated, such as a fixture that expects nothing',
    },
    examples: [
      'clawai policy test --policy policy.toml --fixture fixtures/read-ssh-key.json',
      'clawai policy test --policy policy.toml --fixture-dir fixtures/',
      'clawai policy test --policy policy.toml --fixture fixtures/read-ssh-key.json --expect deny',
      'clawai policy test --policy policy.toml --fixture-dir fixtures/ --coverage 100 --reporter github',
      'clawai policy test --policy policy.toml --fixture-dir fixtures/ --mutate',
      'clawai policy test --project --fixture-dir .clawai/fixtures',
    ],
  },
  args: ARGS,
  async run({ flags }) {
    const reporter = chooseReporter(flags);
    const minCoverage = readPercent('coverage', flags.coverage);
    const minMutation = readPercent('mutate-min', flags['mutate-min']);
    const output = { minCoverage, minMutation, isQuiet: isQuiet(), ...stdoutLook() };
    checkExpect(flags);
    const loaded = await load(flags);
    if (!loaded.ok) {
      const excerpt = createExcerpts();
      printError(loaded.errors.map((error) => formatError(error, excerpt)).join(''));
      const file = nameOfFile(flags.policy ?? 'policy');
      const report = toErrorReport(loaded.errors.flatMap((error) => faultsOf(error, file)));
      process.stdout.write(REPORTERS[reporter](report, { ...output, policy: file, rules: [], ruleLines: [] }));
      return EXIT.usage;
    }
    const { file, policy, fixtures } = loaded;
    const comparing = { expect: flags.expect, isProject: flags.project };
    const decided = evaluateFixtures(policy, counted(fixtures, 'fixtures', fixtures.length), comparing);
    const { failed } = countResults(decided);
    const asksMutants = flags.mutate || minMutation !== undefined;
    // Fixtures that fail on the policy itself say nothing about its mutants.
    if (asksMutants && failed > 0) note('fixtures fail, so no mutants were tried');
    const mutation = failed > 0 ? null : asksMutants ? await mutants(policy, fixtures, comparing) : undefined;
    const report = asksMutants ? { ...decided, mutation } : decided;
    const pointsAt = failed > 0 || (minCoverage !== undefined && report.coverage.missed.length > 0);
    const ruleLines = pointsAt ? await (await import('../edit-policy.ts')).linesOfRules(policy.text, policy.rules.length) : [];
    const rules = policy.rules.map(ruleName);
    const context = { ...output, policy: file, rules, ruleLines };
    process.stdout.write(REPORTERS[reporter](report, context));
    return failed > 0 || gatesOf(report, context).some(({ isMet }) => !isMet) ? EXIT.mismatch : EXIT.ok;
  },
});

/** Tries mutants; their code is loaded only here, since other tests need none of it. */
async function mutants(...of: Parameters<typeof testMutants>): Promise<Mutation> {
  return (await import('./mutate-policy.ts')).testMutants(...of);
}

type Flags = Parsed<typeof ARGS>['flags'];

type Loaded =
  | { readonly ok: true; readonly file: string; readonly policy: Policy; readonly fixtures: readonly Fixture[] }
  | { readonly ok: false; readonly errors: readonly ClawaiError[] };

/** Reads the policy and the fixtures. What is wrong with either is said at once; a command line that asks for nothing is thrown. */
async function load(flags: Flags): Promise<Loaded> {
  const errors: ClawaiError[] = [];
  const keep = (error: unknown): undefined => {
    if (!(error instanceof ClawaiError) || error.code === 'usage') throw error;
    errors.push(error);
  };
  const files = await chooseFiles(flags).catch(keep);
  const tested = await loadTested(flags).catch(keep);
  const use = { mustExpect: flags.expect === undefined, isProject: flags.project };
  const { fixtures, errors: unread } = await loadFixtures(files ?? [], use);
  errors.push(...unread);
  return tested === undefined || errors.length > 0 ? { ok: false, errors } : { ok: true, ...tested, fixtures };
}

/** An outcome that such a policy cannot have would make every fixture fail. */
function checkExpect({ expect, project }: Flags): void {
  if (project && expect === 'allow')
    throw usageError(
      "a project's policy allows nothing",
      "--expect unmatched: no rule of it matches, and the user's policy decides",
    );
  if (!project && expect === 'unmatched')
    throw usageError("only calls of a project's policy are unmatched", 'add --project, or expect allow, deny or prompt');
}

async function loadTested(flags: Flags): Promise<{ readonly file: string; readonly policy: Policy }> {
  const found = await findAskedPolicy(flags);
  const shipped = found.kind === 'shipped' ? shippedNote(found, 'tested') : undefined;
  if (shipped !== undefined) note(shipped);
  const policy = await loadFoundPolicy(found, flags.project);
  return { file: found.file, policy: flags.project ? withoutSettings(policy) : policy };
}

/** A project's policy with guards and defaults that decide nothing: in force, those are the user's. */
function withoutSettings(policy: Policy): Policy {
  const { defaults, schema, dlp, pinning, flow, detection } = policy;
  return {
    ...policy,
    defaults: {
      ...defaults,
      action: 'allow',
      native: 'allow',
      unmappedTool: 'allow',
      unknownServer: 'allow',
      unknownMethods: 'allow',
    },
    schema: { ...schema, enabled: false },
    dlp: { ...dlp, enabled: false },
    pinning: { ...pinning, enabled: false },
    flow: { ...flow, enabled: false },
    detection: { ...detection, enabled: false },
  };
}

async function chooseFiles(flags: Flags): Promise<readonly string[]> {
  const { fixture, 'fixture-dir': directory } = flags;
  if (fixture !== undefined && directory !== undefined)
    throw usageError('--fixture and --fixture-dir are both given', 'give one of them');
  if (directory !== undefined) return listFixtures(directory);
  checkStdin({ '--policy': flags.policy, '--fixture': fixture });
  if (fixture !== undefined) return [fixture];
  throw usageError(
    '--fixture or --fixture-dir is missing',
    'there is nothing to test: write --fixture FILE or --fixture-dir DIR',
  );
}

/** A whole number or one with decimals, from 0 to 100, with or without a percent sign. */
function readPercent(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const digits = /^(\d{1,3}(?:\.\d{1,3})?) ?%?$/.exec(text)?.[1];
  const percent = Number(digits);
  if (digits !== undefined && percent <= 100) return percent;
  throw usageError(`--${flag} ${JSON.stringify(text)} is no percentage`, `write a number from 0 to 100, such as --${flag} 90`);
}
