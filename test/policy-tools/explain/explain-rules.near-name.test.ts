import { expect, it } from 'vitest';
import { explained } from '../../support/explained.ts';

function nearIn(lines: string, tool: string, server = 'files'): readonly (string | undefined)[] {
  const { rules } = explained(`[[rule]]\naction = "deny"\n${lines}\n`, { tool, server, args: { p: 'x' } });
  return rules.flatMap((section) => section.rules.map(({ nearName }) => nearName));
}

it.each([
  ['tool = "read_fille"', ['read_fille']],
  ['tool = ["send", "Read_File"]', ['Read_File']],
  ['tool = { equals = "read-file" }', ['read-file']],
  ['tool = "read_file"\nserver = "flies"', ['flies']],
  ['tool = "read_fille"\nargs.p = "x"', ['read_fille']],
  ['tool = "read_fille"\nargs.p = "y"', []],
  ['tool = "read_fille"\nserver = "flies"', []],
  ['tool = "read_fil*"\nserver = "x"', []],
  ['tool = "write_it"', []],
])('%j', (lines, near) => {
  expect(nearIn(lines, 'read_file')).toEqual(near);
});

it('short names are near to nothing', () => {
  expect(nearIn('tool = "cat"', 'car')).toEqual([]);
});
