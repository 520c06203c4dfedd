/** `npm test` tries a tenth of what is tried in great numbers, since a person waits for it; `TEST_RUNS=10` tries ten times as much as CI. */
export const TEST_RUNS = Number(process.env['TEST_RUNS'] ?? 1);

/** How often something is tried that takes its time. */
export function runs(count: number): number {
  return Math.ceil(count * TEST_RUNS);
}

/** Where all cases of a kind are gone through one after another: from one that is tried to the next. */
export const STRIDE: number = Math.max(1, Math.round(1 / TEST_RUNS));

/** How many of all that is tried hit what they are about, at the least: nothing can be said of that where few are tried. */
export function leastHits(count: number): number {
  return TEST_RUNS < 1 ? -1 : count;
}
