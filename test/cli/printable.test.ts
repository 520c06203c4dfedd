import { expect, it } from 'vitest';
import { printable } from '../../src/cli/printable.ts';

it.each([
  ['a plain name — "ünïcode"', 'a plain name — "ünïcode"'],
  ['a\u001b[2Jb', 'a\uFFFD[2Jb'],
  ['a\r\nclawai: b', 'a\uFFFD\uFFFDclawai: b'],
  ['a\u202Eb\u200Bc', 'a\uFFFDb\uFFFDc'],
])('%j is shown as %j', (text, shown) => {
  expect(printable(text)).toBe(shown);
});
