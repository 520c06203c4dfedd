import { describe, expect, it } from 'vitest';
import { BatchAnswer } from '../../../src/gate/messages/pending.ts';

describe('BatchAnswer', () => {
  it('is complete when every request has its answer, in the order they came', () => {
    const batch = new BatchAnswer([1, '"2"', 3]);
    expect(batch.settle('"2"', '{"id":"2"}\n')).toBeUndefined();
    expect(batch.settle(3, undefined)).toBeUndefined();
    expect(batch.settle(1, '{"id":1}')).toBe('[{"id":"2"},{"id":1}]\n');
  });

  it('takes no answer twice, and none that is not its own', () => {
    const batch = new BatchAnswer([1, 2]);
    expect(batch.settle(9, '{}')).toBeUndefined();
    batch.settle(1, '{"n":1}');
    expect(batch.settle(1, '{"n":2}')).toBeUndefined();
    expect(batch.settle(2, '{"n":3}')).toBe('[{"n":1},{"n":3}]\n');
  });

  it('answers both of two requests under one id', () => {
    const batch = new BatchAnswer([1, 1]);
    expect(batch.settle(1, '{"n":1}')).toBeUndefined();
    expect(batch.settle(1, '{"n":2}')).toBe('[{"n":1},{"n":2}]\n');
    expect(batch.settle(1, '{"n":3}')).toBeUndefined();
  });

  it('has no answer where all was withdrawn', () => {
    expect(new BatchAnswer([1]).settle(1, undefined)).toBe('');
  });
});
