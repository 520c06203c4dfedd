import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { leavePolicyMark } from '../../src/config/policy-mark.ts';
import { useSandbox } from '../support/attempt.ts';
import { CONFIGS, commandIn, writeConfig } from '../support/client-configs.ts';
import { CLIENTS } from '../support/clients.ts';
import { HAS_TERMINAL } from '../support/at-terminal.ts';
import { runAtTerminal } from '../support/run-at-terminal.ts';
import { type Ended, Running } from '../support/running.ts';
import { ROOT, runCli } from '../support/run-cli.ts';
import { serverPackage } from '../support/sandbox.ts';

const sandbox = useSandbox();
let originals: ReadonlyMap<string, string>;

beforeEach(() => {
  const { current } = sandbox;
  mkdirSync(current.path('data/.ssh'), { recursive: true });
  current.write('data/notes.txt', 'free to read');
  current.write('data/.ssh/id_rsa', 'secret');
  const args = [serverPackage('filesystem'), current.path('data')];
  originals = new Map(CONFIGS.map(({ name, text }) => [name, text(process.execPath, args)]));
  for (const [name, text] of originals) writeConfig(current, name, text);
});

/** Taking clawai out again is; a name that is wrong is said to anybody. */
function isForPerson(args: readonly string[]): boolean {
  return args[0] === 'unwrap' && args.length > 1 && !args.includes('--dry-run') && !args.includes('nothing');
}

function clawai(...args: readonly string[]): Promise<Ended> {
  return isForPerson(args) ? runAtTerminal(sandbox.current, args) : sandbox.current.clawai(...args).close();
}

function texts(): ReadonlyMap<string, string> {
  return new Map(CONFIGS.map(({ name }) => [name, sandbox.current.read(name).toString()]));
}

/** Everything below the sandbox but what clawai remembers of events, with times of change. */
function listing(): readonly string[] {
  const { folder } = sandbox.current;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  // SQLite makes two files beside the store, and so changes its folder, also for a reader.
  const isOfReader = (name: string): boolean => /^state\/clawai(\/clawai\.db-(shm|wal))?$/.test(name);
  return names
    .filter((name) => !name.startsWith('cache') && !isOfReader(name))
    .map((name) => `${name} ${statSync(join(folder, name)).mtimeMs}`);
}

describe.skipIf(!HAS_TERMINAL)('hazard 1: wrapped servers, started by the commands that were written', () => {
  it.each(CONFIGS)('of $client: the policy holds, and the audit has both calls', async (config) => {
    const { current } = sandbox;
    expect((await clawai('wrap', '--all')).code).toBe(0);
    const [command, ...args] = commandIn(current, config);
    expect(args).toContain('proxy');
    const session = await CLIENTS['SDK 1']({ command: [command, ...args], env: current.env });
    const read = (path: string): Promise<unknown> => session.callTool('read_text_file', { path });
    expect(await read(current.path('data/notes.txt'))).toMatchObject({ content: [{ text: 'free to read' }] });
    expect(await read(current.path('data/.ssh/id_rsa'))).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^clawai denied/) }],
    });
    await session.close();
    expect(current.decided().map(({ server_id, action }) => [server_id, action])).toEqual([
      ['files', 'allow'],
      ['files', 'block'],
    ]);
    const { stdout } = await clawai('status', '--json');
    const servers = JSON.parse(stdout).files.flatMap((file: { servers: object[] }) => file.servers);
    expect(servers).toContainEqual(
      expect.objectContaining({
        server: 'files',
        state: 'wrapped',
        seen_by_other: expect.objectContaining({ client: 'clawai-test' }),
      }),
    );
    expect(servers).toContainEqual(expect.objectContaining({ server: 'local', state: 'wrapped', last_seen: null }));
  });

  it('hazard 22: start without a shell: absolute paths, found with the least environment of a desktop app', async () => {
    const { current } = sandbox;
    await clawai('wrap', 'files', '--client', 'claude-desktop');
    const config = CONFIGS.find(({ client }) => client === 'claude-desktop');
    if (config === undefined) throw new Error('it should be there');
    const command = commandIn(current, config);
    expect(command[0]).toMatch(/^\/|^clawai$/);
    const env = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', HOME: current.home };
    const session = await CLIENTS['SDK 2, legacy era']({ command, env });
    expect(await session.callTool('read_text_file', { path: current.path('data/notes.txt') })).toMatchObject({
      content: [{ text: 'free to read' }],
    });
    await session.close();
    expect(existsSync(join(current.home, '.local', 'state', 'clawai', 'clawai.db'))).toBe(true);
  });

  it('--policy goes into the command, as an absolute path, and decides', async () => {
    const { current } = sandbox;
    current.write('mine.toml', '[[rule]]\naction = "deny"\ntool = "**"\n');
    expect((await clawai('wrap', 'files', '--client', 'cursor', '--policy', 'mine.toml')).code).toBe(0);
    const config = CONFIGS.find(({ client }) => client === 'cursor');
    if (config === undefined) throw new Error('it should be there');
    const command = commandIn(current, config);
    expect(command).toContain(current.path('mine.toml'));
    const session = await CLIENTS['SDK 1']({ command, env: current.env });
    expect(await session.callTool('read_text_file', { path: current.path('data/notes.txt') })).toMatchObject({ isError: true });
    await session.close();
    expect((await clawai('status')).stdout).toContain('mine.toml');
  });
});

describe.skipIf(!HAS_TERMINAL)('hazard 47: configs', () => {
  it('get back every byte, and wrapping twice changes nothing', async () => {
    expect((await clawai('wrap', '--all')).code).toBe(0);
    const wrapped = texts();
    for (const [name, text] of originals) expect(wrapped.get(name)).not.toBe(text);
    const before = listing();
    const again = await clawai('wrap', '--all');
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('There was nothing to change')]);
    expect(listing()).toEqual(before);
    const { code, stdout } = await clawai('unwrap', '--all');
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${CONFIGS.length} of them to the byte as before`)]);
    expect(texts()).toEqual(originals);
    expect(JSON.parse((await clawai('unwrap', '--all', '--json')).stdout)).toMatchObject({ dry_run: false });
    expect(texts()).toEqual(originals);
  });

  it('--dry-run writes nothing at all, and prints a diff that patch could apply', async () => {
    const before = listing();
    const { code, stdout } = await clawai('wrap', '--all', '--dry-run');
    expect([code, listing()]).toEqual([0, before]);
    for (const { name } of CONFIGS) expect(stdout).toContain(`--- ${sandbox.current.path(name)}\n+++ `);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain('Nothing was written.');
    await clawai('wrap', '--all');
    const wrapped = listing();
    expect((await clawai('unwrap', '--all', '--dry-run')).stdout).toContain('would be unwrapped');
    expect(listing()).toEqual(wrapped);
  });

  it('without a choice nothing is written, and it says how to choose', async () => {
    const before = listing();
    const { code, stdout, stderr } = await clawai('wrap');
    expect([code, listing()]).toEqual([2, before]);
    expect(stdout).toMatch(/to wrap +files/);
    expect(stderr).toContain('`clawai wrap --all`');
    expect((await clawai('unwrap')).code).toBe(2);
  });

  it('one server, or one client, alone', async () => {
    await clawai('wrap', 'local');
    expect([...texts()].filter(([name, text]) => originals.get(name) !== text).map(([name]) => name)).toEqual([
      'home/.claude.json',
    ]);
    expect(commandIn(sandbox.current, CONFIGS[0] as (typeof CONFIGS)[number])[0]).toBe(process.execPath);
    await clawai('wrap', '--all', '--client', 'vscode');
    await clawai('unwrap', 'local');
    expect([...texts()].filter(([name, text]) => originals.get(name) !== text).map(([name]) => name)).toEqual([
      'config/Code/User/mcp.json',
    ]);
  });

  it.each<[string[], string, string]>([
    [['wrap', 'fils'], 'there is no server "fils"', 'did you mean files?'],
    [['wrap', '--all', '--client', 'cursr'], '--client: "cursr" is unknown', 'did you mean cursor?'],
    [['wrap', '--all', 'files'], '--all and names of servers contradict each other', 'give one'],
    [['wrap', '--all', '--scope', 'managed'], '--scope: "managed" is unknown', ''],
    [['wrap', '--all', '--policy', 'none.toml'], '--policy names a policy that does not exist', ''],
    [['unwrap', 'nothing'], 'there is no server "nothing"', ''],
  ])('%j is refused before anything is written', async (args, message, hint) => {
    const { code, stderr } = await clawai(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
    expect(texts()).toEqual(originals);
  });

  it('a policy that would start nothing wraps nothing', async () => {
    writeConfig(sandbox.current, 'config/clawai/policy.toml', '[[rule]]\nacton = "deny"\n');
    const { code, stderr } = await clawai('wrap', '--all');
    expect([code, stderr]).toEqual([2, expect.stringContaining('policy.toml:2:1')]);
    expect(texts()).toEqual(originals);
  });

  it('a policy that was in use and is gone, under which every call would be denied, wraps nothing', async () => {
    const { current } = sandbox;
    leavePolicyMark(join(current.state, 'clawai'), current.path('config/clawai/policy.toml'));
    const { code, stderr } = await clawai('wrap', '--all');
    expect([code, stderr]).toEqual([2, expect.stringContaining('is gone: every call is denied')]);
    expect(texts()).toEqual(originals);
    await clawai('init');
    expect((await clawai('wrap', '--all')).code).toBe(0);
  });

  it('servers that another installation wrapped start this one after wrapping again, and get back every byte all the same', async () => {
    const { current } = sandbox;
    for (const name of ['bin', 'dist', 'policies', 'package.json']) {
      cpSync(join(ROOT, name), current.path(`old/${name}`), { recursive: true });
    }
    const old = new Running([process.execPath, current.path('old/bin/clawai.mjs'), 'wrap', '--all'], {
      env: current.env,
      cwd: current.folder,
    });
    expect((await old.close()).code).toBe(0);
    expect(texts().get('home/.cursor/mcp.json')).toContain(current.path('old/bin/clawai.mjs'));
    expect((await clawai('status')).stdout).toMatch(/files .*it starts another clawai than this one/);
    expect((await clawai('wrap', '--all')).stdout).toMatch(/updated +files/);
    expect(texts().get('home/.cursor/mcp.json')).toContain(join(ROOT, 'bin', 'clawai.mjs'));
    expect((await clawai('status')).stdout).not.toContain('another clawai');
    expect((await clawai('unwrap', '--all')).code).toBe(0);
    expect(texts()).toEqual(originals);
  });

  it('an entry that somebody wrapped by hand is unwrapped to what it says behind --', async () => {
    const byHand = { command: 'clawai', args: ['proxy', '--observe', '--', 'npx', '-y', 'x'] };
    writeConfig(sandbox.current, 'home/.cursor/mcp.json', JSON.stringify({ mcpServers: { h: byHand } }));
    expect((await clawai('unwrap', 'h')).stdout).toMatch(/unwrapped +h +from its command line/);
    const { mcpServers } = JSON.parse(sandbox.current.read('home/.cursor/mcp.json').toString());
    expect(mcpServers).toEqual({ h: { command: 'npx', args: ['-y', 'x'] } });
  });

  it('one that is broken stays as it is and is named with the place; the others are wrapped', async () => {
    const broken = '{"mcpServers": {"files": {"command": "x",}}}';
    writeConfig(sandbox.current, 'home/.claude.json', broken);
    const { code, stdout } = await clawai('wrap', '--all');
    expect([code, stdout]).toEqual([1, expect.stringMatching(/left as it is, .*\.claude\.json:1:4[12]: trailing comma/)]);
    expect(texts().get('home/.claude.json')).toBe(broken);
    expect(texts().get('home/.cursor/mcp.json')).not.toBe(originals.get('home/.cursor/mcp.json'));
    expect((await clawai('status', '--check')).code).toBe(1);
  });

  it('one that is read-only stays as it is', async () => {
    chmodSync(sandbox.current.path('home/.cursor/mcp.json'), 0o444);
    const { code, stdout } = await clawai('wrap', '--all');
    expect([code, stdout]).toEqual([1, expect.stringContaining('permission denied')]);
    expect(texts().get('home/.cursor/mcp.json')).toBe(originals.get('home/.cursor/mcp.json'));
  });

  it('hazard 48: what the client wrote since stays, and the rest is undone', async () => {
    await clawai('wrap', '--all');
    const name = 'home/.claude.json';
    const value = JSON.parse(sandbox.current.read(name).toString());
    writeFileSync(sandbox.current.path(name), JSON.stringify({ ...value, numStartups: 4 }, undefined, 2));
    expect((await clawai('unwrap', '--all')).code).toBe(0);
    const expected = { ...JSON.parse(originals.get(name) ?? ''), numStartups: 4 };
    expect(JSON.parse(sandbox.current.read(name).toString())).toEqual(expected);
  });

  it('one that somebody removed is named and forgotten', async () => {
    await clawai('wrap', '--all');
    rmSync(sandbox.current.path('home/.cursor/mcp.json'));
    expect((await clawai('status', '--check')).code).toBe(0);
    expect((await clawai('doctor')).stdout).toMatch(/warn +state +~\/\.cursor\/mcp\.json was wrapped and is gone/);
    expect((await clawai('unwrap', '--all')).code).toBe(0);
    expect((await clawai('doctor')).stdout).not.toContain('is gone');
  });
});

describe.skipIf(!HAS_TERMINAL)('a project', () => {
  const PROJECT = 'home/project/.mcp.json';
  const TEXT = '{ "mcpServers": { "shared": { "command": "true" } } }';

  function git(...args: readonly string[]): void {
    const { status, stderr } = spawnSync('git', ['-C', sandbox.current.path('home/project'), ...args], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }
  function inProject(...args: readonly string[]): Promise<Ended> {
    const { current } = sandbox;
    if (isForPerson(args)) return runAtTerminal(current, args, current.path('home/project/src'));
    return new Running(current.command(...args), { env: current.env, cwd: current.path('home/project/src') }).close();
  }
  const text = (): string => sandbox.current.read(PROJECT).toString();

  beforeEach(() => {
    writeConfig(sandbox.current, PROJECT, TEXT);
    mkdirSync(sandbox.current.path('home/project/src'));
    git('init', '-q');
  });

  it('is found from a folder inside of its repository, and wrapped where nobody else gets the file', async () => {
    expect((await inProject('wrap', '--all')).stdout).toMatch(/wrapped +shared/);
    expect(text()).toContain('"proxy"');
    expect((await inProject('unwrap', '--all')).code).toBe(0);
    expect(text()).toBe(TEXT);
  });

  it('whose file is under version control stays as it is, is named, and counts, until its scope is asked for', async () => {
    git('add', '.mcp.json');
    const { code, stdout } = await inProject('wrap', '--all');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/skipped +shared +the file is under version control/)]);
    expect(text()).toBe(TEXT);
    expect((await inProject('status', '--check')).code).toBe(1);
    expect((await inProject('wrap', '--all', '--scope', 'project')).stdout).toContain('Wrapped 1 server in 1 file.');
    expect((await inProject('status', '--check')).code).toBe(0);
  });

  it('whose repository git cannot read stays as it is, and the reason is told', async () => {
    git('add', '.mcp.json');
    writeConfig(sandbox.current, 'home/project/.git/index', 'damaged');
    expect((await inProject('wrap', '--all')).stdout).toMatch(
      /skipped +shared +the file is in a repository, and git does not say/,
    );
    expect(text()).toBe(TEXT);
    expect((await inProject('status', '--check')).code).toBe(1);
  });

  it('loses what a killed wrap left beside its file, whatever is asked next', async () => {
    const left = `home/project/.${'.mcp.json'}.clawai-${2 ** 30}-0123456789ab.tmp`;
    for (const words of [['status'], ['wrap', '--all']]) {
      writeConfig(sandbox.current, left, TEXT);
      await inProject(...words);
      expect(existsSync(sandbox.current.path(left))).toBe(false);
    }
  });

  it('--scope local is one user in one project', async () => {
    expect((await clawai('wrap', '--all', '--scope', 'local')).stdout).toMatch(/wrapped +local +in \/a\/b/);
    expect(commandIn(sandbox.current, CONFIGS[0] as (typeof CONFIGS)[number])[0]).toBe(process.execPath);
    expect((await clawai('status', '--json')).stdout).toContain('"state": "wrapped"');
  });
});

describe("a config of one's own", () => {
  const NAME = 'home/.cursor/mcp.json';
  const SECRETS = '{"mcpServers":{"-x":{"command":"true","args":["--token","hunter2"],"env":{"KEY":"hunter2"}}}}';

  it('hazard 62: is shown without its secrets, also to programs', async () => {
    const more =
      '"b":{"command":"x --token hunter2","args":["-eA=hunter2","--header=X: hunter2","{\\"headers\\":{\\"X\\":\\"hunter2\\"}}"]}';
    writeConfig(sandbox.current, NAME, SECRETS.replace(/}}$/, `,${more}}}`));
    for (const flags of [[], ['--json']]) {
      const { code, stdout } = await clawai('wrap', '--all', '--dry-run', '--client', 'cursor', ...flags);
      expect([code, stdout.includes('hunter2'), stdout.includes('[redacted:token]')]).toEqual([0, false, true]);
    }
    expect(sandbox.current.read(NAME).toString()).toContain(more);
    await clawai('wrap', '--all', '--client', 'cursor');
    expect((await clawai('doctor')).stdout).toMatch(/command of b in .* is not found: x --token \[redacted:token\]/);
  });

  it('may have a server called -x, which is chosen behind --', async () => {
    writeConfig(sandbox.current, NAME, SECRETS);
    const wrong = await clawai('wrap', '-x');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('clawai wrap -- -x')]);
    const { code, stdout } = await clawai('wrap', '--', '-x');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/wrapped +-x/)]);
  });

  it('has nothing that steers a terminal, also in JSON', async () => {
    writeConfig(sandbox.current, NAME, '{"mcpServers":{"a\\u009b31m\\u202e":{"command":"true"}}}');
    for (const args of [['wrap', '--all', '--dry-run'], ['status'], ['doctor']]) {
      const { stdout } = await clawai(...args, '--json');
      expect(stdout).not.toMatch(/[\u007f-\u009f\u202e]/);
      expect(JSON.stringify(JSON.parse(stdout))).toContain('a\u009b31m\u202e');
    }
  });

  it('may have a server that is started by a program called false', async () => {
    writeConfig(sandbox.current, NAME, '{"mcpServers":{"a":{"command":"false"}}}');
    const { code, stdout } = await clawai('wrap', '--all', '--client', 'cursor');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/wrapped +a/)]);
  });

  it('that nests too deep is left as it is, and everything else is wrapped', async () => {
    const { current } = sandbox;
    writeConfig(current, NAME, `{"mcpServers":{},"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    writeConfig(current, 'home/.codeium/windsurf/mcp_config.json', SECRETS);
    const { code, stdout } = await clawai('wrap', '--all');
    expect([code, stdout]).toEqual([1, expect.stringMatching(/mcp\.json:1:\d+: it nests deeper/)]);
    expect([stdout, (await clawai('status', '--check')).code]).toEqual([expect.stringMatching(/wrapped +-x/), 1]);
  });

  it('with a list in place of its servers is an error with its place', async () => {
    writeConfig(sandbox.current, NAME, '{\n  "mcpServers": []\n}\n');
    const { code, stdout } = await clawai('wrap', '--all', '--client', 'cursor');
    expect([code, stdout]).toEqual([1, expect.stringContaining('mcp.json:2:17: mcpServers must be an object')]);
    expect((await clawai('status', '--check')).code).toBe(1);
  });

  it.skipIf(process.getuid?.() !== 0)('is unwrapped without a terminal by root, as the user, and by nobody else', async () => {
    const { current } = sandbox;
    const uid = 12_345;
    writeConfig(current, NAME, SECRETS);
    await clawai('wrap', '--all', '--client', 'cursor');
    spawnSync('chown', ['-R', `${uid}:${uid}`, current.folder]);
    const words = ['unwrap', '--all', '--client', 'cursor', '--no-terminal'];
    const options = { cwd: current.folder, env: { ...current.env } };
    const refused = await runCli(words, { ...options, uid });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--no-terminal is for root alone')]);
    const agent = await runCli(words, { ...options, env: { ...current.env, CLAUDECODE: '1' } });
    expect([agent.code, agent.stderr]).toEqual([2, expect.stringContaining('an agent has started it')]);
    const done = await runCli(words, options);
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(current.read(NAME).toString()).toBe(SECRETS);
    expect(statSync(current.path(NAME)).uid).toBe(uid);
  });
});

describe.skipIf(!HAS_TERMINAL)('undoing and looking', () => {
  it('work whatever has become of the config, the policy and the store', async () => {
    const { current } = sandbox;
    await clawai('wrap', '--all');
    writeConfig(current, 'config/clawai/config.toml', 'state_dir = 7');
    writeConfig(current, 'config/clawai/policy.toml', '= nonsense');
    const status = await clawai('status');
    expect([status.code, status.stdout]).toEqual([
      0,
      expect.stringMatching(/^config: .*config\.toml:1:1: .*state_dir.*; nothing that is wrapped can start$/m),
    ]);
    expect((await clawai('status', '--check')).code).toBe(1);
    expect(JSON.parse((await clawai('status', '--json')).stdout)).toMatchObject({ config_error: { code: 'config_invalid' } });
    expect((await clawai('doctor')).code).toBe(1);
    expect((await clawai('wrap', '--all')).code).toBe(2);
    expect((await clawai('unwrap', '--all')).code).toBe(0);
    expect(texts()).toEqual(originals);
  });

  it('list the policies in force, and --check fails if one is invalid', async () => {
    const { current } = sandbox;
    await clawai('wrap', '--all');
    const policies = async (): Promise<unknown> => JSON.parse((await clawai('status', '--json')).stdout).policies;
    const shipped = { scope: 'user', file: join(ROOT, 'policies/default.toml'), shipped: true, error: null };
    expect(await policies()).toEqual([shipped]);
    expect((await clawai('status', '--check')).code).toBe(0);
    writeConfig(current, '.clawai/policy.toml', '[[rule]]\naction = "deny"\ntool = "never"\n');
    const file = current.path('.clawai/policy.toml');
    expect(await policies()).toEqual([shipped, { scope: 'project', file, shipped: false, error: null }]);
    expect((await clawai('status', '--check')).code).toBe(0);
    writeConfig(current, '.clawai/policy.toml', '[[rule]]\naction = "allow"\ntool = "*"\n');
    expect(await policies()).toMatchObject([shipped, { scope: 'project', file, error: { code: 'policy_invalid' } }]);
    const checked = await clawai('status', '--check', '--quiet');
    expect([checked.code, checked.stdout]).toEqual([
      1,
      expect.stringMatching(/^project policy: .*policy\.toml:2:.*; nothing that is wrapped can start here$/m),
    ]);
    rmSync(file);
    writeConfig(current, 'config/clawai/policy.toml', '= nonsense');
    expect(await policies()).toMatchObject([
      { scope: 'user', file: current.path('config/clawai/policy.toml'), error: { code: 'policy_syntax' } },
    ]);
    expect((await clawai('status', '--check')).code).toBe(1);
  });

  it('work without a store that can be read', async () => {
    writeConfig(sandbox.current, 'state/clawai/clawai.db', 'no store of ours');
    const { code, stdout } = await clawai('status');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/last seen is not known: .*clawai\.db/)]);
  });
});

describe.skipIf(!HAS_TERMINAL)('what a person has to know', () => {
  it('is said per client and per server, for what changed alone', async () => {
    const servers = { files: { command: 'npx', env: { PATH: '/x', CLAWAI_SESSION: 'y', TOKEN: 'secret-token' } } };
    writeConfig(sandbox.current, 'home/.cursor/mcp.json', JSON.stringify({ mcpServers: servers }));
    const { stdout } = await clawai('wrap', '--all', '--client', 'cursor');
    expect(stdout).toContain('files: its environment sets PATH, CLAWAI_SESSION');
    expect(stdout).toContain('Cursor asks again for each changed server');
    expect(stdout).toContain('`clawai unwrap --all` undoes it');
    expect(stdout).not.toMatch(/secret-token|Claude|under version control/);
    const desktop = await clawai('wrap', '--all', '--client', 'claude-desktop');
    expect(desktop.stdout).toContain('Claude Desktop: quit the app completely before');
    expect((await clawai('wrap', '--all', '--client', 'claude-desktop')).stdout).not.toContain('quit the app');
  });
});

describe.skipIf(!HAS_TERMINAL)('for programs', () => {
  it('wrap --dry-run --json has each server and the diff, and nothing else is printed', async () => {
    const { code, stdout, stderr } = await clawai('wrap', '--all', '--dry-run', '--json');
    expect([code, stderr]).toEqual([0, '']);
    const { dry_run: isDry, files } = JSON.parse(stdout);
    expect(isDry).toBe(true);
    expect(files).toHaveLength(CONFIGS.length);
    expect(files[0]).toMatchObject({
      changed: true,
      error: null,
      diff: expect.stringContaining('+++ '),
      servers: [
        { server: 'files', action: 'wrap', pointer: '/mcpServers/files', after: { args: expect.arrayContaining(['proxy']) } },
        { server: 'linear', action: 'skip', reason: 'serve-stopped' },
        { server: 'local', action: 'wrap', scope: 'local' },
      ],
    });
  });
});

describe.skipIf(!HAS_TERMINAL)('hazard 3: status', () => {
  it('--check is 1 until all that can be is wrapped; remote servers do not count, and are named', async () => {
    const before = await clawai('status', '--check');
    expect([before.code, before.stdout]).toEqual([1, expect.stringMatching(/not wrapped +files/)]);
    expect((await clawai('status')).code).toBe(0);
    await clawai('wrap', '--all');
    const after = await clawai('status', '--check');
    expect([after.code, after.stdout]).toEqual([0, expect.stringMatching(/remote +linear/)]);
    expect(after.stdout).toMatch(/wrapped and never seen: files \([^)]+\), local \(Claude Code\), bare \(/);
  });

  it('shows what somebody changed or removed, wrapped by hand, or switched off', async () => {
    await clawai('wrap', '--all');
    const { current } = sandbox;
    writeConfig(current, 'config/Code/User/mcp.json', '{ "servers": { "files": { "command": "other" } } }');
    writeConfig(current, 'home/.claude.json', '{"mcpServers":{"h":{"command":"clawai","args":["proxy","--","npx","x"]}}}');
    const { code, stdout } = await clawai('status', '--check');
    expect(code).toBe(1);
    expect(stdout).toMatch(/changed +files +it was wrapped/);
    expect(stdout).toMatch(/removed +bare/);
    expect(stdout).toMatch(/by hand +h +never seen/);
    expect(stdout).toMatch(/wrapped +files +never seen; the client has it switched off/);
  });

  it('--check is 1 where a server stands there twice, since a client starts one of them', async () => {
    const { current } = sandbox;
    for (const { name } of CONFIGS) rmSync(current.path(name));
    writeConfig(current, 'home/.cursor/mcp.json', '{"mcpServers":{"d":{"command":"a"},"d":{"command":"b"}}}');
    await clawai('wrap', '--all');
    const { code, stdout } = await clawai('status', '--check');
    expect([code, stdout]).toEqual([1, expect.stringMatching(/malformed +d +there are two servers of this name/)]);
    expect(stdout).toContain('a client may start them all the same: d');
  });

  it('finds nothing, and says so', async () => {
    const { code, stdout } = await sandbox.current.clawai('status', '--check', '--json').close();
    expect([code, JSON.parse(stdout).files.length]).toEqual([1, CONFIGS.length]);
    for (const { name } of CONFIGS) rmSync(sandbox.current.path(name));
    const none = await clawai('status', '--check');
    expect([none.code, none.stdout]).toEqual([0, expect.stringContaining('No MCP servers were found')]);
  });
});
