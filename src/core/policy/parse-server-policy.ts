import { suggestName } from '../../suggest.ts';
import { checkKeys, complain, complainOfType, type Complaints } from './complaints.ts';
import { parseGlobs } from './parse-texts.ts';
import { isTomlTable, type TomlTable, type TomlValue } from './toml.ts';
import type { ServerPolicy } from './types.ts';

export const SERVER_MODES: readonly ServerPolicy['mode'][] = ['allowlist', 'denylist', 'none'];

/** A policy without the table. */
const DEFAULT_SERVER_POLICY: ServerPolicy = { mode: 'none', allow: [], deny: [] };

/**
 * Reads `[server_policy]`: which servers there may be. Lists that nothing makes count are a fault: somebody meant something by them.
 * `policy = "none"` says so, and then they may stand.
 */
export function parseServerPolicy(value: TomlValue | undefined, to: Complaints): ServerPolicy {
  if (value === undefined) return DEFAULT_SERVER_POLICY;
  if (!isTomlTable(value)) {
    complainOfType(to, ['server_policy'], value, 'a table');
    return DEFAULT_SERVER_POLICY;
  }
  checkKeys(to, ['server_policy'], value, { read: ['policy', 'allow', 'deny'], unenforced: [], where: '[server_policy]' });
  const lists = { allow: parseServers(value, 'allow', to), deny: parseServers(value, 'deny', to) };
  if (value['policy'] !== undefined) return { mode: parseMode(value['policy'], to) ?? 'none', ...lists };
  const [idle] = (['deny', 'allow'] as const).filter((key) => value[key] !== undefined);
  if (idle !== undefined) {
    complain(to, ['server_policy', idle], `"${idle}" counts for nothing without a policy`, `policy = "${idle}list"`);
  }
  return { mode: 'none', ...lists };
}

function parseMode(value: TomlValue, to: Complaints): ServerPolicy['mode'] | undefined {
  const mode = SERVER_MODES.find((known) => known === value);
  if (mode !== undefined) return mode;
  const path = ['server_policy', 'policy'];
  if (typeof value !== 'string') complainOfType(to, path, value, '"allowlist", "denylist" or "none"');
  else {
    const meant = suggestName(value, SERVER_MODES);
    const hint = meant === undefined ? `policies: ${SERVER_MODES.join(', ')}` : `did you mean "${meant}"?`;
    complain(to, path, `unknown server policy ${JSON.stringify(value)}`, hint);
  }
  return undefined;
}

function parseServers(table: TomlTable, key: 'allow' | 'deny', to: Complaints): readonly string[] {
  const value = table[key];
  return value === undefined ? [] : (parseGlobs(value, ['server_policy', key], to) ?? []);
}
