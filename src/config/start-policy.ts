import { parsePolicy } from '../core/policy/parse.ts';
import type { Policy } from '../core/policy/tables.ts';
import { type FoundPolicy, loadPlainPolicy, parsePolicyText } from './policy-file.ts';
import { hasPolicyMark } from './policy-mark.ts';
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tryRealPath } from '../host/real-path.ts';

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
  readonly project: { readonly file: string; readonly policy: Policy } | undefined;
}

interface LoadStartOptions {
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
  const projectFile = findProjectPolicy(place);
  const project =
    projectFile === undefined
      ? undefined
      : { file: projectFile, policy: await loadPlainPolicy({ file: projectFile, isProject: true }) };
  if (found.kind === 'file') {
    const policy = await (found.text === undefined ? loadPlainPolicy(found) : parsePolicyText(found.text, found));
    return { kind: 'file', file: found.file, isUsual: found.source === 'user', policy, project };
  }
  const file = found.missingFile;
  if (hasPolicyMark(stateDir, file)) return { kind: 'gone', file, isUsual: true, policy: undefined, project };
  return { kind: 'shipped', file, isUsual: true, policy: await loadPlainPolicy(found), project };
}

/** Stands in for a policy that is gone. */
export function emptyPolicy(): Policy {
  const result = parsePolicy('', { file: '(none)' });
  if (!result.ok) throw new Error('an empty policy is valid');
  return result.policy;
}

/** The path of a project's policy, in any of its folders. */
const PROJECT_POLICY = join('.clawai', 'policy.toml');

export interface ProjectPlace {
  /** The folder in which the client started us, absolute; it lies in the project. */
  readonly cwd: string;
  readonly home: string;
}

/**
 * Finds the policy of the project that we were started in: `.clawai/policy.toml` in the working directory or the nearest folder above it.
 * The search ends at the home directory and the root, which are not projects. A dangling link is found too: reading it reports the fault.
 */
export function findProjectPolicy({ cwd, home }: ProjectPlace): string | undefined {
  const ends = new Set([home, tryRealPath(home) ?? home]);
  for (let folder = cwd; !ends.has(folder) && dirname(folder) !== folder; folder = dirname(folder)) {
    const file = join(folder, PROJECT_POLICY);
    if (isThere(file)) return file;
  }
  return undefined;
}

function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // An inaccessible folder may contain one, and reading it reports the fault; a file in the folder's place contains none.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code !== 'ENOTDIR' && code !== 'ENOENT';
  }
}
