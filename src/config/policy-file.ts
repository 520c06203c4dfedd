import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parsePolicy } from '../core/policy/parse.ts';
import type { Policy, PolicyResult } from '../core/policy/tables.ts';
import { ClawaiError } from '../errors.ts';
import { packageRoot } from '../host/directories.ts';
import { findFile, type FindFileOptions, type FoundFile } from './find-file.ts';
import { readPlainFile, readTomlText, toMeaningError, toSyntaxError } from './toml-file.ts';

/**
 * Reads and parses a policy file. With `isProject` it is a project's, which may only deny or prompt.
 *
 * @throws ClawaiError `policy_not_found`, `policy_unreadable`, `policy_syntax` or `policy_invalid`; the last two have `faults`.
 */
export async function loadPolicy(file: string, isProject = false): Promise<Policy> {
  // A stranger's project may link it to an endless device.
  const text = isProject ? readPlainFile(file).text : readTomlText('policy', file);
  return parsePolicyText(text, { file, isProject });
}

/**
 * Reads and parses a found policy, like `loadPolicy`.
 *
 * @throws ClawaiError as `loadPolicy`
 */
export async function loadFoundPolicy(
  found: { readonly file: string; readonly text?: string },
  isProject = false,
): Promise<Policy> {
  const { file, text } = found;
  return text === undefined ? loadPolicy(file, isProject) : parsePolicyText(text, { file, isProject });
}

/**
 * Reads and parses a policy that is used for as long as a server runs. It must be a file, and reading never blocks.
 *
 * @throws ClawaiError as `loadPolicy`
 */
export async function loadPlainPolicy(origin: PolicyOrigin): Promise<Policy> {
  return parsePolicyText(readPlainFile(origin.file).text, origin);
}

/** The source of a policy's text. */
export interface PolicyOrigin {
  readonly file: string;
  /** True for a project's policy, which may only deny or prompt. */
  readonly isProject?: boolean;
}

/**
 * Parses a policy.
 *
 * @throws ClawaiError `policy_syntax` or `policy_invalid`, with `faults`
 */
export async function parsePolicyText(text: string, origin: PolicyOrigin): Promise<Policy> {
  const result = await parseWithRegex(text, origin);
  if (result.ok) return result.policy;
  if ('syntax' in result) throw toSyntaxError('policy', origin.file, result.syntax);
  throw await toMeaningError('policy', { file: origin.file, text }, result.errors);
}

/** Parses a policy, and loads the regex engine only if needed: it is ten times as large as all the rest. */
async function parseWithRegex(text: string, origin: PolicyOrigin): Promise<PolicyResult> {
  const result = parsePolicy(text, origin);
  if (result.ok || 'syntax' in result || !result.needsRegex) return result;
  const { compileRegex } = await import('../core/patterns/regex.ts');
  return parsePolicy(text, { ...origin, regex: compileRegex });
}

/** `file`: the user named or wrote this one. `shipped`: the user has none at `missingFile`, so clawai's default is used. */
export type FoundPolicy =
  | {
      readonly kind: 'file';
      readonly file: string;
      readonly source: FoundFile['source'];
      /** The text, if it was already read from something else than a file: then `file` is only a label. */
      readonly text?: string;
    }
  | { readonly kind: 'shipped'; readonly file: string; readonly missingFile: string };

/**
 * Finds the policy: `--policy`, else `$CLAWAI_POLICY`, else `policy.toml` in the user's `configDirectory`, else the shipped default. A
 * named policy must exist: there is no fallback.
 *
 * @throws ClawaiError `policy_not_found` for a named policy that does not exist.
 */
export function findPolicy(options: FindFileOptions): FoundPolicy {
  const { file, isThere, source } = findFile('policy', options);
  return isThere ? { kind: 'file', file, source } : { kind: 'shipped', file: shippedPolicy(), missingFile: file };
}

function shippedPolicy(): string {
  const file = join(packageRoot(), 'policies', 'default.toml');
  if (existsSync(file)) return file;
  throw new ClawaiError('the policy that comes with clawai is missing from this installation', {
    code: 'policy_not_found',
    hint: 'install clawai again, or name a policy with --policy',
  });
}
