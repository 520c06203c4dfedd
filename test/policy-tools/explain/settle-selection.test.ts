import { describe, expect, it } from 'vitest';
import { ExactNumber, type JsonObject } from '../../../src/core/json.ts';
import type { Because } from '../../../src/policy-tools/explain/explanation.ts';
import { onlyRule } from '../../support/explained.ts';

/** Of a condition on a value: does it hold, what settles it, where, and what that was read as. */
function settled(because: Because | undefined): readonly unknown[] {
  if (because?.kind !== 'value') return [because?.kind];
  const { where, pointer, value, test } = because.settling;
  return [where, pointer, value, test.asks.each, test.form, test.readAs];
}

const TEXT_OF_1 = new ExactNumber('5.0');

describe('a condition on arguments: what settles it, where that is, and what it was read as', () => {
  it.each<[action: string, line: string, args: JsonObject | undefined, holds: boolean, told: readonly unknown[]]>([
    // Forms of paths, in which any reading counts.
    ['deny', 'args.p = "/etc/**"', { p: '/etc/x' }, true, ['value', '/p', '/etc/x', ['"/etc/**"'], undefined, []]],
    ['deny', 'args.p = "/etc/**"', { p: '/etc%2Fx' }, true, ['value', '/p', '/etc%2Fx', ['"/etc/**"'], '/etc/x', ['decoded']]],
    [
      'deny',
      'args.p = "/etc/**"',
      { p: 'file:///etc/x' },
      true,
      ['value', '/p', 'file:///etc/x', ['"/etc/**"'], '/etc/x', ['file_uri']],
    ],
    ['deny', 'args.p = "/home/**"', { p: '~/x' }, true, ['value', '/p', '~/x', ['"/home/**"'], '/home/user/x', ['home']]],
    ['deny', 'args.p = "/home/**"', { p: '../x' }, true, ['value', '/p', '../x', ['"/home/**"'], '/home/user/x', ['absolute']]],
    [
      'deny',
      'args.p = "/etc/**"',
      { p: '/a/../etc/x' },
      true,
      ['value', '/p', '/a/../etc/x', ['"/etc/**"'], '/etc/x', ['tidied']],
    ],
    ['deny', 'args.p = "/real/**"', { p: '/link/x' }, true, ['value', '/p', '/link/x', ['"/real/**"'], '/real/x', ['links']]],
    ['deny', 'args.p = "~/**"', { p: '/home/user/x' }, true, ['value', '/p', '/home/user/x', ['"~/**"'], undefined, []]],
    // Of several patterns, the one that matches.
    ['deny', 'args.p = ["a", "b*", "c"]', { p: 'bb' }, true, ['value', '/p', 'bb', ['"b*"'], undefined, []]],
    ['deny', 'args.p = ["/a/**", "/b/**"]', { p: '/b/x' }, true, ['value', '/p', '/b/x', ['"/b/**"'], undefined, []]],
    // None does.
    ['deny', 'args.p = ["a", "b", "c", "d"]', { p: 'x' }, false, ['value', '/p', 'x', ['"a"', '"b"', '"c"'], undefined, []]],
    ['deny', 'args.p = "/etc/**"', { p: '../x' }, false, ['value', '/p', '../x', ['"/etc/**"'], '/home/user/x', ['absolute']]],
    ['deny', 'args.p = "/etc/**"', { p: 'word' }, false, ['value', '/p', 'word', ['"/etc/**"'], undefined, []]],
    // Where all readings count, the one that is outside.
    ['allow', 'args.p = "~/a/**"', { p: '~/a/x' }, true, ['value', '/p', '~/a/x', ['"~/a/**"'], undefined, []]],
    [
      'allow',
      'args.p = "/a/b/**"',
      { p: '/a/b/..%2F..' },
      false,
      ['value', '/p', '/a/b/..%2F..', ['"/a/b/**"'], '/', ['decoded', 'tidied']],
    ],
    [
      'allow',
      'args.p = "~/a/**"',
      { p: '~/a/../../x' },
      false,
      ['value', '/p', '~/a/../../x', ['"~/a/**"'], '/home/x', ['home']],
    ],
    ['allow', 'args.p = "/link/**"', { p: '/link/../x' }, false, ['value', '/p', '/link/../x', ['"/link/**"'], '/x', ['tidied']]],
    [
      'allow',
      'args.p = "/a/**"',
      { p: 'file://elsewhere/a/x' },
      false,
      ['value', '/p', 'file://elsewhere/a/x', ['"/a/**"'], undefined, ['uncertain']],
    ],
    // Readings of other values.
    ['deny', 'args.n = "5*"', { n: 55 }, true, ['value', '/n', 55, ['"5*"'], '55', ['text']]],
    ['deny', 'args.n = "5.0"', { n: TEXT_OF_1 }, true, ['value', '/n', TEXT_OF_1, ['"5.0"'], '5.0', ['text']]],
    ['deny', 'args.n = { gt = 3 }', { n: '0x1f' }, true, ['value', '/n', '0x1f', ['gt = 3'], undefined, ['number']]],
    ['deny', 'args.n = { gt = 3, lt = 9 }', { n: 12 }, false, ['value', '/n', 12, ['lt = 9'], undefined, []]],
    ['deny', 'args.n = { equals = true }', { n: 'yes' }, true, ['value', '/n', 'yes', ['equals = true'], undefined, ['boolean']]],
    ['deny', 'args.n = { equals = "5" }', { n: 5 }, true, ['value', '/n', 5, ['equals = "5"'], undefined, ['text']]],
    ['deny', 'args.n = { regex = "^5" }', { n: 5 }, true, ['value', '/n', 5, ['regex = "^5"'], undefined, ['text']]],
    ['allow', 'args.n = { equals = true }', { n: 'yes' }, false, ['value', '/n', 'yes', ['equals = true'], undefined, []]],
    [
      'deny',
      'args = { equals = { p = "x", l = [1, true] } }',
      { p: 1 },
      false,
      ['value', '', { p: 1 }, ['equals = { "p" = "x", "l" = [1, true] }'], undefined, []],
    ],
    ['deny', 'args.n = { not = "/a/**" }', { n: '/b' }, true, ['value', '/n', '/b', ['"/a/**"'], undefined, []]],
    ['deny', 'args.n = { not = "/a/**" }', { n: '/a/b' }, false, ['value', '/n', '/a/b', ['"/a/**"'], undefined, []]],
    // Elements of lists, keys, texts that are JSON.
    ['deny', 'args.l = "-f"', { l: ['a', '-f'] }, true, ['value', '/l/1', '-f', ['"-f"'], undefined, []]],
    ['allow', 'args.l = "a*"', { l: ['a', 'b', 'ab'] }, false, ['value', '/l/1', 'b', ['"a*"'], undefined, []]],
    ['deny', 'args.l.p = "x"', { l: [{ q: 'x' }, { p: 'x' }] }, true, ['value', '/l/1/p', 'x', ['"x"'], undefined, []]],
    [
      'deny',
      'args."**" = "/etc/**"',
      { a: { 'x/~': '/etc/x' } },
      true,
      ['value', '/a/x~1~0', '/etc/x', ['"/etc/**"'], undefined, []],
    ],
    ['deny', 'args."**" = "/etc/**"', { a: { '/etc/x': 1 } }, true, ['key', '/a', '/etc/x', ['"/etc/**"'], undefined, []]],
    ['deny', 'args."**" = "/etc/**"', { a: '{"b": "/etc/x"}' }, true, ['embedded', '/a', '/etc/x', ['"/etc/**"'], undefined, []]],
    ['deny', 'args."/l/1" = "x"', { l: ['x', 'x'] }, true, ['value', '/l/1', 'x', ['"x"'], undefined, []]],
    // What is not there, or is and must not be.
    ['deny', 'args.p = "x"', {}, false, ['absent']],
    ['deny', 'args.p = "x"', undefined, false, ['absent']],
    ['deny', 'args.p = "x"', { p: [] }, false, ['absent']],
    ['deny', 'args.p = { exists = false }', {}, true, ['absent']],
    ['deny', 'args.p = { exists = false }', { p: 1 }, false, ['present']],
    ['allow', 'args.l.p = "x"', { l: [{ p: 'x' }, {}] }, false, ['incomplete']],
    ['deny', 'args.l.p = { exists = false }', { l: [{ p: 'x' }, {}] }, true, ['incomplete']],
    ['deny', 'args.p = "/x"', { p: '\0' }, false, ['nul']],
    ['deny', 'args."**" = "x"', deep(140), true, ['too_deep']],
  ])('%s %s of %j: %s', (action, line, args, holds, told) => {
    const rule = onlyRule(action, `tool = "t"\n${line}`, { tool: 't', args }, { links: { '/link/x': '/real/x' } });
    const condition = rule.conditions.at(-1);
    expect([condition?.holds, settled(condition?.because)]).toEqual([holds, told]);
  });
});

function deep(levels: number): JsonObject {
  let node: JsonObject = {};
  for (let i = 0; i < levels; i++) node = { a: node };
  return node;
}
