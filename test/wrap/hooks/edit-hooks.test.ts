import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOOK_PLACES } from '../../../src/clients/hook-places.ts';
import { changeHooks, planHooks } from '../../../src/wrap/hooks/edit-hooks.ts';
import { type HookSurroundings, readHooks } from '../../../src/wrap/hooks/read-hooks.ts';
import { hookProgram } from '../../../src/wrap/hooks/hook-program.ts';
import { noteHookSeen } from '../../../src/wrap/hooks/hook-seen.ts';
import { HookRecords } from '../../../src/wrap/hooks/hook-records.ts';

/** As the person's at the installation. */
const ENV = { HOME: '/home/me', XDG_CONFIG_HOME: "/home/me/my 'config'" };

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'clawai-hooks-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function around(client: string, launcher = ['/usr/bin/clawai']): HookSurroundings {
  return {
    places: HOOK_PLACES.filter((place) => place.client === client),
    machine: { env: {}, platform: 'linux', home },
    project: join(home, 'project'),
    records: new HookRecords(join(home, 'state', 'hooks')),
    program: (id) => hookProgram(launcher, id, ENV),
    version: '1.0.0',
  };
}

const FILES: Readonly<Record<string, string>> = {
  'claude-code': '.claude/settings.json',
  codex: '.codex/hooks.json',
  'gemini-cli': '.gemini/settings.json',
  'copilot-cli': '.copilot/hooks/clawai.json',
  cursor: '.cursor/hooks.json',
  windsurf: '.codeium/windsurf/hooks.json',
  cline: 'Documents/Cline/Hooks/PreToolUse',
  opencode: '.config/opencode/plugin/clawai.js',
};

it('knows a file of each client', () => {
  expect(HOOK_PLACES.map(({ client }) => client).toSorted()).toEqual([...Object.keys(FILES), 'kiro'].toSorted());
});

const fileOf = (client: string): string => join(home, FILES[client] ?? '');
const read = (client: string): string => readFileSync(fileOf(client), 'utf8');
function write(client: string, text: string): void {
  mkdirSync(dirname(fileOf(client)), { recursive: true });
  writeFileSync(fileOf(client), text);
}
const actions = async (client: string, change: 'install' | 'remove', launcher?: string[]): Promise<unknown> =>
  (await changeHooks(around(client, launcher), change)).map(({ action, isPristine }) => [action, isPristine]);
const standing = (client: string): unknown =>
  readHooks(around(client)).map(({ state, isRecorded, isPresent }) => [state, isRecorded, isPresent]);

describe.each(Object.keys(FILES))('the hook of %s', (client) => {
  it('is installed in a file of its own where there is none, and goes with it', async () => {
    expect(standing(client)).toEqual([['none', false, false]]);
    expect(planHooks(around(client), 'install')).toMatchObject([{ action: 'install', file: fileOf(client) }]);
    expect(existsSync(fileOf(client))).toBe(false);
    expect(await actions(client, 'install')).toEqual([['install', false]]);
    expect(standing(client)).toEqual([['current', true, true]]);
    expect(statSync(fileOf(client)).mode & 0o777).toBe(client === 'cline' ? 0o700 : 0o600);
    expect(await actions(client, 'install')).toEqual([['same', false]]);
    expect(await actions(client, 'remove')).toEqual([['remove', true]]);
    expect(existsSync(fileOf(client))).toBe(false);
    expect(await actions(client, 'remove')).toEqual([['none', false]]);
    expect(standing(client)).toMatchObject([['none', false, expect.any(Boolean)]]);
  });

  it('is renewed when clawai has moved, and the file has its first bytes back', async () => {
    await actions(client, 'install', ['/old/clawai']);
    expect(standing(client)).toEqual([['other', true, true]]);
    expect(await actions(client, 'install')).toEqual([['update', false]]);
    expect(standing(client)).toEqual([['current', true, true]]);
    expect(await actions(client, 'remove')).toEqual([['remove', true]]);
    expect(existsSync(fileOf(client))).toBe(false);
  });
});

describe('a file with more', () => {
  const TEXT = '{\n    "model": "x",\n    "hooks": {"Stop": []}\n}\n';

  it('has its bytes back, and its mode all the time', async () => {
    write('claude-code', TEXT);
    chmodSync(fileOf('claude-code'), 0o640);
    await actions('claude-code', 'install');
    expect(JSON.parse(read('claude-code'))).toMatchObject({ model: 'x', hooks: { Stop: [], PreToolUse: [{ matcher: '*' }] } });
    expect(statSync(fileOf('claude-code')).mode & 0o777).toBe(0o640);
    expect(await actions('claude-code', 'remove')).toEqual([['remove', true]]);
    expect(read('claude-code')).toBe(TEXT);
    expect(statSync(fileOf('claude-code')).mode & 0o777).toBe(0o640);
  });

  it('keeps what somebody has changed since', async () => {
    write('claude-code', TEXT);
    await actions('claude-code', 'install');
    writeFileSync(fileOf('claude-code'), read('claude-code').replace('"x"', '"y"'));
    expect(standing('claude-code')).toEqual([['current', true, true]]);
    expect(await actions('claude-code', 'remove')).toEqual([['remove', false]]);
    expect(JSON.parse(read('claude-code'))).toEqual({ model: 'y', hooks: { Stop: [] } });
  });

  it('that lost the hook is said to have lost it', async () => {
    write('claude-code', TEXT);
    await actions('claude-code', 'install');
    writeFileSync(fileOf('claude-code'), TEXT);
    expect(standing('claude-code')).toEqual([['none', true, true]]);
    expect(await actions('claude-code', 'remove')).toEqual([['none', false]]);
    expect(standing('claude-code')).toEqual([['none', false, true]]);
  });

  it('is changed where a link leads, and stays a link', async () => {
    mkdirSync(join(home, 'dotfiles'));
    mkdirSync(join(home, '.claude'));
    writeFileSync(join(home, 'dotfiles', 'settings.json'), TEXT);
    symlinkSync(join(home, 'dotfiles', 'settings.json'), fileOf('claude-code'));
    await actions('claude-code', 'install');
    expect(realpathSync(fileOf('claude-code'))).toBe(join(home, 'dotfiles', 'settings.json'));
    expect(read('claude-code')).toContain('hook claude-code');
    await actions('claude-code', 'remove');
    expect(readFileSync(join(home, 'dotfiles', 'settings.json'), 'utf8')).toBe(TEXT);
  });

  it('that is a hard link stays as it is, with the reason', async () => {
    write('claude-code', TEXT);
    linkSync(fileOf('claude-code'), join(home, 'backup.json'));
    const reason = { action: 'failed', error: { message: expect.stringContaining('is a hard link') as unknown } };
    expect(planHooks(around('claude-code'), 'install')).toMatchObject([reason]);
    expect(await changeHooks(around('claude-code'), 'install')).toMatchObject([reason]);
    expect([read('claude-code'), statSync(fileOf('claude-code')).nlink]).toEqual([TEXT, 2]);
  });

  it('that cannot be read or is not ours stays as it is, with the reason', async () => {
    write('codex', '{"hooks": [}');
    write('opencode', 'export const mine = 1;\n');
    for (const [client, message] of [
      ['codex', 'line 1, column 12'],
      ['opencode', 'is not from clawai'],
    ] as const) {
      const before = read(client);
      const [outcome] = await changeHooks(around(client), 'install');
      expect(outcome).toMatchObject({ action: 'failed', error: { message: expect.stringContaining(message) as unknown } });
      expect(read(client)).toBe(before);
    }
    expect(await actions('opencode', 'remove')).toEqual([['none', false]]);
    expect(readHooks(around('codex'))).toMatchObject([{ problem: expect.stringContaining('column 12') as unknown }]);
    chmodSync(fileOf('opencode'), 0o444);
  });

  it('is not written where its owner took the permission away', async () => {
    write('claude-code', TEXT);
    chmodSync(fileOf('claude-code'), 0o444);
    expect(await actions('claude-code', 'install')).toEqual([['failed', false]]);
    expect(read('claude-code')).toBe(TEXT);
    expect(standing('claude-code')).toEqual([['none', false, true]]);
  });
});

it('is off where another file of the client says so', async () => {
  const offOf = (client: string): unknown => readHooks(around(client)).map(({ off }) => off);
  for (const [client, file, text, off] of [
    ['codex', '.codex/config.toml', 'model = "x"\n[features]\nweb = true\nhooks = false\n', 'features.hooks in config.toml'],
    ['codex', '.codex/config.toml', 'features.hooks = false\n', 'features.hooks in config.toml'],
    ['codex', '.codex/config.toml', '[features]\nhooks = true\n[other]\nhooks = false\n', undefined],
    [
      'claude-code',
      'project/.claude/settings.json',
      '{"disableAllHooks": true}',
      "disableAllHooks in this project's settings.json",
    ],
  ] as const) {
    await actions(client, 'install');
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), text);
    expect([text, offOf(client)]).toEqual([text, [off]]);
    rmSync(join(home, file));
    expect(offOf(client)).toEqual([undefined]);
  }
});

it('what was asked before the hook changed is forgotten: the client may not trust the new one', async () => {
  const seen = (): unknown => readHooks(around('codex')).map((each) => each.seen);
  await actions('codex', 'install');
  noteHookSeen(around('codex').records.path, 'codex');
  expect(seen()).toEqual([expect.any(Number)]);
  await actions('codex', 'install');
  expect(seen()).toEqual([expect.any(Number)]);
  await actions('codex', 'install', ['/new/clawai']);
  expect(seen()).toEqual([undefined]);
});

it('a diff shows no secrets', () => {
  write('claude-code', '{\n  "env": {\n    "API_KEY": "abcdef-secret"\n  }\n}\n');
  const [outcome] = planHooks(around('claude-code'), 'install');
  expect(outcome?.diff).toContain('+  "hooks"');
  expect(outcome?.diff).not.toContain('abcdef-secret');
});

describe('the hooks of Kiro CLI, one for each agent of the user', () => {
  const agent = (name: string): string => join(home, '.kiro', 'agents', `${name}.json`);
  const OTHER = '{"matcher": "fs_write", "command": "./look"}';
  const [PLAIN, HOOKED] = ['{ "name": "plain" }\n', `{"name":"hooked",\n "hooks": {"preToolUse": [${OTHER}]}}`];
  const states = (): unknown => readHooks(around('kiro')).map(({ file, state, isRecorded }) => [file, state, isRecorded]);

  it('are in each file, and each gets its bytes back', async () => {
    mkdirSync(join(home, '.kiro', 'agents'), { recursive: true });
    for (const [name, text] of Object.entries({ hooked: HOOKED, plain: PLAIN })) writeFileSync(agent(name), text);
    expect(states()).toEqual(['hooked', 'plain'].map((name) => [agent(name), 'none', false]));
    expect(await actions('kiro', 'install')).toEqual([
      ['install', false],
      ['install', false],
    ]);
    expect(states()).toEqual(['hooked', 'plain'].map((name) => [agent(name), 'current', true]));
    const { preToolUse } = (
      JSON.parse(readFileSync(agent('hooked'), 'utf8')) as { readonly hooks: { readonly preToolUse: readonly object[] } }
    ).hooks;
    expect(preToolUse).toEqual([
      JSON.parse(OTHER),
      { matcher: '*', command: expect.stringContaining('hook kiro --timeout 600; c=$?; '), timeout_ms: expect.any(Number) },
    ]);
    writeFileSync(agent('later'), PLAIN);
    expect(states()).toContainEqual([agent('later'), 'none', false]);
    writeFileSync(agent('plain'), PLAIN);
    expect(states()).toContainEqual([agent('plain'), 'none', true]);
    expect(await actions('kiro', 'remove')).toEqual([
      ['remove', true],
      ['none', false],
      ['none', false],
    ]);
    expect(['hooked', 'later', 'plain'].map((name) => readFileSync(agent(name), 'utf8'))).toEqual([HOOKED, PLAIN, PLAIN]);
  });

  it('are none where the user has no agent', async () => {
    mkdirSync(join(home, '.kiro'), { recursive: true });
    expect(states()).toEqual([[agent('*'), 'none', false]]);
    expect(await actions('kiro', 'install')).toEqual([['none', false]]);
    expect(existsSync(join(home, '.kiro', 'agents'))).toBe(false);
  });
});
