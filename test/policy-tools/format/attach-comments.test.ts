import { describe, expect, it } from 'vitest';
import { attachComments, findInside, findOutside, isIn, type Ranged } from '../../../src/policy-tools/format/attach-comments.ts';

/** Words are items, and what begins with # is a comment. */
function parts(text: string): { readonly items: readonly Ranged[]; readonly comments: readonly Ranged[] } {
  const all = [...text.matchAll(/#.*|\w+/g)].map(({ 0: found, index }) => ({
    isComment: found.startsWith('#'),
    range: [index, index + found.length] as const,
  }));
  return { items: all.filter(({ isComment }) => !isComment), comments: all.filter(({ isComment }) => isComment) };
}

/** As `above|item|behind`, with `~` for an empty line, then what is below. */
function shown(text: string, bracket?: number): string {
  const { opening, items, rest } = attachComments(text, parts(text), bracket);
  const line = (own: { text: string; hasGap: boolean }): string => (own.hasGap ? '~' : '') + own.text;
  const each = items.map(({ item, before, behind, hasGap }) => {
    const name = text.slice(...item.range);
    return [before.map(line).join(), `${hasGap ? '~' : ''}${name}`, behind ?? ''].join('|');
  });
  return [...(opening === undefined ? [] : [`opening ${opening}`]), ...each, ...rest.map(line)].join(' ');
}

describe('a comment', () => {
  it.each([
    ['above, on lines of its own', '#1\n#2\na\n', '#1,#2|a|'],
    ['behind', 'a #1\nb\n', '|a|#1 |b|'],
    ['below the last', 'a\n#1\n\n#2\n', '|a| #1 ~#2'],
    ['parted by an empty line', '#1\n\na\n\n#2\nb\n', '#1|~a| ~#2|b|'],
    ['only, in a text', '#1\n', '#1'],
    ['with spaces and a CR at its end', 'a\n#1 \r\nb', '|a| #1|b|'],
    ['at once in the first line', '#1\na', '#1|a|'],
  ])('%s', (_, text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each([
    ['behind the bracket', '[ #1\na ]', 'opening #1 |a|'],
    ['below the bracket', '[\n#1\na ]', '#1|a|'],
    ['behind a comma', '[a, #1\n b #2\n]', '|a|#1 |b|#2'],
    ['below one that is behind', '[a #1\n, #2\nb]', '|a|#1 #2|b|'],
    ['in an empty list', '[\n#1\n]', '#1'],
  ])('in a list, %s', (_, text, expected) => {
    expect(shown(text, 1)).toBe(expected);
  });
});

it('findOutside keeps what lies in no item', () => {
  const at = (...range: [number, number]): Ranged => ({ range });
  const items = [at(0, 10), at(20, 30)];
  expect(findOutside([at(2, 3), at(10, 12), at(15, 16), at(29, 30), at(31, 32)], items)).toEqual([
    at(10, 12),
    at(15, 16),
    at(31, 32),
  ]);
  expect([isIn(at(0, 10), at(0, 10)), isIn(at(9, 11), at(0, 10))]).toEqual([true, false]);
});

it('findInside keeps what lies in it', () => {
  const at = (...range: [number, number]): Ranged => ({ range });
  const comments = [at(0, 3), at(5, 6), at(7, 9), at(9, 12), at(15, 16)];
  expect(findInside(comments, at(5, 9))).toEqual([at(5, 6), at(7, 9)]);
  expect(findInside(comments, at(12, 15))).toEqual([]);
  expect(findInside(comments, at(0, 20))).toEqual(comments);
  expect(findInside([], at(0, 20))).toEqual([]);
});
