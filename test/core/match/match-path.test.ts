import { describe, expect, it } from 'vitest';

import { MACOS, POSIX, WINDOWS, polarities, ruleMatches } from '../../support/policy.ts';

const SSH = 'args.path = "/home/user/.ssh/**"';
const PROJECT = 'args.path = "/home/user/project/**"';

describe('hazard 7: deny compares every form', () => {
  it.each([
    '/home/user/.ssh/id',
    '/home/user/project/../.ssh/id',
    '//home//user/./.ssh/id',
    '../.ssh/id',
    '~/.ssh/id',
    '%2Fhome%2Fuser%2F.ssh%2Fid',
    '/home/user/%252essh/id',
    'file:///home/user/.ssh/id',
    'file://localhost/home/user/%2Essh/id',
    'FILE:/home/user/.ssh/id',
    '..\\.ssh\\id',
    '/home/user/.ssh/../.ssh/id?x',
  ])('%j', (path) => {
    expect(ruleMatches('deny', SSH, { path })).toBe(true);
    expect(ruleMatches('prompt', SSH, { path })).toBe(true);
  });

  it('follows a link to the denied folder', () => {
    const links = { '/home/user/project/link/id': '/home/user/.ssh/id' };
    expect(ruleMatches('deny', SSH, { path: 'link/id' }, { links })).toBe(true);
    expect(ruleMatches('deny', SSH, { path: 'link/id' })).toBe(false);
  });

  it('follows the link that the pattern itself names', () => {
    const links = { '/home/user/.ssh': '/vault/keys' };
    expect(ruleMatches('deny', SSH, { path: '/vault/keys/id' }, { links })).toBe(true);
  });

  it('ignores case where file names do', () => {
    expect(ruleMatches('deny', 'args.path = "~/.ssh/**"', { path: '/USERS/user/.SSH/id' }, { paths: MACOS })).toBe(true);
    expect(ruleMatches('deny', 'args.path = "~/.ssh/**"', { path: 'c:\\users\\USER\\.ssh\\id' }, { paths: WINDOWS })).toBe(true);
    expect(ruleMatches('deny', SSH, { path: '/HOME/user/.ssh/id' })).toBe(false);
    expect(ruleMatches('deny', 'args.path = "secret*"', { path: 'SECRET' }, { paths: MACOS })).toBe(false);
  });

  it('reads the tilde and file: as folder names too, for servers that do', () => {
    const deny = 'args.path = "/home/user/project/secret/**"';
    expect(ruleMatches('deny', deny, { path: '~/../secret/x' })).toBe(true);
    expect(ruleMatches('deny', deny, { path: 'file:///../secret/x' })).toBe(true);
  });
});

describe('hazard 7: allow needs every form inside', () => {
  it.each([
    'a',
    './a/b',
    '/home/user/project/a',
    '~/project/a',
    'file:///home/user/project/a',
    'a%20b',
    '/home/user/project/x/../a',
  ])('%j is allowed', (path) => {
    expect(ruleMatches('allow', PROJECT, { path })).toBe(true);
  });

  it.each([
    '/etc/passwd',
    '../x',
    '/home/user/project/../x',
    '/home/user/project/%2e%2e/x',
    '/home/user/project/%252e%252e/x',
    'file:///home/user/project/../x',
    'file:///home/user/project%2f..%2fx',
    'file://other/home/user/project/x',
    '~/x',
    '~user/x/../../..',
  ])('%j is not', (path) => {
    expect(ruleMatches('allow', PROJECT, { path })).toBe(false);
  });

  it('does not follow a link out', () => {
    const links = { '/home/user/project/link/x': '/etc/x' };
    expect(ruleMatches('allow', PROJECT, { path: 'link/x' }, { links })).toBe(false);
  });

  it('knows a project that is itself behind a link', () => {
    const links = { '/home/user/project': '/data/project', '/home/user/project/a': '/data/project/a' };
    expect(ruleMatches('allow', PROJECT, { path: 'a' }, { links })).toBe(true);
    expect(ruleMatches('allow', PROJECT, { path: '/data/project/a' }, { links })).toBe(false);
  });

  it('takes a list of folders together: one for the form as named, one for the real one', () => {
    const links = { '/home/user/project/cache/x': '/tmp/x' };
    expect(ruleMatches('allow', 'args.path = ["/home/user/project/**", "/tmp/**"]', { path: 'cache/x' }, { links })).toBe(true);
  });

  it('compares real paths as Windows writes them', () => {
    const links = {
      'C:/Users/user/project': 'D:\\Data',
      'C:/Users/user/project/a': 'D:\\Data\\a',
      'C:/Users/user/project/l': 'D:\\x',
    };
    const allow = 'args.path = "~/project/**"';
    expect(ruleMatches('allow', allow, { path: 'a' }, { paths: WINDOWS, links })).toBe(true);
    expect(ruleMatches('allow', allow, { path: 'l' }, { paths: WINDOWS, links })).toBe(false);
    expect(ruleMatches('deny', 'args.path = "D:\\\\x"', { path: 'l' }, { paths: WINDOWS, links })).toBe(true);
  });

  it('is as careful with other names of a file on Windows', () => {
    const allow = 'args.path = "C:\\\\Users\\\\user\\\\project\\\\**"';
    expect(ruleMatches('allow', allow, { path: 'a.txt' }, { paths: WINDOWS })).toBe(true);
    expect(ruleMatches('allow', allow, { path: 'a.txt.' }, { paths: WINDOWS })).toBe(false);
    expect(ruleMatches('allow', allow, { path: '..\\x' }, { paths: WINDOWS })).toBe(false);
  });
});

describe('not flips the polarity', () => {
  const outside = 'args.path = { not = "/home/user/project/**" }';
  const notSecret = 'args.path = { not = "/home/user/project/secret/**" }';

  it.each([
    ['a', 'neither'],
    ['/etc/x', 'both'],
    ['%2e%2e/x', 'possible'],
  ] as const)('outside of the project: %j is %s', (path, expected) => {
    expect(polarities(outside, { path })).toBe(expected);
  });

  it('denies when any form is outside', () => {
    expect(ruleMatches('deny', outside, { path: 'link' }, { links: { '/home/user/project/link': '/etc' } })).toBe(true);
  });

  it('does not allow when any form is in the secret folder', () => {
    expect(ruleMatches('allow', notSecret, { path: 'a' })).toBe(true);
    for (const path of ['secret/x', '%73ecret/x', 'a/../secret/x', '..\\project\\secret\\x']) {
      expect(ruleMatches('allow', notSecret, { path })).toBe(false);
    }
    expect(
      ruleMatches('allow', notSecret, { path: 'link' }, { links: { '/home/user/project/link': '/home/user/project/secret/x' } }),
    ).toBe(false);
  });
});

describe('patterns that are not about paths', () => {
  it('compare text', () => {
    expect(polarities('args.path = "*.pem"', { path: 'a%2epem' })).toBe('neither');
    expect(polarities('args.path = "*.pem"', { path: 'key.pem' }, { paths: POSIX })).toBe('both');
  });
});
