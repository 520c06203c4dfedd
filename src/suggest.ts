/**
 * The candidate that a misspelt word most likely stands for: the one with the fewest edits (insert, delete, replace,
 * swap neighbours), case apart, if that is at most a third of the longer word; undefined when none is that near.
 */
export function suggestName(word: string, candidates: readonly string[]): string | undefined {
  let best: { readonly candidate: string; readonly edits: number } | undefined;
  for (const candidate of candidates) {
    // Far apart in length is far apart in edits; this also keeps a huge word from costing anything.
    if (Math.abs(candidate.length - word.length) > candidate.length) continue;
    const edits = countEdits(word.toLowerCase(), candidate.toLowerCase());
    const allowed = Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3));
    if (edits <= allowed && (best === undefined || edits < best.edits)) best = { candidate, edits };
  }
  return best?.candidate;
}

/** Optimal string alignment distance, three rows at a time. */
function countEdits(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
