import { isUtf8 } from 'node:buffer';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ClawaiError, type Fault } from '../errors.ts';
import { parsePolicy } from '../core/policy/parse.ts';
import type { Policy, PolicyError, PolicyResult, PolicySyntaxError } from '../core/policy/types.ts';
import { configDirectory, type Machine } from '../host/directories.ts';
import { packageRoot } from '../host/package-root.ts';

/**
 * Reads and parses a policy file.
 *
 * @throws ClawaiError `policy_not_found`, `policy_unreadable`, `policy_syntax` or `policy_invalid`; the last two have `faults`.
 */
export async function loadPolicy(file: string): Promise<Policy> {
  const text = readPolicyText(file);
  const result = await parseWithRegex(text, file);
  if (result.ok) return result.policy;
  if ('syntax' in result) throw toSyntaxError(file, result.syntax);
  throw await toMeaningError(file, text, result.errors);
}

/** Loads the regex engine only for a policy that needs it: it is ten times as large as all the rest. */
async function parseWithRegex(text: string, file: string): Promise<PolicyResult> {
  const result = parsePolicy(text, { file });
  if (result.ok || 'syntax' in result || !result.needsRegex) return result;
  const { compileRegex } = await import('../core/policy/regex.ts');
  return parsePolicy(text, { file, regex: compileRegex });
}

function readPolicyText(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw toReadError(file, error);
  }
  // A byte that was replaced would silently change a pattern.
  if (isUtf8(bytes)) return bytes.toString();
  throw toFaultyPolicy('policy_syntax', file, [
    { place: { file }, message: 'the policy file is not UTF-8 text', hint: 'save the policy as UTF-8' },
  ]);
}

function toReadError(file: string, cause: unknown): ClawaiError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const place = { file };
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new ClawaiError('there is no such policy file', { code: 'policy_not_found', place, hint: 'check the path', cause });
  }
  if (code === 'EISDIR') {
    return new ClawaiError('the policy is a directory, not a file', {
      code: 'policy_unreadable',
      place,
      hint: 'name the .toml file in it',
      cause,
    });
  }
  if (code === 'EACCES' || code === 'EPERM') {
    const hint = 'make it readable for the user that runs clawai';
    return new ClawaiError('there is no permission to read the policy file', { code: 'policy_unreadable', place, hint, cause });
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ClawaiError(`the policy file cannot be read: ${reason}`, { code: 'policy_unreadable', place, cause });
}

function toSyntaxError(file: string, { line, column, message }: PolicySyntaxError): ClawaiError {
  return toFaultyPolicy('policy_syntax', file, [{ place: { file, line, column }, message }]);
}

async function toMeaningError(file: string, text: string, errors: readonly PolicyError[]): Promise<ClawaiError> {
  const { locate } = await import('../core/policy/locate.ts');
  const placed = errors
    .map(({ path, message, hint }) => ({ place: { file, ...locate(text, path) }, message, hint }))
    .toSorted((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
  return toFaultyPolicy('policy_invalid', file, placed);
}

function toFaultyPolicy(code: 'policy_syntax' | 'policy_invalid', file: string, faults: readonly Fault[]): ClawaiError {
  return new ClawaiError(`${file}: ${faults.length} fault${faults.length === 1 ? '' : 's'}`, { code, faults });
}

export interface FindPolicyOptions extends Machine {
  /** The value of `--policy`. */
  readonly flag?: string | undefined;
}

/**
 * `file`: the user named or wrote this one. `shipped`: there is none of the user's at `lookedAt`, so the default that comes with
 * clawai is used.
 */
export type FoundPolicy =
  | { readonly kind: 'file'; readonly file: string; readonly source: '--policy' | '$CLAWAI_POLICY' | 'user' }
  | { readonly kind: 'shipped'; readonly file: string; readonly lookedAt: string };

/**
 * Finds the policy: `--policy`, else `$CLAWAI_POLICY`, else `policy.toml` in the user's `configDirectory`, else the shipped
 * default. A name that is given is taken, also when no such file exists: then there is nothing to fall back to.
 *
 * @throws ClawaiError `policy_not_found` for a named policy that does not exist.
 */
export function findPolicy({ flag, env, platform, home }: FindPolicyOptions): FoundPolicy {
  const variable = env['CLAWAI_POLICY'];
  if (flag !== undefined) return takeNamed(flag, '--policy');
  // As with other programs, an empty variable is an unset one.
  if (variable !== undefined && variable !== '') return takeNamed(variable, '$CLAWAI_POLICY');
  const file = join(configDirectory({ env, platform, home }), 'policy.toml');
  return isThere(file) ? { kind: 'file', file, source: 'user' } : { kind: 'shipped', file: shippedPolicy(), lookedAt: file };
}

/**
 * Is there anything of that name? A link that leads nowhere or a folder that may not be entered is no reason to do without the
 * user's policy: it is there, cannot be read, and reading it will say so.
 */
function isThere(file: string): boolean {
  try {
    lstatSync(file);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}

function takeNamed(file: string, source: '--policy' | '$CLAWAI_POLICY'): FoundPolicy {
  if (file !== '' && existsSync(file)) return { kind: 'file', file, source };
  throw new ClawaiError(`${source} names a policy that does not exist`, {
    code: 'policy_not_found',
    place: { file: file === '' ? '(empty)' : file },
    hint: 'name an existing .toml file',
  });
}

function shippedPolicy(): string {
  const file = join(packageRoot(), 'policies', 'default.toml');
  if (existsSync(file)) return file;
  throw new ClawaiError('the policy that comes with clawai is missing from this installation', {
    code: 'policy_not_found',
    hint: 'install clawai again, or name a policy with --policy',
  });
}
