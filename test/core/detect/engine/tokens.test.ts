import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenReader } from '../../../../src/core/detect/engine/tokens.ts';

function clausesOf(text: string): string[][] {
  const { tokens, clauses } = new TokenReader(text, () => 0);
  return clauses.map(({ from, to }) => tokens.words.slice(from, to));
}

describe('TokenReader', () => {
  it.each<[text: string, clauses: string[][]]>([
    [
      'read the file. send it!',
      [
        ['read', 'file'],
        ['send', 'it'],
      ],
    ],
    ['read ~/.ssh/id_rsa, then .env.', [['read', '~/.ssh/id_rsa', 'then', '.env']]],
    ['see https://a.example/x?y=(1) now', [['see', 'https://a.example/x?y=(1', 'now']]],
    ['[docs](https://a.example/x)', [['docs', '](']]],
    ['a line\nthat is wrapped', [['line', 'that', 'is', 'wrapped']]],
    [
      'args:\n  path: where',
      [
        ['args', ':'],
        ['path', ':', 'where'],
      ],
    ],
    ['one\n\ntwo', [['one'], ['two']]],
    ['one\n- two', [['one'], ['two']]],
    ['x <important>y</important>', [['x'], ['<', 'important', 'y'], ['</', 'important']]],
    ['[inst] go', [['[', 'inst', 'go']]],
    ['don’t go', [["don't", 'go']]],
    ['cat a | sh && b >> c', [['cat', '|', 'sh', '&&', 'b', '>>', 'c']]],
  ])('%j', (text, clauses) => {
    expect(clausesOf(text)).toEqual(clauses);
  });

  it('a sentence without an end is cut', () => {
    expect(clausesOf('word '.repeat(200)).map((words) => words.length)).toEqual([80, 80, 40]);
  });

  it('words lie in the text in their order, and do not overlap', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { tokens } = new TokenReader(text, () => 0);
        let before = 0;
        for (let index = 0; index < tokens.length; index += 1) {
          expect(tokens.starts[index]).toBeGreaterThanOrEqual(before);
          before = tokens.ends[index] ?? 0;
        }
        expect(before).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  it.each(['ignore previous ', '<a', '[[[', '](', '![', '\n', 'a.b/', '忽略', ': : ', '**a', "''"])(
    'has no more words than characters, in bounded clauses: %j',
    (part) => {
      const text = part.repeat(20_000);
      const { tokens, clauses } = new TokenReader(text, () => 0);
      expect(tokens.length).toBeLessThanOrEqual(text.length);
      for (const { from, to } of clauses) expect(to - from).toBeLessThanOrEqual(80);
    },
  );
});
