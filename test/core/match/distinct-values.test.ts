import { expect, it } from 'vitest';
import { ExactNumber, type JsonValue } from '../../../src/core/json.ts';
import { addKey, addValue, type Distinct, isSameScalar } from '../../../src/core/match/distinct-values.ts';

const empty = (): Distinct => ({ values: [], keys: [], seen: undefined, seenKeys: undefined });

it('has each scalar once, however many there are, and each object', () => {
  const distinct = empty();
  const many: JsonValue[] = [
    'a',
    1,
    '1',
    new ExactNumber('1e2'),
    new ExactNumber('1e2'),
    new ExactNumber('1e3'),
    null,
    true,
    'a',
    1,
  ];
  for (let round = 0; round < 3; round += 1) for (const value of [...many, ...'bcdefghij']) addValue(distinct, value);
  expect(distinct.values).toHaveLength(16);
  addValue(distinct, {});
  addValue(distinct, {});
  expect(distinct.values).toHaveLength(18);
});

it('has each key once', () => {
  const distinct = empty();
  for (let round = 0; round < 3; round += 1) for (const key of 'abcdefghijkl') addKey(distinct, key);
  expect(distinct.keys.join('')).toBe('abcdefghijkl');
});

it('tells numbers beyond a double apart by how they are written', () => {
  expect(isSameScalar(new ExactNumber('1e400'), new ExactNumber('1e400'))).toBe(true);
  expect(isSameScalar(new ExactNumber('1e400'), new ExactNumber('1e401'))).toBe(false);
});
