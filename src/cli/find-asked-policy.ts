import { homedir } from 'node:os';
import { findProjectPolicy } from '../config/project-policy.ts';
import { ClawaiError } from '../errors.ts';
import { findPresentPolicy } from './find-present-policy.ts';

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
