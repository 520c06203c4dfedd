import { homedir } from 'node:os';
import { loadConfig } from '../../config/config-file.ts';
import { describeGone } from '../../config/describe-change.ts';
import { findPolicy, type FoundPolicy } from '../../config/policy-file.ts';
import { hasPolicyMark } from '../../config/policy-mark.ts';
import { findProjectPolicy } from '../../config/start-policy.ts';
import { ClawaiError } from '../../errors.ts';
import { findStdinPolicy } from '../terminal/streams.ts';

/** The flag that names a policy, shared by all commands that look at one. */
export const POLICY_FLAG = {
  type: 'string',
  hint: 'FILE',
  description: 'The policy, or - for stdin. The default is the one that `clawai proxy` would use.',
} as const;

export const PROJECT_FLAG = {
  type: 'boolean',
  description: "Read it as a project's policy. Without --policy, read that of the project around this folder.",
} as const;

/** Says that there is no policy of the user's own, so that the shipped default is what something is done with. */
export function shippedNote(found: FoundPolicy, done: string): string | undefined {
  return found.kind === 'shipped' ? `there is no policy at ${found.missingFile}, so the shipped default is ${done}` : undefined;
}

/**
 * The policy that `clawai proxy` would decide by: the one that `flag` names, where `-` is stdin, or the usual one.
 *
 * @throws ClawaiError `policy_not_found` where a named one does not exist, or where the user had one and it is gone. The proxy then
 *   denies everything, so a look at the shipped default would say what is not true.
 */
export async function findPresentPolicy(flag: string | undefined): Promise<FoundPolicy> {
  if (flag === '-') return findStdinPolicy();
  const machine = { env: process.env, platform: process.platform, home: homedir() };
  const found = findPolicy({ flag, ...machine });
  if (found.kind === 'file') return found;
  const stateDir = await findStateDir(machine);
  if (stateDir === undefined || !hasPolicyMark(stateDir, found.missingFile)) return found;
  throw new ClawaiError(describeGone(found.missingFile, true), {
    code: 'policy_not_found',
    hint: 'restore it or run `clawai init`; --policy FILE names another one',
  });
}

/**
 * The policy that `--policy` and `--project` ask for: the named one, the project's around here, or the one that `clawai proxy` would use.
 *
 * @throws ClawaiError `policy_not_found`
 */
export async function findAskedPolicy({ policy, project }: { readonly policy: string | undefined; readonly project: boolean }) {
  if (!project || policy !== undefined) return findPresentPolicy(policy);
  const file = findProjectPolicy({ cwd: process.cwd(), home: homedir() });
  if (file !== undefined) return { kind: 'file', file } as const;
  throw new ClawaiError('there is no .clawai/policy.toml here, nor in a folder above', {
    code: 'policy_not_found',
    hint: 'name one with --policy FILE',
  });
}

async function findStateDir(machine: Parameters<typeof loadConfig>[0]): Promise<string | undefined> {
  try {
    return (await loadConfig(machine)).stateDir;
  } catch (error) {
    // A fault of the config was not asked for; `clawai doctor` reports it.
    if (error instanceof ClawaiError) return undefined;
    throw error;
  }
}
