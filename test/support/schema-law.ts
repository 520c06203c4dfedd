import * as fc from 'fast-check';
import type { JsonSchema } from '../../src/schemas/shapes.ts';
import { mutated } from './mutations.ts';
import { runs } from './runs.ts';

export interface SchemaLaw {
  /** Values that are accepted. */
  readonly documents: readonly unknown[];
  /** The text of a changed one; undefined where it has none. */
  readonly write: (value: unknown) => string | undefined;
  /** What the parser says of a text. */
  readonly faults: (text: string) => readonly string[];
  /** What the schema says of a value. */
  readonly check: (value: unknown) => readonly string[];
  /** What no schema can say, or none that editors understand, as the parser says it. */
  readonly beyond: readonly RegExp[];
}

/**
 * Where a schema and a parser do not refuse the same, but for what is beyond schemas; what the schema refuses, the parser always has to.
 * Undefined where they agree about many changed documents.
 */
export function findDisagreement({ documents, write, faults, check, beyond }: SchemaLaw): string | undefined {
  let refused = 0;
  const property = fc.property(mutated(documents), (value) => {
    const text = write(value);
    if (text === undefined) return;
    const said = faults(text);
    const found = check(value);
    if (found.length > 0) refused++;
    if (said.length === 0 && found.length > 0) throw new Error(`only the schema refuses ${text}: ${found.join('; ')}`);
    const unknown = said.filter((fault) => !beyond.some((known) => known.test(fault)));
    if (found.length === 0 && unknown.length > 0) throw new Error(`only the parser refuses ${text}: ${unknown.join('; ')}`);
  });
  const details = fc.check(property, { numRuns: RUNS });
  if (details.failed) return `${String(details.errorInstance)} (seed ${details.seed}, path ${details.counterexamplePath})`;
  return refused > RUNS / 4 ? undefined : `only ${refused} of ${RUNS} were refused, which says little`;
}

const RUNS = runs(3000);

/** Every key that a schema has a meaning for, in any of its tables. */
export function keysOf(schema: unknown): ReadonlySet<string> {
  const keys = new Set<string>();
  const walk = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    for (const key of Object.keys((part as JsonSchema).properties ?? {})) keys.add(key);
    for (const inner of Object.values(part)) walk(inner);
  };
  walk(schema);
  return keys;
}

/** Every key in some values, at any depth. */
export function keysIn(values: readonly unknown[]): ReadonlySet<string> {
  const keys = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      keys.add(key);
      walk(inner);
    }
  };
  walk(values);
  return keys;
}

/** Every part of a schema that a person may hover over and finds nothing said of. */
export function undescribed(schema: unknown): readonly string[] {
  const bare: string[] = [];
  const walk = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    for (const [key, inner] of Object.entries((part as JsonSchema).properties ?? {})) {
      const isCondition =
        inner.description === undefined &&
        Object.keys(inner).every((word) =>
          ['const', 'contains', 'enum', 'required', 'items', 'properties', 'propertyNames', 'type'].includes(word),
        );
      if (inner.description === undefined && !isCondition && !(inner.$ref ?? '').startsWith('#/definitions/')) bare.push(key);
    }
    for (const inner of Object.values(part)) walk(inner);
  };
  walk(schema);
  return bare;
}
