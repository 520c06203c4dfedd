import { prettyJson } from '../../terminal/text.ts';
import { loadFoundPolicy } from '../../../config/policy-file.ts';
import type { Policy } from '../../../core/policy/tables.ts';
import { ClawaiError, EXIT, type Fault } from '../../../errors.ts';
import { defineCommand } from '../../command.ts';
import { findAskedPolicy, POLICY_FLAG, PROJECT_FLAG } from '../../machine/find-present-policy.ts';
import { countOf } from '../../terminal/layout.ts';
import { createExcerpts, formatPolicyFaults } from '../../terminal/errors.ts';
import { isQuiet, printError } from '../../terminal/notes.ts';

/** `clawai policy check`: reads a policy as `clawai proxy` would, and shows every fault where it is. */
export const policyCheckCommand = defineCommand({
  meta: {
    name: 'policy check',
    description: 'Read a policy and complain about everything that is wrong with it, each with its place.',
    notes: [
      "A project's policy is .clawai/policy.toml in its folder: it has [[rule]] with deny or prompt and nothing else, and counts beside your own " +
        'for servers that are started in that folder, or below.',
    ],
    exitCodes: { 0: 'the policy is valid', 2: 'it is not' },
    examples: ['clawai policy check --policy policy.toml', 'clawai policy check --project'],
  },
  args: {
    policy: POLICY_FLAG,
    project: PROJECT_FLAG,
    json: { type: 'boolean', description: 'Print one JSON object.' },
  },
  async run({ flags }) {
    const { json, project } = flags;
    const found = await findAskedPolicy(flags);
    const { file } = found;
    try {
      const policy = await loadFoundPolicy(found, project);
      if (json) process.stdout.write(formatJson(file, { policy, errors: [] }));
      else if (!isQuiet()) process.stdout.write(formatValid(file, policy, project));
      return EXIT.ok;
    } catch (error) {
      // A file that cannot be read is no finding about a policy.
      if (!(error instanceof ClawaiError) || error.faults.length === 0) throw error;
      if (json) process.stdout.write(formatJson(file, { policy: undefined, errors: error.faults }));
      else printError(formatPolicyFaults(file, error.faults, createExcerpts()));
      return EXIT.usage;
    }
  },
});

/** Sums up a valid policy. A project's has no default: it does not decide calls that no rule matches. */
function formatValid(file: string, { rules, defaults }: Policy, isProject: boolean): string {
  const rest = isProject ? "a project's" : `default ${defaults.action}`;
  return `${file}: ok, ${countOf(rules.length, 'rule')}, ${rest}\n`;
}

interface Checked {
  readonly policy: Policy | undefined;
  readonly errors: readonly Fault[];
}

function formatJson(file: string, { policy, errors }: Checked): string {
  const { rules, defaults } = policy ?? {};
  const value = {
    file,
    ok: policy !== undefined,
    rules: rules?.length ?? null,
    default: defaults?.action ?? null,
    errors: errors.map(toFields),
    warnings: [],
  };
  return prettyJson(value);
}

function toFields({ place: { line, column }, message, hint }: Fault) {
  return { message, line, column, hint };
}
