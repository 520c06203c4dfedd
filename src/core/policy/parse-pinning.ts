import { suggestName } from '../../suggest.ts';
import { checkKeys, complain, complainOfType, type Complaints } from './complaints.ts';
import { isTomlTable, type TomlTable, type TomlValue } from './toml.ts';
import type { OnChange, Pinning } from './types.ts';

export const ON_CHANGE: readonly OnChange[] = ['deny', 'hide', 'prompt', 'alert'];

/** A policy without the table. */
export const DEFAULT_PINNING: Pinning = { enabled: true, trustFirstUse: true, onChange: 'deny' };

/** Reads `[pinning]`: what becomes of calls whose definition is not as it was approved. */
export function parsePinning(value: TomlValue | undefined, to: Complaints): Pinning {
  if (value === undefined) return DEFAULT_PINNING;
  if (!isTomlTable(value)) {
    complainOfType(to, ['pinning'], value, 'a table');
    return DEFAULT_PINNING;
  }
  checkKeys(to, ['pinning'], value, { read: ['enabled', 'trust_first_use', 'on_change'], unenforced: [], where: '[pinning]' });
  return {
    enabled: parseFlag(value, 'enabled', to) ?? DEFAULT_PINNING.enabled,
    trustFirstUse: parseFlag(value, 'trust_first_use', to) ?? DEFAULT_PINNING.trustFirstUse,
    onChange: parseOnChange(value['on_change'], to) ?? DEFAULT_PINNING.onChange,
  };
}

function parseFlag(table: TomlTable, key: string, to: Complaints): boolean | undefined {
  const value = table[key];
  if (value === undefined || typeof value === 'boolean') return value;
  complainOfType(to, ['pinning', key], value, 'true or false');
  return undefined;
}

function parseOnChange(value: TomlValue | undefined, to: Complaints): OnChange | undefined {
  const action = ON_CHANGE.find((known) => known === value);
  if (value === undefined || action !== undefined) return action;
  const path = ['pinning', 'on_change'];
  if (typeof value !== 'string') complainOfType(to, path, value, '"deny", "hide", "prompt" or "alert"');
  else {
    const meant = suggestName(value, ON_CHANGE);
    const hint = meant === undefined ? `actions: ${ON_CHANGE.join(', ')}` : `did you mean "${meant}"?`;
    complain(to, path, `unknown action ${JSON.stringify(value)}`, hint);
  }
  return undefined;
}
