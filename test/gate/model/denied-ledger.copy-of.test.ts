import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { copyOf } from '../../../src/gate/model/denied-ledger.ts';

it.each(['', 'a', 'é🏔', 'half \ud800 of a pair', '\0'])('%j is the same', (text) => {
  expect(copyOf(text)).toBe(text);
});

it('keeps nothing of what it was cut out of', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  const kept = Array.from({ length: 20 }, (_, i) => copyOf(`${i}${'x'.repeat(1 << 20)}`.slice(0, 100)));
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10 << 20);
  expect(kept).toHaveLength(20);
});
