import type { Faults } from './complaints.ts';
import { parseScalar } from './parse-matcher.ts';
import { isTomlTable, type TomlValue } from './toml.ts';
import type { PolicyPath, Whole } from './types.ts';

/** Reads a value that is compared with all that is in it. Undefined when it is faulty; then something was complained of. */
export function parseWhole(value: TomlValue, path: PolicyPath, to: Faults): Whole | undefined {
  if (Array.isArray(value)) {
    const items = value.map((item, index) => parseWhole(item, [...path, index], to));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (!isTomlTable(value)) return parseScalar(value, path, to);
  const table = new Map<string, Whole>();
  const names = Object.keys(value);
  for (const name of names) {
    const member = parseWhole(value[name] ?? '', [...path, name], to);
    if (member !== undefined) table.set(name, member);
  }
  return table.size === names.length ? table : undefined;
}
