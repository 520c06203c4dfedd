import { parse, stringify, TomlDate, TomlError, type TomlTable, type TomlValue } from 'smol-toml';

import { explainTomlError } from './toml-mistakes.ts';
import type { PolicySyntaxError } from './types.ts';

export type { TomlTable, TomlValue } from 'smol-toml';

const MAX_DEPTH = 64;
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** Reads TOML 1.0 with exact integers (a bigint where a double would round). A BOM in front is skipped. */
export function parseToml(text: string): { ok: true; table: TomlTable } | { ok: false; syntax: PolicySyntaxError } {
  const bom = text.startsWith('\uFEFF') ? 1 : 0;
  try {
    return { ok: true, table: parse(bom === 1 ? text.slice(1) : text, { integersAsBigInt: 'asNeeded', maxDepth: MAX_DEPTH }) };
  } catch (error) {
    // The parser's only way to report that the text is not TOML; anything else is a bug and goes on.
    if (!(error instanceof TomlError)) throw error;
    const message = (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '');
    return { ok: false, syntax: explainTomlError(text.slice(bom), { message, line: error.line, column: error.column }) };
  }
}

/** Writes a value in TOML on one line, as it stands behind a `=`. Throws if TOML lacks it. */
export function writeTomlValue(value: TomlValue): string {
  // In a list of several kinds the library writes tables inline.
  return stringify({ v: [value, 0] })
    .replace(/^v = \[ /, '')
    .replace(/, 0 \]\n$/, '');
}

export function isTomlTable(value: TomlValue | undefined): value is TomlTable {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof TomlDate);
}

/** Tells whether an integer exceeds the range that TOML keeps exact. */
export function isBeyond64Bits(value: bigint): boolean {
  return value > INT64_MAX || value < INT64_MIN;
}

/** Names a value's type to a person: `a string`, `a table`, … */
export function describeToml(value: TomlValue): string {
  if (typeof value === 'string') return 'a string';
  if (typeof value === 'boolean') return 'a boolean';
  if (typeof value === 'bigint') return 'an integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a number';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof TomlDate) return 'a date or time';
  return 'a table';
}
