import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutJson, wrap } from '../../../src/cli/terminal/json.ts';
import { displayWidth, visible } from '../../../src/cli/terminal/text.ts';

describe('layoutJson', () => {
  it.each([
    [
      '{"a":1,"b":[true,null],"c":{},"d":[]}',
      ['{', '  "a": 1,', '  "b": [', '    true,', '    null', '  ],', '  "c": {},', '  "d": []', '}'],
    ],
    ['{"a":"x{,:[\\"y\\\\"}', ['{', '  "a": "x{,:[\\"y\\\\"', '}']],
    ['"\\u202e\u202e"', ['"\\u202e\\u{202E}"']],
    ['{}', ['{}']],
    ['', []],
    ['{"a":"cut off in the mid', ['{', '  "a": "cut off in the mid']],
    ['{"a":"\\', ['{', '  "a": "\\']],
  ])('%s', (text, lines) => {
    expect(layoutJson(text, 80)).toEqual(lines);
  });

  it('loses nothing, hides nothing and stays within its width, wherever the text ends', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.integer({ min: 12, max: 60 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (value, width, part) => {
          const whole = JSON.stringify(value);
          const text = whole.slice(0, Math.ceil(whole.length * part));
          const lines = layoutJson(text, width);
          expect(lines.filter((line) => displayWidth(line) > width)).toEqual([]);
          expect(lines.join('').replaceAll(' ', '')).toBe(visible(text).replaceAll(' ', ''));
        },
      ),
    );
  });
});

describe('wrap', () => {
  it.each([
    ['', 10, 0, ['']],
    ['abcdefghijkl', 8, 0, ['abcdefgh', 'ijkl']],
    ['日本語日本語', 8, 0, ['日本語日', '本語']],
    ['abcdefghijkl', 12, 4, ['    abcdefgh', '    ijkl']],
  ])('%j in %d columns', (text, width, indent, lines) => {
    expect(wrap(text, width, indent)).toEqual(lines);
  });
});
