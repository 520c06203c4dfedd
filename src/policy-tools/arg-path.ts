import type { ArgStep, PolicyPath } from '../core/policy/types.ts';

/** The keys that lead to an argument's matcher from its rule or `unless`. */
export function argPath(steps: readonly ArgStep[]): PolicyPath {
  if (steps.some(({ kind }) => kind === 'token')) return ['args', pointerOf(steps)];
  return ['args', ...steps.map(keyOf)];
}

/** The same path as people write it: `args.options.path`, `args."**"`, `args."/a.b/0"` for a JSON Pointer, `args` for all of them. */
export function argField(steps: readonly ArgStep[]): string {
  return argPath(steps)
    .map((key) => (/^[\w-]+$/.test(String(key)) ? key : JSON.stringify(key)))
    .join('.');
}

function keyOf(step: ArgStep): string {
  if (step.kind === 'any') return '*';
  return step.kind === 'deep' ? '**' : step.name;
}

function pointerOf(steps: readonly ArgStep[]): string {
  return steps.map((step) => `/${keyOf(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
