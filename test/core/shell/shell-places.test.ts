import { describe, expect, it } from 'vitest';
import { readShellLine } from '../../../src/core/shell/shell-line.ts';
import { HERE, placesOf } from '../../../src/core/shell/shell-places.ts';

/** Where the last command of a line runs. */
function last(text: string): readonly string[] {
  return placesOf(readShellLine(text), HERE).at(-1)?.folders ?? [];
}

describe('placesOf', () => {
  it.each<[string, string[]]>([
    ['x', ['']],
    ['cd /a && x', ['/a']],
    ['cd /a; x', ['/a', '']],
    ['cd /a\nx', ['/a', '']],
    ['cd /a && cd b && x', ['/a/b']],
    ['cd a && cd b; x', ['a/b', 'a', '']],
    ['cd a && cd b && y; x', ['a/b', 'a', '']],
    ['cd a && y; x', ['a', '']],
    ['cd a && cd b\ncd ../c && x', ['a/b/../c', 'a/../c', '../c']],
    ['y || cd /a && x', ['/a', '']],
    ['y || cd /a && cd b && x', ['/a/b', 'b']],
    ['cd && x', ['~']],
    ['cd -P -- /a && x', ['/a']],
    ['pushd /a && x', ['/a']],
    ['cd /a && y || x', ['/a', '']],
    ['(cd /a && y); x', ['/a', '']],
    ['git -C /a x', ['/a', '']],
    ['git -C /a y && x', ['']],
  ])('%j', (text, folders) => {
    expect(last(text)).toEqual(folders);
  });

  it('the latest folders count where there are many', () => {
    const line = `${Array.from({ length: 100 }, (_, i) => `cd /${i}`).join('; ')}; cd /last; x`;
    expect(last(line)).toHaveLength(8);
    expect(last(line)[0]).toBe('/last');
  });
});
