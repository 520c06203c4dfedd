import { describe, expect, it } from 'vitest';

import { decideBy } from '../../../support/policy.ts';
import { lintsOf, policyText } from '../../../support/lints-of.ts';

describe('open-ended-host', () => {
  it.each([
    'allow; tool = "fetch"; args.url = "https://docs.example.com**"',
    'allow; tool = "fetch"; args.url = "https://docs.example.com*/**"',
    'allow; tool = "fetch"; args.url = "https://**.example.com/**"',
    'deny; tool = "fetch"; unless.args.url = "https://docs.example.com*"',
  ])('finds something in: %s', (lines) => {
    expect(lintsOf('open-ended-host', lines)).not.toEqual([]);
  });

  it.each([
    'allow; tool = "fetch"; args.url = "https://docs.example.com/**"',
    'allow; tool = "fetch"; args.url = "https://*.example.com/**"',
    'allow; tool = "fetch"; args.url = "https://**"',
    'allow; tool = "fetch"; args.url = "http://localhost:*/**"',
    'allow; tool = "fetch"; args.url = "http://localhost:80**"',
    'deny; tool = "fetch"; args.url = "https://evil.example**"',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('open-ended-host', lines)).toEqual([]);
  });

  it.each([
    ['https://docs.example.com**', 'https://docs.example.com.evil.example/x', 'allow'],
    ['https://**.example.com/**', 'https://evil.example/x.example.com/y', 'allow'],
    ['https://*.example.com/**', 'https://evil.example/x.example.com/y', 'deny'],
    ['https://*.example.com/**', 'https://evil.example#.example.com/y', 'deny'],
    ['http://localhost:*/**', 'http://localhost:8080/x', 'allow'],
    ['http://localhost:*/**', 'http://localhost:80@evil.example/x', 'deny'],
    ['http://localhost:80**', 'http://localhost:80@evil.example/x', 'deny'],
    ['https://docs.example.com/**', 'https://docs.example.com.evil.example/x', 'deny'],
  ])('%s lets %s through: %s', (pattern, url, action) => {
    expect(decideBy(policyText(`allow; tool = "fetch"; args.url = "${pattern}"`), { tool: 'fetch', args: { url } }).action).toBe(
      action,
    );
  });
});
