import { describe, expect, it } from 'vitest';
import { SaidValues } from '../../../../src/core/flow/values/known-values.ts';
import { visitFeatures } from '../../../../src/core/flow/values/features.ts';
import { hasher } from './memory.ts';
import { randomBytes } from './random-bytes.ts';

const KEY = 'vt9kqz4mxr7wlpb2';

function marksOf(text: string): readonly number[] {
  const marks: number[] = [];
  visitFeatures(text, hasher, { mayMatter: () => true, visit: (_kind, mark) => marks.push(mark) });
  return marks;
}

describe('SaidValues', () => {
  it('has what was said, from the first time on', () => {
    const said = new SaidValues(hasher);
    said.add({ text: KEY }, 10);
    said.add({ deep: [{ text: KEY.toUpperCase() }] }, 20);
    expect(marksOf(KEY).map((mark) => [said.has(mark), said.has(mark, 10), said.has(mark, 11)])).toEqual(
      marksOf(KEY).map(() => [true, false, true]),
    );
  });

  it('has nothing else', () => {
    const said = new SaidValues(hasher);
    said.add(undefined, 1);
    said.add({ text: 'another text that is long enough' }, 1);
    expect(marksOf(KEY).some((mark) => said.has(mark))).toBe(false);
  });

  it('forgets the oldest when there is very much', () => {
    const said = new SaidValues(hasher);
    said.add({ text: KEY }, 1);
    for (let index = 0; index < 10; index += 1) said.add({ text: randomBytes(8000, `${index}`).toString('hex') }, 2 + index);
    expect(marksOf(KEY).some((mark) => said.has(mark))).toBe(false);
    expect([said.hasForgotten(1), said.hasForgotten(12)]).toEqual([true, false]);
    const last = randomBytes(8000, '9').toString('hex').slice(0, 100);
    expect(
      marksOf(last)
        .slice(20, 40)
        .every((mark) => said.has(mark)),
    ).toBe(true);
  });
});
