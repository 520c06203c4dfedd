import type { SecretSpan } from './secret-forms.ts';

/** Unites overlapping spans, with the kind of the first in the list: a form tells more than a name. */
export function unite(spans: readonly SecretSpan[]): SecretSpan[] {
  const union: (SecretSpan & { rank: number })[] = [];
  const ranked = spans.map((span, rank) => ({ ...span, rank })).toSorted((a, b) => a.start - b.start);
  for (const span of ranked) {
    const last = union.at(-1);
    if (last === undefined || span.start >= last.end) {
      union.push(span);
      continue;
    }
    const { kind, rank } = span.rank < last.rank ? span : last;
    union[union.length - 1] = { start: last.start, end: Math.max(last.end, span.end), kind, rank };
  }
  return union.map(({ start, end, kind }) => ({ start, end, kind }));
}
