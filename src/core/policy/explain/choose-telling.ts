import type { CompiledRule } from '../compiled-policy.ts';
import type { Evaluated } from '../evaluate.ts';
import { countMisses } from './explain-conditions.ts';

/** Rules that are told of; nobody reads more than a screen of them. */
const MOST_TOLD = 12;

/** So many are looked at; a rule far above is rarely the one that somebody misses. */
const MOST_TRIED = 200;

/**
 * Of the rules that a call was held against, in file order, those that tell the most where there are many: the last one, which decides where any
 * does, and those that miss by one condition, the last first.
 */
export function chooseTelling(asked: readonly CompiledRule[], of: Evaluated): readonly CompiledRule[] {
  if (asked.length <= MOST_TOLD) return asked;
  const last = asked.slice(-1);
  const near: CompiledRule[] = [];
  const far: CompiledRule[] = [];
  for (const rule of asked.slice(0, -1).slice(-MOST_TRIED).toReversed()) {
    if (near.length + last.length >= MOST_TOLD) break;
    const isNear = countMisses(rule, of, 2) < 2;
    if (isNear) near.push(rule);
    else far.push(rule);
  }
  const chosen = new Set([...last, ...near, ...far].slice(0, MOST_TOLD));
  return asked.filter((rule) => chosen.has(rule));
}
