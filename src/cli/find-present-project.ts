import { homedir } from 'node:os';
import { findProjectPolicy } from '../config/project-policy.ts';
import { ClawaiError } from '../errors.ts';

/** The policy of the project that this is called in. @throws ClawaiError `policy_not_found` */
export function findPresentProject(): string {
  const file = findProjectPolicy({ cwd: process.cwd(), home: homedir() });
  if (file !== undefined) return file;
  throw new ClawaiError('there is no .clawai/policy.toml here, nor in a folder above', {
    code: 'policy_not_found',
    hint: 'name one with --policy FILE',
  });
}
