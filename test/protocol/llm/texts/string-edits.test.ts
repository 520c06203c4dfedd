import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../../src/protocol/llm/json-text.ts';
import { pointerAt, toSourceEdits } from '../../../../src/protocol/llm/texts/string-edits.ts';

/** Writes some characters of a text as escapes that JSON allows. */
function escaped(text: string, isEscaped: (at: number) => boolean): string {
  const characters = Array.from({ length: text.length }, (_, at) => {
    const code = text.charCodeAt(at);
    return isEscaped(at) ? `\\u${code.toString(16).padStart(4, '0')}` : JSON.stringify(text.charAt(at)).slice(1, -1);
  });
  return `"${characters.join('')}"`;
}

describe('edits of a string', () => {
  it('mean the same in its source, however that is written', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 2 }),
        fc.func(fc.boolean()),
        fc.nat(),
        fc.nat(),
        (text, isEscaped, a, b) => {
          const [start, end] = [a % text.length, b % (text.length + 1)].toSorted((one, other) => one - other) as [number, number];
          const source = `[${escaped(text, isEscaped)}]`;
          const edits = toSourceEdits(source, { start: 1, end: source.length - 1 }, [{ start, end, text: 'MARK' }]);
          expect(JSON.parse(applyEdits(source, edits))).toEqual([`${text.slice(0, start)}MARK${text.slice(end)}`]);
        },
      ),
    );
  });
});

describe('a pointer', () => {
  it.each([
    ['{"a":[1,{"b/c":"x"}]}', '/a/1/b~1c'],
    ['["y","x"]', '/1'],
    ['{"a":{"k":1},"d":["[,{","x"]}', '/d/1'],
    ['"x"', ''],
  ])('in %s is %s', (text, pointer) => {
    expect(pointerAt(text, text.indexOf('x'))).toBe(pointer);
  });
});
