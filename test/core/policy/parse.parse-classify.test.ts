import { describe, expect, it } from 'vitest';
import { policyErrors } from '../../support/policy-errors.ts';
import { policyFrom } from '../../support/policy.ts';

describe('[classify]', () => {
  it.each([
    ['', {}],
    ['[classify]', {}],
    ['[classify]\nsend = ["slack_post_*", "fetch_url"]\nread = []', { send: ['slack_post_*', 'fetch_url'], read: [] }],
    ['[classify]\nunknown = ["get_*"]', { unknown: ['get_*'] }],
  ])('%j', (text, expected) => {
    expect(policyFrom(text).classify).toEqual(expected);
  });

  it.each([
    ['classify = []', /^classify: classify must be a table/],
    ['[classify]\nsned = ["x"]', /^classify.sned: unknown category "sned"/],
    ['[classify]\nsend = "x"', /^classify.send: .*must be a list of globs/],
    ['[classify]\nsend = ["x", 2]', /^classify.send.1: /],
    ['[classify]\nsend = [""]', /^classify.send.0: an empty glob/],
    ['[classify]\n__proto__ = ["x"]', /^classify.__proto__: unknown category/],
  ])('%j is refused', (text, message) => {
    expect(policyErrors(text)).toEqual([expect.stringMatching(message)]);
  });
});
