import { nameProblem } from '../registry/deceptive-names.ts';
import type { Detection } from './types.ts';

/** Tells of a tool or prompt whose name is nearly that of another: no call of it goes on, and nobody who is asked about it sees the difference. */
export function findDressedName({ kind, name }: { readonly kind: string; readonly name: string }): readonly Detection[] {
  const problem = kind === 'tool' || kind === 'prompt' ? nameProblem(name) : undefined;
  if (problem === undefined) return [];
  const description = `${problem}, so that it is taken for another; calls of it are refused`;
  return [{ rule: 'obfuscation.dressed_name', family: 'obfuscation', severity: 'high', description, field: 'name', matches: [] }];
}
