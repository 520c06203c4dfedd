import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineEnds } from '../../../src/protocol/sse/line-ends.ts';

it('finds the lines that a regular expression finds', () => {
  const lines = new LineEnds();
  fc.assert(
    fc.property(fc.array(fc.constantFrom('\n', '\r', 'a', 'ä'), { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      const bytes = Buffer.from(text);
      lines.open(bytes);
      const found: string[] = [];
      let at = 0;
      while (lines.find(at)) {
        found.push(bytes.toString('utf8', at, lines.end));
        at = lines.next;
        expect(at).toBeLessThanOrEqual(bytes.length);
      }
      found.push(bytes.toString('utf8', at));
      expect(found).toEqual(text.split(/\r\n|\n|\r/));
    }),
    { numRuns: 500 },
  );
});
