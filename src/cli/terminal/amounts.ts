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
