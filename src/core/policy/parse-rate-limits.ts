import type { RateLimit } from '../finding.ts';
import { checkKeys, complain, complainOfType, type Complaints } from './complaints.ts';
import { flag, type Keys, openTable, OWN, readValues } from './keys.ts';
import { isTomlTable, type TomlTable, type TomlValue } from './toml.ts';
import type { PolicyPath } from './types.ts';

const DEFAULT_RPM = 60;
/** Highest rate and burst. No agent makes as many calls, and sums of such numbers are exact enough. */
export const MOST_RATE = 1_000_000;

/** `[rate_limits]`. */
export const RATE_LIMITS = {
  enabled: flag(false, 'true enforces the limits; false only keeps them in the file.'),
  default_rpm: OWN,
  default_burst: OWN,
  server: OWN,
} as const satisfies Keys;

/** The limit if the table gives none. */
const DEFAULT_LIMIT: RateLimit = rateOf(DEFAULT_RPM);

/** The limits on calls of servers. */
export interface RateLimits {
  readonly enabled: boolean;
  /** The limit of every server without one of its own. */
  readonly default: RateLimit;
  readonly servers: ReadonlyMap<string, ServerRate>;
}

export interface ServerRate {
  /** Undefined for the default. */
  readonly limit: RateLimit | undefined;
  /** Limits by the tool's name, in addition to the server's. */
  readonly tools: ReadonlyMap<string, RateLimit>;
}

/**
 * Reads `[rate_limits]`: the limits on calls of servers and tools. Limits without `enabled` are an error, since they would have no effect.
 * `enabled = false` makes that explicit, and then they are accepted.
 */
export function parseRateLimits(value: TomlValue | undefined, to: Complaints): RateLimits {
  const place = openTable(value, { path: ['rate_limits'], to }, RATE_LIMITS);
  const { path, table } = place;
  const fallback = parseRate(table, { path, rpm: 'default_rpm', burst: 'default_burst' }, to) ?? DEFAULT_LIMIT;
  const idle = Object.keys(RATE_LIMITS).find((key) => table[key] !== undefined);
  if (table['enabled'] === undefined && idle !== undefined) {
    complain(
      to,
      [...path, idle],
      `"${idle}" has no effect while [rate_limits] is not enabled`,
      'write enabled = true in [rate_limits], or false to switch all of it off',
    );
  }
  return {
    ...readValues(place, RATE_LIMITS),
    default: fallback,
    servers: parseTables(table['server'], [...path, 'server'], to, (server, at) => parseServer(server, at, to, fallback)),
  };
}

/** The limit for a rate alone. Allows at least one call at once, since otherwise all would be denied. */
function rateOf(rpm: number): RateLimit {
  return { rpm, burst: Math.max(1, Math.floor(rpm / 6)) };
}

function parseServer(table: TomlTable, path: PolicyPath, to: Complaints, fallback: RateLimit): ServerRate {
  checkKeys(to, path, table, { read: ['rpm', 'burst', 'tool'], unenforced: [], where: "a server's rate limits" });
  const tools = parseTables(table['tool'], [...path, 'tool'], to, (tool, at) => parseTool(tool, at, to) ?? fallback);
  return { limit: parseRate(table, { path, rpm: 'rpm', burst: 'burst', fallback }, to), tools };
}

function parseTool(table: TomlTable, path: PolicyPath, to: Complaints): RateLimit | undefined {
  checkKeys(to, path, table, { read: ['rpm', 'burst'], unenforced: [], where: "a tool's rate limit" });
  if (table['rpm'] === undefined) complain(to, path, 'a rate limit of a tool needs "rpm"', 'rpm = 60');
  return parseRate(table, { path, rpm: 'rpm', burst: 'burst' }, to);
}

/** Parses every table in a table, by its name, which may be anything, even a name that objects have by themselves. */
function parseTables<T>(
  value: TomlValue | undefined,
  path: PolicyPath,
  to: Complaints,
  parse: (table: TomlTable, path: PolicyPath) => T,
): ReadonlyMap<string, T> {
  const parsed = new Map<string, T>();
  if (value === undefined) return parsed;
  if (!isTomlTable(value)) {
    complainOfType(to, path, value, 'a table');
    return parsed;
  }
  for (const [name, table] of Object.entries(value)) {
    if (isTomlTable(table)) parsed.set(name, parse(table, [...path, name]));
    else if (table !== undefined) complainOfType(to, [...path, name], table, 'a table');
  }
  return parsed;
}

interface RateKeys {
  readonly path: PolicyPath;
  readonly rpm: string;
  readonly burst: string;
  /** The rate to use if only a burst is given. */
  readonly fallback?: RateLimit;
}

/** Undefined if the table gives neither. */
function parseRate(table: TomlTable, { path, rpm, burst, fallback }: RateKeys, to: Complaints): RateLimit | undefined {
  const rate = parseAmount(table[rpm], [...path, rpm], to, 'a number above 0');
  const most = parseAmount(table[burst], [...path, burst], to, 'an integer from 1');
  if (rate === undefined && most === undefined) return undefined;
  const limit = rateOf(rate ?? fallback?.rpm ?? DEFAULT_RPM);
  return most === undefined ? limit : { ...limit, burst: most };
}

function parseAmount(
  value: TomlValue | undefined,
  path: PolicyPath,
  to: Complaints,
  wanted: 'a number above 0' | 'an integer from 1',
): number | undefined {
  if (value === undefined) return undefined;
  const isInteger = wanted === 'an integer from 1';
  const isRight = typeof value === 'number' && value > 0 && value <= MOST_RATE && (!isInteger || Number.isInteger(value));
  if (isRight) return value;
  const range = isInteger ? `an integer from 1 to ${MOST_RATE}` : `a number above 0 and at most ${MOST_RATE}`;
  if (typeof value === 'number' || typeof value === 'bigint') complain(to, path, `${path.at(-1)} must be ${range}`);
  else complainOfType(to, path, value, range);
  return undefined;
}
