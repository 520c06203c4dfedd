import { describe, expect, it } from 'vitest';
import { conditionWords, showText, showValue } from '../../../../src/cli/policy/explain/rule-words.ts';
import { type JsonObject, ExactNumber } from '../../../../src/core/json.ts';
import { onlyRule } from '../../../support/explained.ts';

describe('why a condition holds or does not', () => {
  it.each<[action: string, line: string, args: JsonObject, words: string]>([
    ['deny', 'args.p = "/etc/**"', { p: '/etc/x' }, 'args.p matches "/etc/**": "/etc/x" at /p'],
    [
      'deny',
      'args.p = "/etc/**"',
      { p: 'file:///etc%2Fx' },
      'args.p matches "/etc/**": "file:///etc%2Fx" at /p, read as "/etc/x" (as a file: URI)',
    ],
    ['deny', 'args.p = ["a", "b"]', { p: 'c' }, 'args.p does not match "a" or "b": "c" at /p'],
    ['deny', 'args.p = ["a", "b", "c", "d", "e"]', { p: 'x' }, 'args.p does not match "a", "b", "c" or 2 more: "x" at /p'],
    ['deny', 'args.p = { not = "a*" }', { p: 'b' }, 'args.p is outside of "a*": "b" at /p'],
    ['deny', 'args.p = { not = "a*" }', { p: 'ab' }, 'args.p matches "a*", and must not: "ab" at /p'],
    ['deny', 'args.p = "b"', { p: ['a', 'b'] }, 'args.p matches "b": "b" at /p/1 (one of 2 values)'],
    ['deny', 'args.p = "c"', { p: ['a', 'b'] }, 'args.p does not match "c": "a" at /p/0 (nor does any other of 2 values)'],
    ['allow', 'args.p = "a*"', { p: ['a', 'ab'] }, 'args.p matches "a*": "a" at /p/0 (and so do all 2 values)'],
    ['allow', 'args.p = "a*"', { p: ['a', 'b'] }, 'args.p does not match "a*": "b" at /p/1 (one of 2 values)'],
    ['deny', 'args."**" = "k*"', { a: { key: 1 } }, 'args."**" matches "k*": the key "key" in /a (one of 2 keys)'],
    ['deny', 'args."**" = "x"', { a: '["x"]' }, 'args."**" matches "x": "x" in the JSON text at /a (one of 2 values)'],
    ['deny', 'args.p = { gt = 3 }', { p: '5' }, 'args.p matches gt = 3: "5" at /p, read as a number'],
    ['deny', 'args.p = "5"', { p: 5 }, 'args.p matches "5": 5 at /p, read as "5" (as a text)'],
    ['deny', 'args.p = "x"', {}, 'there is nothing at args.p'],
    ['deny', 'args.p = { exists = false }', { p: 1 }, 'args.p is there, and must not be'],
    ['allow', 'args.l.p = "x"', { l: [{ p: 'x' }, {}] }, 'args.l.p is missing in one place, and all would have to match'],
    ['deny', 'args.p = "/x"', { p: '\0' }, 'args.p is read as a path and has a NUL byte in it'],
    [
      'allow',
      'args.p = "/a/**"',
      { p: 'file://elsewhere/a/x' },
      'args.p does not match "/a/**": "file://elsewhere/a/x" at /p, read otherwise by one server than by another',
    ],
  ])('%s %s of %j', (action, line, args, words) => {
    const condition = onlyRule(action, `tool = "t"\n${line}`, { tool: 't', args }).conditions.at(-1);
    if (condition === undefined) throw new Error('there is no condition');
    expect(conditionWords(condition)).toBe(words);
  });

  it('of names, kinds and fingerprints', () => {
    const lines = `tool = "t*"\ncategory = "send"\nfingerprint = "sha256:${'1'.repeat(64)}"`;
    const words = onlyRule('deny', lines, { tool: 'tt' }, { categories: ['read', 'write'] }).conditions.map(conditionWords);
    expect(words).toEqual([
      'tool "tt" matches "t*"',
      'category is read, write, and not send',
      'fingerprint is not known, since nobody has seen the definition, so it may be any',
    ]);
  });
});

it.each([
  ['a', '"a"'],
  ['"\n', '"\\"\\n"'],
  ['\u001b\u202e', '"\\u001b\uFFFD"'],
  [5, '5'],
  [new ExactNumber('5.0'), '5.0'],
  [null, 'null'],
  [[1, 2], 'a list'],
  [{ a: 1 }, 'an object with 1 member'],
  ['x'.repeat(81), `"${'x'.repeat(81)}"`],
  ['x'.repeat(100), `"${'x'.repeat(60)}…${'x'.repeat(20)}" (100 characters)`],
])('%j', (value, shown) => {
  expect(showValue(value)).toBe(shown);
});

it('cuts no character in two', () => {
  expect(showText(`${'x'.repeat(59)}😀${'x'.repeat(100)}`).isWellFormed()).toBe(true);
});
