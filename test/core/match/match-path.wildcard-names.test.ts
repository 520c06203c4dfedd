import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { expandWildcards, mayHideName } from '../../../src/core/match/match-path.ts';
import { decideBy } from '../../support/policy.ts';

const NAMES = new Set(['.ssh', '.env', '.config', 'gh', 'key.pem', 'etc', 'shadow']);

it.each([
  ['~/.ss*/id', ['~/.ssh/id']],
  ['~/.s?h', ['~/.ssh']],
  ['~/.[s]sh', ['~/.ssh']],
  ['~/.con*/gh', ['~/.config/gh']],
  ['/home/.*', ['/home/.ssh', '/home/.env', '/home/.config']],
  ['/et*/shad*', ['/et*/shadow', '/etc/shad*', '/etc/shadow']],
  ['k?y.pem', ['key.pem']],
  ['[k]ey.pem', ['key.pem']],
  ['src/**/*.ts', []],
  ['*/*.pem', []],
  ['g*', []],
  ['src/a*', []],
  ['~/.ssh', []],
])('%j may be %j', (text, expected) => {
  expect(expandWildcards(text, NAMES)).toEqual(expected);
});

it('becomes no more than can be looked at', () => {
  const names = new Set(Array.from({ length: 100 }, (_, index) => `.a${index}`));
  expect(expandWildcards('/.a*/.a*/.a*/.a*', names).length).toBeLessThanOrEqual(64);
});

it.each([
  ['~/.ss*', true],
  ['~/.{ssh,x}', true],
  ['.*', false],
  ['~/.ssh', false],
  [`/${'x'.repeat(5000)}/.ss*`, false],
])('%j may hide a name: %s', (text, expected) => {
  expect(mayHideName(text)).toBe(expected);
});

describe('a rule on paths', () => {
  const decided = (action: 'allow' | 'deny', pattern: string, args: JsonObject): string =>
    decideBy(
      `[defaults]\naction = "${action === 'deny' ? 'allow' : 'deny'}"\n[[rule]]\naction = "${action}"\ntool = "**"\nargs."**" = "${pattern}"`,
      { tool: 'read_many_files', args },
    ).action;

  it.each([
    '~/.ss*/id_rsa',
    '~/.{ss,x}h/k',
    '~/.{s*h,x}/k',
    '/home/*/.s??/k',
    '~/./.ss*/k',
    'file:///home/u/.ss*/k',
    '%2Fhome%2Fu%2F.ss*%2Fk',
  ])('that denies holds for %j', (path) => {
    expect(decided('deny', '**/.ssh/**', { paths: [path] })).toBe('deny');
  });

  it('that denies has nothing against other wildcards, nor against what is left out', () => {
    const rest = { include: ['**/*', 'src/**/*.ts', '.*', 'docs/s*'], exclude: ['.ss*', '**/.env*'], url: 'https://x.org/a?b=c' };
    expect(decided('deny', '**/.ssh/**', rest)).toBe('allow');
  });

  it('that allows is sure of nothing more', () => {
    expect(decided('allow', '/srv/.data/**', { path: '/srv/.dat*/x' })).toBe('deny');
  });
});
