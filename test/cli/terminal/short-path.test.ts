import { expect, it } from 'vitest';
import { shortPath } from '../../../src/cli/terminal/short-path.ts';

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
