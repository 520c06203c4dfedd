import type { ArgStep } from '../types.ts';

/**
 * Where else a rule could look: `**` at one level only, `*` at any, and under any name instead of the last one that is written. A JSON
 * Pointer is exact and stays.
 */
export function mutateArgPath(path: readonly ArgStep[]): readonly (readonly ArgStep[])[] {
  return path.flatMap((step, index): readonly (readonly ArgStep[])[] => {
    if (step.kind === 'deep') return [path.with(index, { kind: 'any' })];
    if (step.kind === 'any') return [path.with(index, { kind: 'deep' })];
    return step.kind === 'name' && index === path.length - 1 ? [path.with(index, { kind: 'any' })] : [];
  });
}
