import { isAbsolute, join } from 'node:path';
import { complain, complainOfType, type Faults } from '../core/policy/complaints.ts';
import type { TomlValue } from '../core/policy/toml.ts';
import type { PolicyPath } from '../core/policy/types.ts';
import { formatDuration, formatSize, parseDuration, parseSize } from '../core/quantity.ts';
import { suggestName } from '../suggest.ts';

/** Reads the value of one setting. A faulty value is reported and gives undefined. */
export type SettingReader<T> = (value: TomlValue, path: PolicyPath, to: Faults) => T | undefined;

/** Inclusive. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** Reads one word of a list; `unsupported` matches values that this version does not support, and says what to write instead. */
export function choice<const T extends string>(
  choices: readonly T[],
  unsupported?: { readonly pattern: RegExp; readonly hint?: string },
): SettingReader<T> {
  const shown = choices.map((known) => `"${known}"`).join(' or ');
  return (value, path, to) => {
    const chosen = choices.find((known) => known === value);
    if (chosen !== undefined) return chosen;
    const key = path.join('.');
    if (typeof value !== 'string') {
      complainOfType(to, path, value, shown);
      return undefined;
    }
    // The address of a store may contain a password.
    const written = JSON.stringify(value.replace(/:\/\/.+$/s, '://…'));
    if (unsupported?.pattern.test(value) === true) {
      const { hint = `write ${shown}` } = unsupported;
      complain(to, path, `${key} = ${written} is not supported by this version of clawai`, hint);
      return undefined;
    }
    const meant = suggestName(value, choices);
    const hint = meant === undefined ? undefined : `did you mean "${meant}"?`;
    complain(to, path, `${key} must be ${shown}, not ${written}`, hint);
    return undefined;
  };
}

/** Reads bytes: a size like `"32 MiB"`, or an integer. */
export function size(bounds: Bounds): SettingReader<number> {
  return (value, path, to) => {
    if (isInteger(value)) return within(Number(value), bounds, formatSize)(path, to);
    if (typeof value !== 'string') {
      complainOfType(to, path, value, 'a size like "32 MiB" or a number of bytes');
      return undefined;
    }
    const read = parseSize(value);
    if (read.ok) return within(read.value, bounds, formatSize)(path, to);
    complain(to, path, read.message, read.hint);
    return undefined;
  };
}

/** Reads milliseconds from a duration like `"90d"`. A bare number is refused, since its unit would be a guess. */
export function duration(bounds: Bounds): SettingReader<number> {
  return (value, path, to) => {
    if (typeof value !== 'string') {
      complainOfType(to, path, value, 'a duration like "90d"');
      return undefined;
    }
    const read = parseDuration(value);
    if (read.ok) return within(read.value, bounds, formatDuration)(path, to);
    complain(to, path, read.message, read.hint);
    return undefined;
  };
}

export const yesOrNo: SettingReader<boolean> = (value, path, to) => {
  if (typeof value === 'boolean') return value;
  complainOfType(to, path, value, 'true or false');
  return undefined;
};

export function integer(bounds: Bounds): SettingReader<number> {
  return (value, path, to) => {
    if (isInteger(value)) return within(Number(value), bounds, String)(path, to);
    complainOfType(to, path, value, 'an integer');
    return undefined;
  };
}

/** Reads the absolute path of a file or folder. `~` stands for the home. */
export function absolutePath(home: string): SettingReader<string> {
  return (value, path, to) => {
    if (typeof value !== 'string') {
      complainOfType(to, path, value, 'a path');
      return undefined;
    }
    const expanded = value === '~' || /^~[/\\]/.test(value) ? join(home, value.slice(1)) : value;
    if (isAbsolute(expanded) && !expanded.includes('\0')) return expanded;
    // A relative path would differ for each client that starts us in another folder.
    const message = `${path.join('.')} must be an absolute path, not ${JSON.stringify(value)}`;
    complain(to, path, message, '~ stands for your home directory');
    return undefined;
  };
}

/** Reads `true` for the default path, `false` for none, or a path. */
export function pathOrSwitch(home: string): SettingReader<string | boolean> {
  const readPath = absolutePath(home);
  return (value, path, to) => {
    if (typeof value === 'boolean') return value;
    if (typeof value === 'string') return readPath(value, path, to);
    complainOfType(to, path, value, 'true, false or a path');
    return undefined;
  };
}

/** Matches a name or an address as in a Host header, without a port. */
const HOST_NAME = /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)$/i;

/** Reads a list of host names without ports, and lower-cases them. */
export const hostNames: SettingReader<readonly string[]> = (value, path, to) => {
  if (!Array.isArray(value)) {
    complainOfType(to, path, value, 'a list of host names');
    return undefined;
  }
  return value.flatMap((name, index) => {
    if (typeof name === 'string' && HOST_NAME.test(name)) return [name.toLowerCase()];
    const what = typeof name === 'string' ? JSON.stringify(name) : 'something else';
    complain(
      to,
      [...path, index],
      `${path.join('.')} must have host names like "clawai.example.com", not ${what}`,
      'without a port',
    );
    return [];
  });
};

function within(value: number, { least, most }: Bounds, format: (value: number) => string) {
  return (path: PolicyPath, to: Faults): number | undefined => {
    if (value >= least && value <= most) return value;
    const bound = value < least ? `at least ${format(least)}` : `at most ${format(most)}`;
    complain(to, path, `${path.join('.')} must be ${bound}`);
    return undefined;
  };
}

function isInteger(value: TomlValue): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value);
}
