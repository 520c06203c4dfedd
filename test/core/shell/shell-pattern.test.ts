import { describe, expect, it } from 'vitest';
import { expandBraces, isAnyName, isShellPattern, patternLeads, toBraces } from '../../../src/core/shell/shell-pattern.ts';
import { ownOf } from '../../support/own.ts';

const OWN = ownOf(['/home/user/.config/clawai', '/home/user/.claude.json']);

describe('patternLeads', () => {
  it.each<[string, boolean, boolean]>([
    ['/home/user/.config/c*', true, true],
    ['/home/user/.config/*/policy.toml', true, true],
    ['/home/*/.claude.json', true, true],
    ['/home/user/[', false, false],
    ['/home/user/{print $1}', false, false],
    ['/home/user/[.]claude.json', false, false],
    ['/home/user/{*}', true, true],
    ['/home/other/{*}', false, false],
    ['/home/user/f(){*}', false, false],
    ['/home/user/.cl{*}', true, true],
    ['/home/user/.[c]laude.json', true, true],
    ['/home/user/.*', true, true],
    ['/home/user/*', false, false],
    ['/home/*', false, true],
    ['/home/user/.config/x*', false, false],
    ['/home/user/.config/*ai*', true, true],
    ['/home/user/.config/?lawa?', true, true],
    ['/home/user/.config/clawai?', false, false],
  ])('%s: into %s, above %s', (pattern, into, above) => {
    expect([patternLeads(pattern, OWN.roots, false), patternLeads(pattern, OWN.roots, true)]).toEqual([into, above]);
  });
});

describe('expandBraces', () => {
  it.each<[string, string[]]>([
    ['a', ['a']],
    ['{}', ['{}']],
    ['{print $1}', ['{print $1}']],
    ['~/.{a,b}/c', ['~/.a/c', '~/.b/c']],
    ['{a,b{c,d}}', ['a', 'a', 'bc', 'bd']],
    ['{1..3}', ['*']],
    ['{a,{b}}', ['a', '{b}']],
    ['{a,{1..2}}', ['a', '*']],
    ['{{a,b}}', ['{a}', '{b}']],
    ['}{a,b}{', ['}a{', '}b{']],
    ['{a,b', ['{a,b']],
  ])('%s: %j', (word, expected) => {
    expect(expandBraces(word).toSorted()).toEqual(expected.toSorted());
  });

  it('does not grow without bounds, and hides nothing behind that', () => {
    expect(expandBraces(`~/${'{a,b}'.repeat(5000)}`)).toEqual(['~/{*}']);
    expect(expandBraces(`~/{${'x,'.repeat(5000)}.claude.json}`)).toEqual(['~/{*}']);
    const json = JSON.stringify(Array.from({ length: 50 }, () => ({ a: 1, b: 2 })));
    expect(expandBraces(json)).toEqual([json]);
  });
});

it.each([
  ['~/@(a|b)', '~/{a,b,}'],
  ['(a)', '{a,}'],
  ['a', 'a'],
])('%j is written with braces: %j', (text, expected) => {
  expect(toBraces(text)).toBe(expected);
});

describe('patterns', () => {
  it.each<[string, boolean, boolean]>([
    ['.*', true, true],
    ['*', true, true],
    ['.c*', true, false],
    ['[', false, false],
    ['.[]', false, false],
    ['.[!.]*', true, false],
    ['..', false, false],
  ])('%s: pattern %s, says nothing %s', (word, isPattern, isAny) => {
    expect([isShellPattern(word), isAnyName(word)]).toEqual([isPattern, isAny]);
  });
});
