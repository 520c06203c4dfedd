const STEPS = [
  { unit: 'd', length: 86_400_000 },
  { unit: 'h', length: 3_600_000 },
  { unit: 'min', length: 60_000 },
] as const;

/** How long ago a time is, in one unit, e.g. `3 h ago`; both in milliseconds since the epoch. A time to come is `just now`. */
export function formatAgo(time: number, now: number): string {
  const step = STEPS.find(({ length }) => now - time >= length);
  return step === undefined ? 'just now' : `${Math.floor((now - time) / step.length)} ${step.unit} ago`;
}
