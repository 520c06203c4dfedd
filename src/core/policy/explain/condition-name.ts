import type { ArgStep } from '../types.ts';

const BARE_KEY = /^[\w-]+$/;

/** How a policy names an argument: `args.options.path`, `args."**"`, `args."/a.b/0"` for a JSON Pointer, `args` for all of them. */
export function argsField(path: readonly ArgStep[]): string {
  if (path.some(({ kind }) => kind === 'token')) return `args.${JSON.stringify(path.map(toToken).join(''))}`;
  return ['args', ...path.map(toKey)].join('.');
}

function toKey(step: ArgStep): string {
  if (step.kind === 'any') return '"*"';
  if (step.kind === 'deep') return '"**"';
  return BARE_KEY.test(step.name) ? step.name : JSON.stringify(step.name);
}

function toToken(step: ArgStep): string {
  if (step.kind === 'any' || step.kind === 'deep') return `/${step.kind === 'any' ? '*' : '**'}`;
  return `/${step.name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
