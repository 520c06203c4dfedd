import { checkKeys, complainOfType, type Complaints } from './complaints.ts';
import { isTomlTable, type TomlValue } from './toml.ts';
import type { RateLimits } from './types.ts';

/** A policy without the table. */
export const DEFAULT_RATE_LIMITS: RateLimits = { enabled: false, default: { rpm: 60, burst: 10 }, servers: new Map() };

/** Reads `[rate_limits]`: how often servers and tools may be called. */
export function parseRateLimits(value: TomlValue | undefined, to: Complaints): RateLimits {
  if (value === undefined) return DEFAULT_RATE_LIMITS;
  if (!isTomlTable(value)) complainOfType(to, ['rate_limits'], value, 'a table');
  else checkKeys(to, ['rate_limits'], value, { read: ['enabled'], unenforced: [], where: '[rate_limits]' });
  return DEFAULT_RATE_LIMITS;
}
