/** `npm test` tries a tenth of what is tried in great numbers, since a person waits for it; `TEST_RUNS=10` tries ten times as much as CI. */
export const TEST_RUNS = Number(process.env['TEST_RUNS'] ?? 1);

/** How often something is tried that takes its time. */
export function runs(count: number): number {
  return Math.ceil(count * TEST_RUNS);
}
