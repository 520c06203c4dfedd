import { describe, expect, it } from 'vitest';
import { SentValues } from '../../../../src/core/flow/values/known-values.ts';
import { visitFeatures } from '../../../../src/core/flow/values/features.ts';
import { hasher } from './memory.ts';
import { randomBytes } from './random-bytes.ts';

const KEY = 'vt9kqz4mxr7wlpb2';

function marksOf(text: string): readonly number[] {
  const marks: number[] = [];
  visitFeatures(text, hasher, { mayMatter: () => true, visit: (_kind, mark) => marks.push(mark) });
  return marks;
}

describe('SentValues', () => {
  it('has what was sent, from the first time on', () => {
    const sent = new SentValues(hasher);
    sent.add({ text: KEY }, 10);
    sent.add({ deep: [{ text: KEY.toUpperCase() }] }, 20);
    expect(marksOf(KEY).map((mark) => [sent.has(mark), sent.has(mark, 10), sent.has(mark, 11)])).toEqual(
      marksOf(KEY).map(() => [true, false, true]),
    );
  });

  it('has nothing else', () => {
    const sent = new SentValues(hasher);
    sent.add(undefined, 1);
    sent.add({ text: 'another text that is long enough' }, 1);
    expect(marksOf(KEY).some((mark) => sent.has(mark))).toBe(false);
  });

  it('forgets the oldest when there is very much', () => {
    const sent = new SentValues(hasher);
    sent.add({ text: KEY }, 1);
    for (let index = 0; index < 10; index += 1) sent.add({ text: randomBytes(8000, `${index}`).toString('hex') }, 2 + index);
    expect(marksOf(KEY).some((mark) => sent.has(mark))).toBe(false);
    expect([sent.hasForgotten(1), sent.hasForgotten(12)]).toEqual([true, false]);
    const last = randomBytes(8000, '9').toString('hex').slice(0, 100);
    expect(
      marksOf(last)
        .slice(20, 40)
        .every((mark) => sent.has(mark)),
    ).toBe(true);
  });
});
