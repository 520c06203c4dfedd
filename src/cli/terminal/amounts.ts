/** Local date and time to the millisecond, `2026-01-31 18:30:00.250`; `?` for what is no time. */
export function formatTime(time: number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '?';
  return `${formatDay(date)} ${formatClock(date)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** Local date and time to the second; without the year where it is that of `now`: `01-31 18:30:00`. */
export function formatShortTime(time: number, now: number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '?';
  const day = formatDay(date);
  return `${date.getFullYear() === new Date(now).getFullYear() ? day.slice(-5) : day} ${formatClock(date)}`;
}

function formatDay(date: Date): string {
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

function formatClock(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/** ISO 8601 in UTC, for programs; null for what is no time. */
export function isoTime(time: number | undefined): string | null {
  const date = new Date(time ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

const STEPS = [
  { unit: 'd', length: 86_400_000 },
  { unit: 'h', length: 3_600_000 },
  { unit: 'min', length: 60_000 },
] as const;

/** Formats the age of a time in one unit, e.g. `3 h ago`; both in milliseconds since the epoch. A time to come is `just now`. */
export function formatAgo(time: number, now: number): string {
  const step = STEPS.find(({ length }) => now - time >= length);
  return step === undefined ? 'just now' : `${Math.floor((now - time) / step.length)} ${step.unit} ago`;
}

/** `1 call`, `2 calls`. */
export function countOf(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
