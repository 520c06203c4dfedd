import type { RateLimit } from '../../../core/rate/bucket.ts';
import type { PolicyPath, RateLimits } from '../../../core/policy/types.ts';
import { formatTomlKey } from './format-toml-value.ts';

/**
 * `[rate_limits]`: the limits of all, then those of servers and of tools, in the order of the file.
 *
 * @param settle gives a value, by its path, its name and how it is shown, the place where it is written
 */
export function toRateSettings<T>(
  { enabled, default: fallback, servers }: RateLimits,
  settle: (path: PolicyPath, name: string, shown: string) => T,
): readonly T[] {
  const settled = (steps: readonly string[], value: string): T =>
    settle(['rate_limits', ...steps], steps.map(formatTomlKey).join('.'), value);
  const settledLimit = (steps: readonly string[], { rpm, burst }: RateLimit): readonly T[] => [
    settled([...steps, 'rpm'], String(rpm)),
    settled([...steps, 'burst'], String(burst)),
  ];
  return [
    settled(['enabled'], String(enabled)),
    settled(['default_rpm'], String(fallback.rpm)),
    settled(['default_burst'], String(fallback.burst)),
    ...Array.from(servers).flatMap(([server, { limit, tools }]) => [
      ...(limit === undefined ? [] : settledLimit(['server', server], limit)),
      ...Array.from(tools).flatMap(([tool, each]) => settledLimit(['server', server, 'tool', tool], each)),
    ]),
  ];
}
