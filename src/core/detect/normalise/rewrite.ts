/** A text after some of it was replaced, with the mapping back. */
export interface Rewritten {
  readonly text: string;
  /** Maps an offset in this text to the original one, both in UTF-16 units. Never falls while the argument rises. */
  at(offset: number): number;
}

/** The kept stretches: their beginnings in both texts, and their lengths. */
interface Stretches {
  readonly starts: readonly number[];
  readonly sources: readonly number[];
  readonly lengths: readonly number[];
}

/** A text of which nothing was replaced. */
export function unchanged(text: string): Rewritten {
  return { text, at: (offset) => Math.min(Math.max(offset, 0), text.length) };
}

/**
 * Replaces the matches of a global pattern. The mapping is computed on demand: most texts have no match whose place is needed.
 *
 * @param replace called twice for the same match, and must return the same
 */
export function rewrite(text: string, pattern: RegExp, replace: (found: string) => string): Rewritten {
  const rewritten = text.replace(pattern, (found) => replace(found));
  if (rewritten === text) return unchanged(text);
  let stretches: Stretches | undefined;
  return {
    text: rewritten,
    at: (offset) => {
      stretches ??= keptStretches(text, pattern, replace);
      return sourceOf(stretches, Math.min(Math.max(offset, 0), rewritten.length));
    },
  };
}

/** Applies one rewriting after another. */
export function chained(first: Rewritten, then: (text: string) => Rewritten): Rewritten {
  const second = then(first.text);
  return { text: second.text, at: (offset) => first.at(second.at(offset)) };
}

function keptStretches(text: string, pattern: RegExp, replace: (found: string) => string): Stretches {
  const starts: number[] = [];
  const sources: number[] = [];
  const lengths: number[] = [];
  let source = 0;
  let start = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const replacement = replace(found);
    if (replacement === found) continue;
    starts.push(start);
    sources.push(source);
    lengths.push(index - source);
    start += index - source + replacement.length;
    source = index + found.length;
  }
  starts.push(start);
  sources.push(source);
  lengths.push(text.length - source);
  return { starts, sources, lengths };
}

function sourceOf({ starts, sources, lengths }: Stretches, offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  const into = Math.min(offset - (starts[low] ?? 0), lengths[low] ?? 0);
  return (sources[low] ?? 0) + into;
}
