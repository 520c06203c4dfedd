import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Interner } from '../../src/protocol/envelope-reader.ts';
import { decodeString } from '../../src/protocol/json-key.ts';

it('reads what decodeString reads, whatever it has read before', () => {
  const interner = new Interner();
  const text = fc.oneof(
    fc.constantFrom('"ping"', '"pong"', '"tools/call"', '"tools/list"', '"a\\u0062"', '"\\x"', '""'),
    fc.string().map((value) => JSON.stringify(value)),
    fc.string({ minLength: 60, maxLength: 80 }).map((value) => JSON.stringify(value)),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), (texts) => {
      for (const json of texts) {
        const bytes = Buffer.from(`x${json}x`);
        expect(interner.read(bytes, 1, bytes.length - 1)).toBe(decodeString(bytes, 1, bytes.length - 1));
        // What it keeps must not be the caller's bytes.
        bytes.fill(0);
      }
    }),
  );
});
