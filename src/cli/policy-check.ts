import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { findPolicy, loadPolicy } from '../config/policy-file.ts';
import type { Policy } from '../core/policy/types.ts';
import { ClawaiError, EXIT } from '../errors.ts';
import { defineCommand } from './command.ts';
import { formatExcerpt } from './excerpt.ts';
import { formatError } from './format-error.ts';

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
      if (!(error instanceof ClawaiError) || !isFault(error)) throw error;
      const faults = toFaults(error, file);
      if (json) process.stdout.write(formatJson(file, undefined, faults));
      else process.stderr.write(await formatFaults(error, file, faults));
      return EXIT.usage;
    }
  },
});

/** One thing that is wrong with a policy. The place is missing for what concerns the whole file. */
interface Fault {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** Is it the text that is wrong? A file that cannot be read is no finding about a policy. */
function isFault(error: ClawaiError): boolean {
  return error.code === 'policy_syntax' || error.code === 'policy_invalid';
}

/** The loader puts each fault on a line of its own, as `file:line:column: message`. */
function toFaults({ message }: ClawaiError, file: string): Fault[] {
  const start = `${file}:`;
  return message.split('\n').map((row) => {
    const text = row.startsWith(start) ? row.slice(start.length) : row;
    const [, line, column, rest] = /^(\d+):(\d+): (.*)$/s.exec(text) ?? [];
    if (rest === undefined) return { message: text.trimStart() };
    return { message: rest, line: Number(line), column: Number(column) };
  });
}

function formatValid(file: string, { rules, defaults }: Policy): string {
  return `${file}: ok, ${countOf(rules.length, 'rule')}, default ${defaults.action}\n`;
}

async function formatFaults(error: ClawaiError, file: string, faults: readonly Fault[]): Promise<string> {
  if (faults.every(({ line }) => line === undefined)) return formatError(error);
  const text = await readFile(file, 'utf8');
  const shown = faults.map(({ message, line, column }) => {
    if (line === undefined || column === undefined) return `${file}: ${message}\n`;
    return `${file}:${line}:${column}: ${message}\n${formatExcerpt(text, line, column)}`;
  });
  return `${shown.join('\n')}\nclawai: ${file} is no valid policy: ${countOf(faults.length, 'error')}\n`;
}

function formatJson(file: string, policy: Policy | undefined, errors: readonly Fault[]): string {
  const { rules, defaults } = policy ?? {};
  const value = { file, ok: policy !== undefined, rules: rules?.length ?? null, default: defaults?.action ?? null, errors };
  return `${JSON.stringify(value, null, 2)}\n`;
}

function countOf(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
