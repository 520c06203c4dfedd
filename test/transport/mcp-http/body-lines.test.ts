import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toBody, toOneLine } from '../../../src/transport/mcp-http/body-lines.ts';

describe('toOneLine', () => {
  it('any JSON text, however it is laid out, becomes one line that means the same', () => {
    const layout = fc.constantFrom(undefined, 1, 4, '\t', '\r');
    const ends = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), layout, ends, (text, space, end) => {
        const pretty = `${end}${JSON.stringify(JSON.parse(text), undefined, space).replaceAll('\n', end)}${end}`;
        const line = toOneLine(Buffer.from(pretty)).toString('utf8');
        expect(line).not.toMatch(/[\r\n]/);
        expect(JSON.parse(line)).toEqual(JSON.parse(pretty));
      }),
    );
  });

  it('of any bytes, only line ends change, and there is no second copy where there are none', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (array) => {
        const bytes = Buffer.from(array);
        const before = Buffer.from(bytes);
        const line = toOneLine(bytes);
        expect([...line]).toEqual([...before].map((byte) => (byte === 10 || byte === 13 ? 32 : byte)));
        expect(bytes.equals(before)).toBe(true);
        expect(line === bytes).toBe(line.equals(before));
      }),
    );
  });

  it('a batch that is spread over lines stays one', () => {
    const line = toOneLine(Buffer.from('[\r\n  {"id": 1},\n  {"id": "a\\nb"}\n]\n')).toString();
    expect(JSON.parse(line)).toEqual([{ id: 1 }, { id: 'a\nb' }]);
  });
});

describe('toBody', () => {
  it.each([
    ['{"a":1}\n', false, { a: 1 }],
    ['{"a":1}\n', true, [{ a: 1 }]],
    ['{"a":1}\n{"b":2}\n', false, [{ a: 1 }, { b: 2 }]],
    ['\n{"a":1}\n\n{"b":2}', true, [{ a: 1 }, { b: 2 }]],
  ])('%j as a batch: %s', (lines, isBatch, expected) => {
    expect(JSON.parse(toBody(lines, isBatch))).toEqual(expected);
  });
});

it('the answer to a batch and other answers are one array, and none lies in another', () => {
  expect(toBody('{"id":null}\n[{"id":1},{"id":2}]\n', false)).toBe('[{"id":null},{"id":1},{"id":2}]');
  expect(toBody('[{"id":1}]\n', false)).toBe('[{"id":1}]');
});
