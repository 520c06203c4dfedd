import { describe, expect, it } from 'vitest';
import { createSecretFinder, SECRET_GROUPS } from '../../src/core/dlp/find-secrets.ts';
import { type FileFacts, judgeFile, judgeSecrets } from '../../src/scan/judge-config.ts';
import type { ScanLaunch } from '../../src/scan/scanned.ts';

const groups = Object.fromEntries(SECRET_GROUPS.map((group) => [group, group === 'keys' || group === 'privateKeys']));
const finder = createSecretFinder({
  ...(groups as Record<(typeof SECRET_GROUPS)[number], boolean>),
  enabled: true,
  allow: [],
  patterns: [],
});
const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;

function command(args: readonly string[], env: Readonly<Record<string, string>> = {}): ScanLaunch {
  return { kind: 'command', words: ['server', ...args], env };
}

describe('judgeSecrets', () => {
  it.each<[string, ScanLaunch, readonly string[]]>([
    ['a variable by its form', command([], { GITHUB: TOKEN }), ['GITHUB']],
    ['a variable by its name', command([], { DB_PASSWORD: 'hunter2horse' }), ['DB_PASSWORD']],
    ['a flag with its value', command(['--api-key', 'k3yk3yk3yk3yZ9']), ['--api-key']],
    ['a flag with its value in one word', command(['--api-key=k3yk3yk3yk3yZ9']), ['--api-key']],
    ['a token among the arguments', command([TOKEN]), ['an argument']],
    [
      'a header',
      { kind: 'url', url: 'https://x.example', headers: { Authorization: `Bearer ${TOKEN}` } },
      ['header Authorization'],
    ],
    ['a field of the URL', { kind: 'url', url: `https://x.example/mcp?api_key=${TOKEN}`, headers: {} }, ['its URL (api_key)']],
    ['references', command(['--api-key', '${KEY}'], { TOKEN: '${env:TOKEN}', PASSWORD: '$PASSWORD', SECRET: '{env:X}' }), []],
    ['other values', command(['--folder', '/home/me'], { LOG_LEVEL: 'debug', TOKEN: '' }), []],
  ])('%s', (_, launch, expected) => {
    const found = judgeSecrets(launch, finder, false);
    expect(found.map(({ subject }) => subject)).toEqual(expected);
    expect(found.every(({ severity }) => severity === 'low')).toBe(true);
    expect(JSON.stringify(found)).not.toMatch(/ghp_|hunter2|k3yk3y/);
  });

  it('is worse in a file that a team gets', () => {
    expect(judgeSecrets(command([TOKEN]), finder, true)).toMatchObject([
      { severity: 'high', todo: 'take it out, and revoke it' },
    ]);
  });
});

const ME = 1000;
const FINE: FileFacts = {
  file: '~/x/mcp.json',
  mode: 0o100600,
  uid: ME,
  gid: ME,
  folder: { mode: 0o40755, uid: ME, gid: ME },
  user: ME,
};

describe('judgeFile', () => {
  it.each<[string, Partial<FileFacts>, readonly string[]]>([
    ['a file of my own', {}, []],
    ['one that others read, with secrets', { mode: 0o100644 }, ['readable-config medium chmod 600 ~/x/mcp.json']],
    ['one that others write', { mode: 0o100602 }, ['writable-config high chmod go-w ~/x/mcp.json']],
    ['one that a group of mine alone writes', { mode: 0o100660 }, []],
    [
      'one that another group writes',
      { mode: 0o100660, gid: 50 },
      ['writable-config high chmod go-w ~/x/mcp.json', 'readable-config medium chmod 600 ~/x/mcp.json'],
    ],
    ['one of an administrator', { uid: 0, gid: 0 }, []],
    ['one of another user', { uid: 1001 }, ['writable-config high chown it, after a look at it']],
    ['a folder that others write', { folder: { mode: 0o40777, uid: ME, gid: ME } }, ['writable-config high chmod go-w ~/x']],
    ['such a folder with the sticky bit', { folder: { mode: 0o41777, uid: ME, gid: ME } }, []],
    ['a folder of another user', { folder: { mode: 0o40755, uid: 7, gid: 7 } }, ['writable-config high chown the folder']],
    ['a path with a space', { file: '/a b/c', mode: 0o100602 }, ["writable-config high chmod go-w '/a b/c'"]],
  ])('%s', (_, facts, expected) => {
    const found = judgeFile({ ...FINE, ...facts }, true);
    expect(found.map(({ id, severity, todo }) => `${id} ${severity} ${todo}`)).toEqual(expected);
  });

  it('without secrets, all may read', () => {
    expect(judgeFile({ ...FINE, mode: 0o100644 }, false)).toEqual([]);
  });
});
