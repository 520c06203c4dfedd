import { describe, expect, it } from 'vitest';
import { findEmails } from '../../../../src/core/dlp/kinds/find-emails.ts';
import { foundTexts, PLAIN } from './found-texts.ts';

describe('findEmails', () => {
  it.each(['jane@corp.example', 'jane.doe+tag@mail.corp.co.uk', "o'neil@x-y.org", 'A_B@XN--P1AI.RU'])('%s', (address) => {
    for (const text of [
      address,
      `<${address}>`,
      `mailto:${address}?subject=x`,
      `${address}.`,
      `${address}, b`,
      `to: ${address}: hello`,
    ])
      expect(foundTexts(findEmails, text)).toEqual([address]);
  });

  it.each([
    'git@github.com:org/repo.git',
    'https://user@host.example/path',
    'https://user:pass@host.example',
    '@scope/name',
    'npm:@scope/pkg@1.2.3',
    'pkg@1.2.3',
    'user@localhost',
    'u7f3a@redacted.invalid',
    'a..b@',
    '@decorator.name',
    'user@host.c0m',
  ])('nothing in %s', (text) => {
    expect(foundTexts(findEmails, text)).toEqual([]);
  });

  it('nothing in numbers, ids, times and hashes', () => {
    expect(foundTexts(findEmails, PLAIN)).toEqual([]);
  });
});
