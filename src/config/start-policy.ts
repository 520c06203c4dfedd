import { parsePolicy } from '../core/policy/parse.ts';
import type { Policy } from '../core/policy/tables.ts';
import { type FoundPolicy, loadPlainPolicy, parsePolicyText } from './policy-file.ts';
import { hasPolicyMark } from './policy-mark.ts';
import { findProjectPolicy, type ProjectPlace } from './project-policy.ts';

/** The policies in force when a proxy starts. */
export interface StartPolicy {
  /** `file`: the user's own. `shipped`: there never was one. `gone`: there was one, so everything is denied. */
  readonly kind: 'file' | 'shipped' | 'gone';
  /** The path of the user's own policy, existing or not. */
  readonly file: string;
  /** True if that is the default path, which `clawai init` writes to, and nobody named another. */
  readonly isUsual: boolean;
  /** The policy in force; undefined if it is gone. */
  readonly policy: Policy | undefined;
  /** Stands in for a policy that is gone. */
  readonly empty: Policy;
  readonly project: { readonly file: string; readonly policy: Policy } | undefined;
}

export interface LoadStartOptions {
  readonly found: FoundPolicy;
  /** The folder of the mark that a policy existed. */
  readonly stateDir: string;
  readonly place: ProjectPlace;
}

/**
 * Reads the user's policy and the project's when a proxy starts. An unreadable or faulty one prevents the start.
 *
 * @throws ClawaiError `policy_not_found`, `policy_unreadable`, `policy_syntax` or `policy_invalid`; the last two have `faults`
 */
export async function loadStartPolicy({ found, stateDir, place }: LoadStartOptions): Promise<StartPolicy> {
  const empty = emptyPolicy();
  const projectFile = findProjectPolicy(place);
  const project =
    projectFile === undefined
      ? undefined
      : { file: projectFile, policy: await loadPlainPolicy({ file: projectFile, isProject: true }) };
  if (found.kind === 'file') {
    const policy = await (found.text === undefined ? loadPlainPolicy(found) : parsePolicyText(found.text, found));
    return { kind: 'file', file: found.file, isUsual: found.source === 'user', policy, empty, project };
  }
  const file = found.lookedAt;
  if (hasPolicyMark(stateDir, file)) return { kind: 'gone', file, isUsual: true, policy: undefined, empty, project };
  return { kind: 'shipped', file, isUsual: true, policy: await loadPlainPolicy(found), empty, project };
}

function emptyPolicy(): Policy {
  const result = parsePolicy('', { file: '(none)' });
  if (!result.ok) throw new Error('an empty policy is valid');
  return result.policy;
}
