import { ClawaiError } from '../../errors.ts';

const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 7 * 86_400_000],
]);
const DURATION = /^(\d{1,9})([smhdw])$/;
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,3})\d*)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Reads a point in time: a duration back from `now` (`30s`, `15m`, `1h`, `7d`, `2w`), or an ISO date or date-time, which is local
 * where it names no zone; a date is its midnight.
 *
 * @param now milliseconds since the epoch, as is the result
 * @throws ClawaiError `usage`, which shows the forms
 */
export function parseTime(flag: string, text: string, now: number): number {
  const [, count = '', unit = ''] = DURATION.exec(text) ?? [];
  const worth = UNITS.get(unit);
  if (worth !== undefined) return now - Number(count) * worth;
  const time = parseDateTime(text);
  if (time !== undefined) return time;
  throw new ClawaiError(`--${flag}: ${JSON.stringify(text)} is no time`, {
    code: 'usage',
    hint: 'write how long ago (30s, 15m, 1h, 7d), a date (2026-01-31) or a date and time (2026-01-31T18:30, 2026-01-31T18:30:00Z)',
  });
}

function parseDateTime(text: string): number | undefined {
  const match = DATE_TIME.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((digits) => Number(digits ?? 0));
  const millisecond = Number((match[7] ?? '').padEnd(3, '0'));
  // What JavaScript would carry over, such as February 30th, is a slip of the pen.
  if (month < 1 || month > 12 || day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const zone = match[8];
  if (zone === undefined) return new Date(year, month - 1, day, hour, minute, second, millisecond).getTime();
  const utc = Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
  if (zone === 'Z') return utc;
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  if (Number(hours) > 14 || Number(minutes) > 59) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '-' ? utc + offset : utc - offset;
}
