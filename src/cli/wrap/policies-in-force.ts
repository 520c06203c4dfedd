import { homedir } from 'node:os';
import { describeGone, problemOf } from '../../config/describe-change.ts';
import { findPolicy, loadPolicy } from '../../config/policy-file.ts';
import { hasPolicyMark } from '../../config/policy-mark.ts';
import { findProjectPolicy } from '../../config/start-policy.ts';
import { ClawaiError } from '../../errors.ts';
import { shortPath } from '../terminal/text.ts';

/** A policy file that holds for what clients start from this folder. */
export interface PolicyInForce {
  readonly scope: 'user' | 'project';
  /** Absolute path; undefined if a file that was named can't be found. */
  readonly file: string | undefined;
  /** True if it is the one that comes with clawai. */
  readonly isShipped: boolean;
  /** True if it was there once, so that every call is denied. */
  readonly isGone?: boolean;
  /** The reason why it can't be used. Unless it is gone, nothing that is wrapped starts then. */
  readonly fault?: { readonly code: ClawaiError['code']; readonly message: string } | undefined;
}

/** Finds and reads the user's policy and the project's, if it has one. Entries that name a policy of their own are not among them. */
export async function readPoliciesInForce(stateDir: string | undefined): Promise<readonly PolicyInForce[]> {
  const home = homedir();
  const project = findProjectPolicy({ cwd: process.cwd(), home });
  return [
    await readUserPolicy({ env: process.env, platform: process.platform, home }, stateDir),
    ...(project === undefined
      ? []
      : [{ scope: 'project' as const, file: project, isShipped: false, fault: await faultOf(() => loadPolicy(project, true)) }]),
  ];
}

async function readUserPolicy(machine: Parameters<typeof findPolicy>[0], stateDir: string | undefined): Promise<PolicyInForce> {
  const policy = { scope: 'user', file: undefined, isShipped: false } as const;
  let found: ReturnType<typeof findPolicy> | undefined;
  const fault = await faultOf(async () => {
    found = findPolicy(machine);
    if (found.kind === 'file') await loadPolicy(found.file);
  });
  if (found === undefined || found.kind === 'file') return { ...policy, file: found?.file, fault };
  if (stateDir === undefined || !hasPolicyMark(stateDir, found.missingFile))
    return { ...policy, file: found.file, isShipped: true };
  const message = describeGone(shortPath(found.missingFile), true);
  return { ...policy, file: found.missingFile, isGone: true, fault: { code: 'policy_not_found', message } };
}

async function faultOf(read: () => Promise<unknown>): Promise<PolicyInForce['fault']> {
  try {
    await read();
    return undefined;
  } catch (error) {
    if (!(error instanceof ClawaiError)) throw error;
    return { code: error.code, message: problemOf(error) };
  }
}

/** Describes each policy in a line of its own. */
export function describePolicies(policies: readonly PolicyInForce[]): string {
  return policies.map((policy) => `${describePolicy(policy)}\n`).join('');
}

function describePolicy({ scope, file = '', isShipped, isGone = false, fault }: PolicyInForce): string {
  const label = scope === 'user' ? 'policy' : 'project policy';
  if (fault !== undefined) {
    const effect = isGone ? '' : `; nothing that is wrapped can start${scope === 'user' ? '' : ' here'}`;
    return `${label}: ${fault.message}${effect}`;
  }
  if (isShipped) return `${label}: the shipped default (\`clawai init\` writes one of your own)`;
  return `${label}: ${shortPath(file)}${scope === 'user' ? '' : ', which can only be stricter'}`;
}
