import { nameProblem } from '../registry/deceptive-names.ts';
import type { Detection } from './types.ts';

/**
 * Reports a tool or prompt whose name nearly equals another: its calls are refused, and a person who is asked about it sees no difference.
 */
export function findDressedName({ kind, name }: { readonly kind: string; readonly name: string }): readonly Detection[] {
  const problem = kind === 'tool' || kind === 'prompt' ? nameProblem(name) : undefined;
  if (problem === undefined) return [];
  const description = `${problem}, so it can be taken for another; clawai denies calls of it`;
  return [{ rule: 'obfuscation.dressed_name', family: 'obfuscation', severity: 'high', description, field: 'name', matches: [] }];
}
