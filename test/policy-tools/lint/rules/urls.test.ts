import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('https-only', () => {
  it.each([
    '[defaults]; action = "allow"\ndeny; tool = "a"; args.url = "https://evil.example/**"',
    '[defaults]; action = "allow"\nprompt; tool = "a"; args."**" = "HTTPS://evil.example/**"; description = "d"',
    'deny; tool = "a"; args.url = "https://evil.example/**"\nallow; tool = "a"',
  ])('finds something in: %s', (lines) => {
    expect(lintsOf('https-only', lines)).not.toEqual([]);
  });

  it.each([
    '[defaults]; action = "allow"\ndeny; tool = "a"; args.url = ["https://evil.example/**", "http://evil.example/**"]',
    '[defaults]; action = "allow"\ndeny; tool = "a"; args.url = "http*://evil.example/**"',
    '[defaults]; action = "allow"\ndeny; tool = "a"; args.url = ["https://evil.example/x", "**/evil.example/**"]',
    'allow; tool = "a"; args.url = "https://ok.example/**"',
    'deny; tool = "a"; args.url = "https://evil.example/**"',
    'deny; tool = "a"; args.url = "https://evil.example/**"\nallow; tool = "a"; args.url = "https://**"',
    '[defaults]; action = "allow"\ndeny; tool = "a"; unless.args.url = "https://ok.example/**"',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('https-only', lines)).toEqual([]);
  });
});
