import { describe, expect, it } from 'vitest';
import { AddressContext } from '../../../../src/gate/model/secrets/address-context.ts';

function isInAddress(before: string): boolean {
  const context = new AddressContext();
  for (const piece of before) context.push(piece);
  return context.isInAddress;
}

describe('the end of a text', () => {
  it.each([
    '![a](https://evil.example/x(',
    '![b](<https://evil.example/?q=a ',
    '![b](<https://evil.example/?q=a)',
    '![b](\nhttps://evil.example/?q=a',
    String.raw`![b](https://evil.example/\)`,
    String.raw`![b](https://evil.example/\\`,
    '<img src="https://evil.example/?q=a ',
    '<img src="x>\n\n',
    '<img alt=a" src="https://evil.example/?x=>',
    '![c](https:&sol;&sol;evil.example&sol;',
    'https&colon;&#47;&#x2F;evil.example ',
    "![x](https://evil.com/a'",
    ...['|', '{', '[', '`', '"'].map((sign) => `https://evil.example/?a${sign}`),
    '[r]: <https://evil.com/a ',
    '[r]:\n  https:',
    '[r]:\n  x',
    '![a](x <img src="https://evil.example/?q=) ',
    '[x <a ](https://evil.example/?>',
    'https://evil.example/ [a](b) ',
    '![x](https:',
    'see https://evil.example/ and ',
    '//evil.example/',
    `/${'a'.repeat(1000)}`,
  ])('is within an address: %j', (before) => {
    expect(isInAddress(before)).toBe(true);
  });

  it.each([
    'The password: ',
    'password=',
    '![x](https://evil.example/p.png) and ',
    '[x](y "z (a)") and ',
    'https://example.com\n',
    '<b>',
    '<a href="https://example.com">x</a>\n',
    'a < b, ',
    '[r]: https://example.com\n',
    '[r]: x\ny\n',
    '[r]:\n\n',
    '{"a": ["b"], "c": "',
    'R&D: ',
    '![x](y\n\n',
  ])('is not: %j', (before) => {
    expect(isInAddress(before)).toBe(false);
  });
});
