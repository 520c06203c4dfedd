import { describe, expect, it } from 'vitest';
import { measureRandomness } from '../../../../src/core/flow/values/randomness.ts';

function average(text: string): number {
  const bits = new Float32Array(text.length);
  measureRandomness(text, { start: 0, end: text.length }, bits);
  const letters = bits.filter((value) => value > 0);
  return letters.reduce((sum, value) => sum + value, 0) / letters.length;
}

describe('measureRandomness', () => {
  it.each(['vT9kQz4mXr7wLpB2', '3f8b1c6e92d44a7b8e15', 'QZXJKVWPFGHT', 'x7k2m-9fq3t'])('%s is random', (text) => {
    expect(average(text)).toBeGreaterThan(3.3);
  });

  it.each(['getUserById', 'XMLHttpRequest', 'release-2026', 'authentication', 'v1.2.3', 'sha256', 'arm64'])(
    '%s is not',
    (text) => {
      expect(average(text)).toBeLessThan(3.2);
    },
  );

  it('gives separators nothing', () => {
    const bits = new Float32Array(3);
    measureRandomness('a-b', { start: 0, end: 3 }, bits);
    expect([...bits].map((value) => value > 0)).toEqual([true, false, true]);
  });
});
