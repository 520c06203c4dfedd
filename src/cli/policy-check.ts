import { homedir } from 'node:os';
import { findPolicy, loadPolicy } from '../config/policy-file.ts';
import type { Policy } from '../core/policy/types.ts';
import { ClawaiError, EXIT, type Fault } from '../errors.ts';
import { defineCommand } from './command.ts';
import { createExcerpts } from './excerpt.ts';
import { formatFault } from './format-error.ts';

/** `clawai policy check`: reads a policy as `clawai proxy` would, and shows every fault where it is. */
export const policyCheckCommand = defineCommand({
  meta: {
    name: 'policy check',
    description: 'Read a policy and complain about everything that is wrong with it, each with its place.',
    notes: ['Exit code: 0 the policy is valid, 2 it is not.'],
    examples: ['clawai policy check --policy policy.toml'],
  },
  args: {
    policy: { type: 'string', hint: 'FILE', description: 'The policy; without it, the one that `clawai proxy` would use.' },
    json: { type: 'boolean', description: 'Print one JSON object.' },
  },
  async run({ flags }) {
    const { policy: flag, json } = flags;
    const { file } = findPolicy({ flag, env: process.env, platform: process.platform, home: homedir() });
    try {
      const policy = await loadPolicy(file);
      process.stdout.write(json ? formatJson(file, policy, []) : formatValid(file, policy));
      return EXIT.ok;
    } catch (error) {
      // A file that cannot be read is no finding about a policy.
      if (!(error instanceof ClawaiError) || error.faults.length === 0) throw error;
      if (json) process.stdout.write(formatJson(file, undefined, error.faults));
      else process.stderr.write(formatFaults(file, error.faults));
      return EXIT.usage;
    }
  },
});

function formatValid(file: string, { rules, defaults }: Policy): string {
  return `${file}: ok, ${countOf(rules.length, 'rule')}, default ${defaults.action}\n`;
}

/** Each fault begins its line, as linters do, so that editors find the places. */
function formatFaults(file: string, faults: readonly Fault[]): string {
  const excerpt = createExcerpts();
  const shown = faults.map((fault) => formatFault(fault, excerpt));
  return `${shown.join('\n')}\nclawai: ${file} is no valid policy: ${countOf(faults.length, 'error')}\n`;
}

function formatJson(file: string, policy: Policy | undefined, faults: readonly Fault[]): string {
  const { rules, defaults } = policy ?? {};
  const errors = faults.map(({ place: { line, column }, message, hint }) => ({ message, line, column, hint }));
  const value = { file, ok: policy !== undefined, rules: rules?.length ?? null, default: defaults?.action ?? null, errors };
  return `${JSON.stringify(value, null, 2)}\n`;
}

function countOf(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
