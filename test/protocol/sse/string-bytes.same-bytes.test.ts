import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isSameAt } from '../../../src/protocol/sse/string-bytes.ts';

it('says whether bytes stand at a place, short ones and long ones', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.uint8Array({ maxLength: 20 }), fc.nat(), (array, before, at) => {
      const part = Buffer.from(array);
      const bytes = Buffer.concat([Buffer.from(before), part, Buffer.from('behind')]);
      expect(isSameAt(part, bytes, before.length)).toBe(true);
      if (part.length === 0) return;
      const place = before.length + (at % part.length);
      bytes[place] = ((bytes[place] as number) + 1) & 0xff;
      expect(isSameAt(part, bytes, before.length)).toBe(false);
    }),
  );
});
