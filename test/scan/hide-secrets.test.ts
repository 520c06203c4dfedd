import { expect, it } from 'vitest';
import { createHiding, hideInFinding } from '../../src/scan/hide-secrets.ts';

const { own, all } = createHiding(['correct horse', 'correct horse battery', '12345']);

it.each([
  ['it said: correct horse battery!', 'it said: [redacted]!'],
  ['correct horse, twice: correct horse', '[redacted], twice: [redacted]'],
  ['… horse battery staple', '… horse battery staple'],
  ['horse battery is the end of one', '[redacted] is the end of one'],
  ['the beginning is correct hor', 'the beginning is [redacted]'],
  ['12345 is too short to be told from chance', '12345 is too short to be told from chance'],
  ['a battery', 'a battery'],
  ['', ''],
])('%j becomes %j', (text, expected) => {
  expect(own(text)).toBe(expected);
});

it('what looks like a secret is hidden in the words of a server, and not in ours', () => {
  const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
  expect([own(token), all(`see ${token}`)]).toEqual([token, 'see [redacted:github_token]']);
  const found = {
    id: 'x',
    severity: 'low',
    subject: 'get correct horse',
    message: 'm',
    todo: 't',
    quote: token,
    quotes: [token],
  } as const;
  expect(hideInFinding(found, { own, all })).toEqual({
    ...found,
    subject: 'get [redacted]',
    quote: '[redacted:github_token]',
    quotes: ['[redacted:github_token]'],
  });
});
