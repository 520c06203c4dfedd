import type { SchemaFault } from '../finding.ts';
import { isJsonObject, type JsonValue } from '../json.ts';

/** Faults that are worth telling; the rest says nothing new. */
export const MOST_FAULTS = 5;

/**
 * Schemas that are applied to values in one check. An honest call takes a few hundred. A schema whose references or alternatives multiply
 * would take 2^n.
 */
export const MOST_STEPS = 50_000;

/** Nesting of schemas within each other; also the end of references in a circle. */
const MOST_DEPTH = 200;

export class OverBudget extends Error {}

export function spend(walk: Walk, steps: number): void {
  walk.left -= steps;
  if (walk.left < 0 || walk.depth >= MOST_DEPTH) throw new OverBudget();
}

export interface Walk {
  readonly root: JsonValue;
  /** Undefined while alternatives are tried, whose faults are not those of the call. */
  faults: SchemaFault[] | undefined;
  left: number;
  depth: number;
  isSupported: boolean;
}

export function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

export function fault({ faults }: Walk, path: string, keyword: string, problem: string): false {
  if (faults !== undefined && faults.length < MOST_FAULTS) faults.push({ path, keyword, problem });
  return false;
}

/** A reference within the schema; undefined, and noted, for all others. */
export function resolve(walk: Walk, reference: string): JsonValue | undefined {
  spend(walk, reference.length / 50);
  let target: JsonValue | undefined = reference === '#' || reference.startsWith('#/') ? walk.root : undefined;
  for (const part of reference.split('/').slice(1)) {
    const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(target))
      target = /^(?:0|[1-9]\d{0,6})$/.test(name) ? (target as readonly JsonValue[])[Number(name)] : undefined;
    else target = isJsonObject(target) && Object.hasOwn(target, name) ? target[name] : undefined;
  }
  if (target === undefined) walk.isSupported = false;
  return target;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
