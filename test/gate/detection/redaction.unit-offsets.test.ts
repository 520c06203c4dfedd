import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unitOffsets } from '../../../src/gate/detection/redaction.ts';

function partsOf(json: string, units: readonly number[]): string {
  const bytes = Buffer.from(`[${json}]`);
  const span = { start: 1, end: bytes.length - 1 };
  const [start = 0, end = 0] = unitOffsets(bytes, span, units);
  return JSON.parse(`"${bytes.toString('utf8', start, end)}"`) as string;
}

describe('unitOffsets', () => {
  it.each([
    ['"abc"', [1, 2], 'b'],
    ['"a\\nb"', [1, 2], '\n'],
    ['"\\u00e9x"', [1, 2], 'x'],
    ['"\u00e9\u20ac\ud83d\ude00x"', [2, 4], '\ud83d\ude00'],
    ['"\\ud83d\\ude00x"', [0, 2], '\ud83d\ude00'],
    ['""', [0, 0], ''],
    ['"ab"', [0, 9], 'ab'],
  ])('%s %j', (json, units, expected) => {
    expect(partsOf(json, units)).toBe(expected);
  });

  it('finds any part of any text, however it is escaped', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 3, maxLength: 3 }), fc.boolean(), (parts, isEscaped) => {
        const json = JSON.stringify(parts.join(''));
        const text = isEscaped ? json.replaceAll(/[^\u0020-\u007e]/g, escaped) : json;
        const [first = '', second = ''] = parts;
        expect(partsOf(text, [first.length, first.length + second.length])).toBe(second);
      }),
    );
  });
});

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
