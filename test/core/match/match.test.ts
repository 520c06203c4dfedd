import { describe, expect, it } from 'vitest';

import { ExactNumber, type JsonObject, type JsonValue } from '../../../src/core/json.ts';
import { polarities } from '../../support/policy.ts';

const big = new ExactNumber('9007199254740993');

/** The line of a rule, the argument `x` (undefined: absent), and for which polarity of a rule it matches. */
const CASES: [line: string, x: JsonValue | undefined, 'both' | 'possible' | 'certain' | 'neither'][] = [
  // Globs
  ['args.x = "a*"', 'abc', 'both'],
  ['args.x = "a*"', 'b', 'neither'],
  ['args.x = "a*"', undefined, 'neither'],
  ['args.x = "1"', 1, 'both'],
  ['args.x = "tr*"', true, 'both'],
  ['args.x = "null"', null, 'both'],
  ['args.x = "9007199254740993"', big, 'both'],
  ['args.x = "9007199254740992"', big, 'neither'],
  ['args.x = "1.0"', new ExactNumber('1.0'), 'possible'],
  ['args.x = "1"', new ExactNumber('1.0'), 'both'],
  ['args.x = "**"', { a: 1 }, 'neither'],
  ['args.x = ["a", "b"]', 'b', 'both'],
  ['args.x = ["a", 5, true]', 5, 'both'],
  ['args.x = ["a", 5, true]', true, 'both'],
  ['args.x = ["a", 5, true]', 6, 'neither'],
  // Any and all
  ['args.x = "a*"', ['a', 'b'], 'possible'],
  ['args.x = "a*"', ['a', ['ab']], 'both'],
  ['args.x = "a*"', [], 'neither'],
  ['args.x = "a*"', [[]], 'neither'],
  ['args.x.y = "a"', [{ y: 'a' }, { y: 'b' }], 'possible'],
  ['args.x.y = "a"', [{ y: 'a' }, {}], 'possible'],
  ['args.x.y = "a"', [{ y: 'a' }, { y: 'a' }], 'both'],
  ['args.x."*" = "a"', { p: 'a', q: 'a' }, 'both'],
  ['args.x."**" = "a"', { p: 'a', q: { r: 'b' } }, 'possible'],
  ['args.x."**" = "secret"', { secret: 1 }, 'possible'],
  ['args.x."**" = { not = "a" }', { key: 'a' }, 'neither'],
  ['args.x."**" = { regex = "^sec", not = "*.pub" }', { 'sec.pub': 1, sec: 1 }, 'possible'],
  // Equals
  ['args.x = true', true, 'both'],
  ['args.x = true', 'true', 'possible'],
  ['args.x = 1', 1, 'both'],
  ['args.x = 1', '1', 'possible'],
  ['args.x = 1', new ExactNumber('1.00'), 'both'],
  ['args.x = 9007199254740993', big, 'both'],
  ['args.x = 9007199254740992', big, 'neither'],
  ['args.x = 9007199254740993', new ExactNumber('9007199254740992'), 'neither'],
  ['args.x = { equals = "1" }', 1, 'possible'],
  ['args.x = { equals = "a*" }', 'a*', 'both'],
  ['args.x = { equals = "a*" }', 'ab', 'neither'],
  ['args.x = { equals = "" }', '', 'both'],
  ['args.x = { equals = "null" }', null, 'possible'],
  // Comparisons
  ['args.x = { gt = 5 }', 6, 'both'],
  ['args.x = { gt = 5 }', 5, 'neither'],
  ['args.x = { gte = 5 }', 5, 'both'],
  ['args.x = { lt = 5 }', 4.99, 'both'],
  ['args.x = { lte = 5 }', new ExactNumber('5.0'), 'both'],
  ['args.x = { gt = 9007199254740992 }', big, 'both'],
  ['args.x = { lt = 9007199254740993 }', big, 'neither'],
  ['args.x = { gt = 5 }', '6', 'possible'],
  ['args.x = { gt = 5 }', ' +6 ', 'possible'],
  ['args.x = { gt = 5 }', 'six', 'neither'],
  ['args.x = { gt = 5 }', true, 'neither'],
  ['args.x = { gt = 1, lt = 5 }', 3, 'both'],
  ['args.x = { gt = 1, lt = 5 }', [0, 9], 'neither'],
  ['args.x = { gt = 1, lt = 5 }', [3, 9], 'possible'],
  // Regex: anywhere unless anchored
  ['args.x = { regex = "b+" }', 'abbc', 'both'],
  ['args.x = { regex = "^b+$" }', 'abbc', 'neither'],
  ['args.x = { regex = "^\\\\d+$" }', 12, 'both'],
  // Absence
  ['args.x = { exists = true }', null, 'both'],
  ['args.x = { exists = true }', { a: 1 }, 'both'],
  ['args.x = { exists = true }', undefined, 'neither'],
  ['args.x = { exists = true }', [], 'neither'],
  ['args.x = { exists = false }', undefined, 'both'],
  ['args.x = { exists = false }', [], 'both'],
  ['args.x = { exists = false }', '', 'neither'],
  ['args.x.y = { exists = false }', [{ y: 1 }, {}], 'possible'],
  ['args.x.y = { exists = true }', [{ y: 1 }, {}], 'possible'],
  // Not
  ['args.x = { not = "a" }', 'b', 'both'],
  ['args.x = { not = "a" }', 'a', 'neither'],
  ['args.x = { not = "a" }', ['a', 'b'], 'possible'],
  ['args.x = { not = ["a", "b"] }', 'b', 'neither'],
  ['args.x = { not = "a" }', undefined, 'neither'],
  ['args.x = { not = "a" }', { y: 'a' }, 'possible'],
  ['args.x = { not = 1 }', '1', 'possible'],
  ['args.x = { not = { not = "a" } }', 'a', 'both'],
  ['args.x = { regex = "^a", not = "ab" }', 'ac', 'both'],
  ['args.x = { regex = "^a", not = "ab" }', 'ab', 'neither'],
  // Pointers
  ['args."/x/a.b~1c" = "v"', { 'a.b/c': 'v' }, 'both'],
  ['args."/x/y" = "v"', [{ y: 'v' }], 'neither'],
];

describe('polarity: a deny or prompt rule matches when it may, an allow rule when it must', () => {
  it.each(CASES)('%s with %j: %s', (line, x, expected) => {
    expect(polarities(line, x === undefined ? {} : { x })).toBe(expected);
  });

  it('takes what lies too deep as matching for deny, not for allow', () => {
    let x: JsonValue = 'harmless';
    for (let level = 0; level < 200; level += 1) x = [x];
    expect(polarities('args."**" = "secret"', { x })).toBe('possible');
    expect(polarities('args."**" = "harmless"', { x })).toBe('possible');
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty'])('looks up an argument named %s like any other', (name) => {
    const args = JSON.parse(`{"${name}": "v"}`);
    expect(polarities(`args.${name} = "v"`, args)).toBe('both');
    expect(polarities(`args.${name} = { exists = true }`, {})).toBe('neither');
    expect(polarities(`args.${name} = { exists = false }`, {})).toBe('both');
  });
});

describe('a command in words', () => {
  const LINE = { command: ['rm', '-rf', '/x'] };
  const APART = { command: 'git', args: ['push', '--force'] };

  it.each<[string, JsonObject, ReturnType<typeof polarities>]>([
    ['args.command = "rm -rf**"', LINE, 'possible'],
    ['args."**" = "**rm -rf**"', { run: { argv: ['rm', '-rf', 1] } }, 'possible'],
    ['args.command = { regex = "^rm -rf" }', LINE, 'possible'],
    ['args.command = ["rm", "-rf", "/x"]', LINE, 'possible'],
    ['args.command = ["rm", "-rf", "/x", "rm -rf /x"]', LINE, 'both'],
    ['args.command = { not = "**rm -rf**" }', LINE, 'possible'],
    ['args.command = "rm -rf**"', { command: '["rm","-rf"]' }, 'possible'],
    ['args.command = "rm"', { command: ['rm'] }, 'both'],
    ['args.tags = ["a", "b"]', { tags: ['a', 'b'] }, 'both'],
    ['args.tags = "a b"', { tags: ['a', 'b'] }, 'neither'],
    ['args.command = "git push --force"', APART, 'possible'],
    ['args.command = "git"', APART, 'both'],
    ['args.command = { not = ["git", "ls"] }', APART, 'neither'],
    ['args."**" = "git push**"', { spec: APART }, 'possible'],
    ['args.args = "git push**"', APART, 'neither'],
  ])('%s with %j: %s', (line, args, expected) => {
    expect(polarities(line, args)).toBe(expected);
  });
});

describe('hazard 5: every argument is looked at, not the first of six names', () => {
  const deny = 'args."**" = "**/.ssh/**"';
  it.each([
    [{ path: '/home/user/project/a', file: '~/.ssh/id_rsa' }],
    [{ paths: ['/tmp/a', '/home/user/.ssh/id_rsa'] }],
    [{ source: '/home/user/.ssh/id_rsa' }],
    [{ uri: 'file:///home/user/.ssh/id_rsa' }],
    [{ options: { nested: [{ deep: '../.ssh/id_rsa' }] } }],
    [{ files: { '/home/user/.ssh/authorized_keys': 'ssh-rsa …' } }],
  ])('deny sees %j', (args) => {
    expect(polarities(deny, args)).not.toBe('neither');
  });

  it('allow needs all of them inside', () => {
    const allow = 'args."**" = "/home/user/project/**"';
    expect(polarities(allow, { path: 'a', more: ['/home/user/project/b'] })).toBe('both');
    expect(polarities(allow, { path: 'a', more: ['/etc/passwd'] })).toBe('possible');
  });
});
