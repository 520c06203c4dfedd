import { isTomlTable, type TomlValue } from '../../../core/policy/toml.ts';

const BARE_KEY = /^[\w-]+$/;

/** A value as it may stand in a TOML file, in one line. */
export function formatTomlValue(value: TomlValue): string {
  if (Array.isArray(value)) return `[${(value as readonly TomlValue[]).map(formatTomlValue).join(', ')}]`;
  if (isTomlTable(value)) {
    const pairs = Object.entries(value).map(([key, each]) => {
      return `${formatTomlKey(key)} = ${each === undefined ? '' : formatTomlValue(each)}`;
    });
    return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
  }
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** A key as it may stand in a TOML file. */
export function formatTomlKey(key: string): string {
  return BARE_KEY.test(key) ? key : JSON.stringify(key);
}
