import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Definition } from '../../../src/core/registry/definition.ts';
import { slicesOf, toInput } from '../../../src/gate/detection/definition-scanner.ts';

const sized = (size: number): Definition => ({ kind: 'tool', name: 'a', fingerprint: 'f', text: 'x'.repeat(size) });

it('all of them, in their order, so many and so much at once', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 50_000 }), { maxLength: 60 }), (sizes) => {
      const definitions = sizes.map(sized);
      const slices = slicesOf(definitions);
      expect(slices.flat()).toEqual(definitions);
      for (const slice of slices) {
        const characters = slice.reduce((sum, { text }) => sum + text.length, 0);
        expect(slice.length === 1 || (slice.length <= 16 && characters <= 32 * 1024)).toBe(true);
      }
    }),
  );
});

it('a definition is shown as it was listed', () => {
  expect(toInput({ kind: 'tool', name: 'a', fingerprint: 'f', text: '{"name":"a","n":1}' })).toEqual({
    kind: 'tool',
    name: 'a',
    value: { name: 'a', n: 1 },
  });
});
