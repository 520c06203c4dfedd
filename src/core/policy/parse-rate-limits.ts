import type { RateLimit } from '../finding.ts';
import { complain, complainOfType, type Complaints } from './complaints.ts';
import { amount, flag, type Keys, openTable, OWN, readValues } from './keys.ts';
import { isTomlTable, type TomlTable, type TomlValue } from './toml.ts';
import type { PolicyPath } from './types.ts';

const DEFAULT_RPM = 60;
/** Highest rate and burst. No agent makes as many calls, and sums of such numbers are exact enough. */
const MOST_RATE = 1_000_000;

const RPM = amount({ usual: undefined, isWhole: false, most: MOST_RATE, description: 'Calls a minute.' });
const BURST = amount({
  usual: undefined,
  isWhole: true,
  most: MOST_RATE,
  description: 'How many calls may come at once after a pause; a sixth of the rate, at least one, if not given.',
});

/** `[rate_limits]`. */
export const RATE_LIMITS = {
  enabled: flag(false, 'true enforces the limits; false only keeps them in the file.'),
  default_rpm: { ...RPM, usual: DEFAULT_RPM, description: 'Calls a minute, for each server that has no limit of its own.' },
  default_burst: BURST,
  server: OWN,
} as const satisfies Keys;

/** The limits of a tool, and of a server. */
export const TOOL_RATE = { rpm: RPM, burst: BURST } as const satisfies Keys;
export const SERVER_RATE = { ...TOOL_RATE, tool: OWN } as const satisfies Keys;

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
  const { enabled, defaultRpm = DEFAULT_RPM, defaultBurst } = readValues(place, RATE_LIMITS);
  const fallback = limitOf(defaultRpm, defaultBurst);
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
    enabled,
    default: fallback,
    servers: parseTables(table['server'], [...path, 'server'], to, (server, at) => parseServer(server, at, to, fallback)),
  };
}

/** Allows at least one call at once, since otherwise all would be denied. */
function limitOf(rpm: number, burst = Math.max(1, Math.floor(rpm / 6))): RateLimit {
  return { rpm, burst };
}

function parseServer(table: TomlTable, path: PolicyPath, to: Complaints, fallback: RateLimit): ServerRate {
  const place = openTable(table, { path, to, where: "a server's rate limits" }, SERVER_RATE);
  const tools = parseTables(table['tool'], [...path, 'tool'], to, (tool, at) => parseTool(tool, at, to) ?? fallback);
  const { rpm, burst } = readValues(place, SERVER_RATE);
  const isGiven = rpm !== undefined || burst !== undefined;
  return { limit: isGiven ? limitOf(rpm ?? fallback.rpm, burst) : undefined, tools };
}

function parseTool(table: TomlTable, path: PolicyPath, to: Complaints): RateLimit | undefined {
  const place = openTable(table, { path, to, where: "a tool's rate limit" }, TOOL_RATE);
  if (table['rpm'] === undefined) complain(to, path, 'a rate limit of a tool needs "rpm"', 'rpm = 60');
  const { rpm, burst } = readValues(place, TOOL_RATE);
  return rpm === undefined ? undefined : limitOf(rpm, burst);
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
