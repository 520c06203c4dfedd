import { expect, it } from 'vitest';
import { escapeUnprintable, prettyJson, printable, visible, shortPath } from '../../../src/cli/terminal/text.ts';

it.each([
  ['a plain name — "ünïcode"', 'a plain name — "ünïcode"'],
  ['a\u001b[2Jb', 'a\uFFFD[2Jb'],
  ['a\r\nclawai: b', 'a\uFFFD\uFFFDclawai: b'],
  ['a\u202Eb\u200Bc', 'a\uFFFDb\uFFFDc'],
  ['a\u2028clawai: b\u2029', 'a\uFFFDclawai: b\uFFFD'],
])('%j is shown as %j', (text, shown) => {
  expect(printable(text)).toBe(shown);
});

it('leaves nothing in JSON at which a reader of lines would end one', () => {
  const value = ['a\u2028b\u2029c'];
  expect(escapeUnprintable(JSON.stringify(value))).toBe('["a\\u2028b\\u2029c"]');
  expect(prettyJson(value)).toBe('[\n  "a\\u2028b\\u2029c"\n]\n');
});

it.each([
  ['a plain name — "ünïcode" 日本 हिन्दी', 'a plain name — "ünïcode" 日本 हिन्दी'],
  ['a\u001b[2Jb\u009b31m', 'a\\u{1B}[2Jb\\u{9B}31m'],
  ['a\r\nclawai: b\t', 'a\\u{D}\\u{A}clawai: b\\u{9}'],
  ['a\u202Eb\u2066c\u200Bd\uFEFF', 'a\\u{202E}b\\u{2066}c\\u{200B}d\\u{FEFF}'],
  ['a\u00A0b\u3000c\u2028', 'a\\u{A0}b\\u{3000}c\\u{2028}'],
  ['\u3164\u2800\u{E0041}\u034F', '\\u{3164}\\u{2800}\\u{E0041}\\u{34F}'],
  ['\ud800', '\\u{D800}'],
  ['=\u0338', '=\\u{338}'],
  [`e${'\u0301'.repeat(5)}`, 'e\u0301\u0301\u0301\\u{301}\\u{301}'],
])('%j is visible as %j', (text, shown) => {
  expect(visible(text)).toBe(shown);
});

it.each([
  ['/home/me/x/y', '/home/me', '~/x/y'],
  ['/home/me', '/home/me', '/home/me'],
  ['/home/meg/x', '/home/me', '/home/meg/x'],
  ['/x', '/', '/x'],
  ['/x', '', '/x'],
  ['/home/me/a\u001b[2J', '/home/me', '~/a\uFFFD[2J'],
])('%j for %j', (file, home, text) => {
  expect(shortPath(file, home)).toBe(text);
});
