import { describe, expect, it } from 'vitest';
import { readShellLine } from '../../../src/core/shell/shell-line.ts';
import { expandVariables } from '../../../src/core/shell/shell-variables.ts';

/** The words of a line's last command. */
function last(text: string): string[] {
  return (
    expandVariables(readShellLine(text))
      .at(-1)
      ?.words.map((word) => word.text) ?? []
  );
}

describe('expandVariables', () => {
  it.each<[string, string[]]>([
    ['D=~/x; rm $D', ['rm', '~/x']],
    ['D="a b"; rm "${D}/c"', ['rm', 'a b/c']],
    ['export D=x && rm $D', ['rm', 'x']],
    ['A=x B=y; rm $A/$B', ['rm', 'x/y']],
    ['A=x; B=$A/y; rm $B', ['rm', 'x/y']],
    ['A=x; A+=y; rm $A', ['rm', 'xy', 'x']],
    ['A=x; A=y; rm $A', ['rm', 'y', 'x']],
    ['for d in a b; do rm x/$d', ['do', 'rm', 'x/b', 'x/a']],
    ['read D <<< x; rm $D', ['rm', 'x']],
    ['A=x; rm ${A:-y} ${A}', ['rm', 'x', 'x']],
    ['rm $A ${A}', ['rm', '$A', '${A}']],
    ['echo A=x; rm $A', ['rm', '$A']],
  ])('%j', (text, words) => {
    expect(last(text)).toEqual(words);
  });

  it('values that grow stay small', () => {
    const line = `${'A=$A$A$A; B=$A; '.repeat(4000)}rm $A $B`;
    expect(last(line).every((word) => word.length < 5000)).toBe(true);
  });
});
