import { expect, it } from 'vitest';
import { inspectorsOf } from '../../../src/gate/calls/review.ts';

it.each([
  [false, false, ['policy']],
  [true, false, ['policy', 'flow']],
  [false, true, ['policy', 'detection']],
  [true, true, ['policy', 'flow', 'detection']],
])('flow %s, detection %s: %j', (hasFlow, hasDetection, expected) => {
  expect(inspectorsOf(hasFlow, hasDetection)).toEqual(expected);
  expect(inspectorsOf(hasFlow, hasDetection)).toBe(inspectorsOf(hasFlow, hasDetection));
});
