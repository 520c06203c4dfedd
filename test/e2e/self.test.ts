import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HAS_TERMINAL, SCRIPT } from '../support/at-terminal.ts';
import { useSandbox } from '../support/attempt.ts';
import { CLIENTS, type Session } from '../support/clients.ts';
import { runAtTerminal } from '../support/run-at-terminal.ts';
import { Running } from '../support/running.ts';
import { serverPackage, support } from '../support/sandbox.ts';
import { waitingCall } from '../support/waiting-calls.ts';

const BIN = resolve(import.meta.dirname, '..', '..', 'bin', 'clawai.mjs');

const POLICY = `
[defaults]
action = "allow"
[approval]
timeout = "30s"
channels = ["terminal"]
[[rule]]
action = "prompt"
tool = "danger"
`;

const CURSOR = '{ "mcpServers": { "x": { "command": "true" } } }\n';

const sandbox = useSandbox();
const sessions: Session[] = [];

beforeEach(async () => {
  const { current } = sandbox;
  for (const folder of ['config/clawai', 'home/.cursor', 'home/work', 'home/work/.clawai'])
    mkdirSync(current.path(folder), { recursive: true });
  current.write('config/clawai/policy.toml', POLICY);
  current.write('config/clawai/config.toml', '');
  current.write('home/.cursor/mcp.json', CURSOR);
  current.write('home/work/.clawai/policy.toml', '[[rule]]\naction = "deny"\ntool = "never"\n');
  current.write('home/work/notes.txt', 'free');
  const { code, stderr } = await current.clawai('wrap', '--all').close();
  if (code !== 0) throw new Error(stderr);
});
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

/** A real client of a server that may do anything, behind the real binary, under a policy that allows everything. */
async function open(server: 'files' | 'shell'): Promise<Session> {
  const { current } = sandbox;
  const words = server === 'files' ? [serverPackage('filesystem'), current.folder] : [support('shell-server.mjs')];
  const command = current.command('proxy', '--server', server, '--', process.execPath, ...words);
  const session = await CLIENTS['SDK 1']({ command, env: current.env });
  sessions.push(session);
  return session;
}

interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
}

/** Why a call was denied; undefined for one that reached the server. */
function reasonOf(result: unknown): string | undefined {
  return /"reason":"(\w+)"/.exec(JSON.stringify(result))?.[1];
}

function textOf(result: unknown): string {
  return (result as ToolResult).content[0]?.text ?? '';
}

/** Everything that an agent might change, but for what clawai itself writes as it goes. */
function ours(): ReadonlyMap<string, string> {
  const { current } = sandbox;
  const found = new Map<string, string>();
  for (const folder of ['config', 'home', 'state/clawai/wrap']) {
    for (const name of readdirSync(current.path(folder), { recursive: true, encoding: 'utf8' })) {
      const file = join(current.path(folder), name);
      if (statSync(file).isFile() && !file.includes('/.cache/')) found.set(file, readFileSync(file, 'utf8'));
    }
  }
  return found;
}

describe('through server-filesystem', () => {
  it('hazards 5 and 7: nothing of clawai is read, written, edited, moved or listed, in any spelling', async () => {
    const { current } = sandbox;
    const root = current.folder;
    symlinkSync(current.path('config/clawai'), current.path('home/work/link'));
    symlinkSync(current.path('home/.cursor/mcp.json'), current.path('home/work/innocent.json'));
    const files = await open('files');
    const before = ours();
    const policy = `${root}/config/clawai/policy.toml`;
    const attempts: [string, Record<string, unknown>][] = [
      ['write_file', { path: policy, content: '[defaults]\naction = "allow"' }],
      ['write_file', { path: `${root}/home/work/../../config/clawai/policy.toml`, content: '' }],
      ['write_file', { path: `${root}/home/work/link/policy.toml`, content: '' }],
      ['write_file', { path: `${root}//config/./clawai//policy.toml`, content: '' }],
      ['write_file', { path: 'config/clawai/policy.toml', content: '' }],
      ['edit_file', { path: policy, edits: [{ oldText: 'prompt', newText: 'allow' }] }],
      ['edit_file', { path: `${root}/home/work/innocent.json`, edits: [{ oldText: 'proxy', newText: 'x' }] }],
      ['write_file', { path: `${root}/home/.cursor/mcp.json`, content: CURSOR }],
      ['write_file', { path: `${root}/home/work/.clawai/policy.toml`, content: '' }],
      ['write_file', { path: `${root}/state/clawai/clawai.db`, content: '' }],
      ['write_file', { path: `${root}/state/clawai/clawai.db-wal`, content: '' }],
      ['move_file', { source: policy, destination: `${root}/home/work/x` }],
      ['move_file', { source: `${root}/home/work/notes.txt`, destination: policy }],
      ['move_file', { source: `${root}/config`, destination: `${root}/gone` }],
      ['move_file', { source: `${root}/state`, destination: `${root}/gone` }],
      ['read_text_file', { path: policy }],
      ['read_multiple_files', { paths: [`${root}/home/work/notes.txt`, policy] }],
      ['list_directory', { path: `${root}/state/clawai` }],
      ['directory_tree', { path: `${root}/config/clawai` }],
      ['create_directory', { path: `${root}/config/clawai/x` }],
      ['write_file', { path: BIN, content: '' }],
    ];
    for (const [tool, args] of attempts) {
      expect([tool, args, reasonOf(await files.callTool(tool, args as never))]).toEqual([tool, args, 'self']);
    }
    expect(ours()).toEqual(before);
    const told = textOf(await files.callTool('read_text_file', { path: policy }));
    expect(told).toMatch(/^clawai denied .*clawai's own files.*Do not try another way/s);
    expect(reasonOf(await files.callTool('list_directory', { path: root }))).toBeUndefined();
    expect(textOf(await files.callTool('read_text_file', { path: `${root}/home/work/notes.txt` }))).toBe('free');
    const prose = { path: `${root}/home/work/README.md`, content: 'To undo it:\n\n    clawai unwrap --all\n' };
    expect(reasonOf(await files.callTool('write_file', prose))).toBeUndefined();
    expect(readFileSync(prose.path, 'utf8')).toBe(prose.content);
  });

  it('a config that is wrapped later is out of reach soon', async () => {
    const { current } = sandbox;
    const files = await open('files');
    const write = { path: current.path('home/.claude.json'), content: '{"mcpServers":{"y":{"command":"true"}}}' };
    expect(reasonOf(await files.callTool('write_file', write))).toBeUndefined();
    expect((await current.clawai('wrap', '--all', '--client', 'claude-code').close()).code).toBe(0);
    const read = async (): Promise<string | undefined> => reasonOf(await files.callTool('read_text_file', { path: write.path }));
    await expect.poll(read, { timeout: 60_000, interval: 100 }).toBe('self');
    expect(reasonOf(await files.callTool('write_file', write))).toBe('self');
    expect(readFileSync(write.path, 'utf8')).toContain('"proxy"');
  });

  it('only observing, it is recorded and goes on, as anything else', async () => {
    const { current } = sandbox;
    const command = current.command(
      'proxy',
      '--observe',
      '--server',
      'files',
      '--',
      process.execPath,
      serverPackage('filesystem'),
      current.folder,
    );
    const session = await CLIENTS['SDK 1']({ command, env: current.env });
    expect(textOf(await session.callTool('read_text_file', { path: current.path('config/clawai/policy.toml') }))).toBe(POLICY);
    await session.close();
    expect(current.decided()).toContainEqual(expect.objectContaining({ reason: 'self', decision: 'deny' }));
  });
});

describe('through a tool that runs a shell', () => {
  it('no command gets at clawai, however it is written', async () => {
    const { current } = sandbox;
    const shell = await open('shell');
    const before = ours();
    const policy = current.path('config/clawai/policy.toml');
    const attempts = [
      'clawai unwrap --all',
      `${process.execPath} ${BIN} unwrap --all`,
      `sh -c "cla''wai approve AAAAAA"`,
      `echo x > ${policy}`,
      `cd ${current.path('config')} && rm -rf clawai`,
      `rm -rf ${current.path('config')}`,
      `sed -i s/prompt/allow/ "${policy}"`,
      `cp /dev/null ${current.folder}/conf*/claw*/policy.toml`,
      `cat $XDG_STATE_HOME/clawai/clawai.db`,
      `python3 -c 'open("${policy}", "w")'`,
      `echo '{}' | tee ${current.path('home/.cursor/mcp.json')}`,
    ];
    for (const command of attempts) {
      expect([command, reasonOf(await shell.callTool('run_shell', { command }))]).toEqual([command, 'self']);
    }
    expect(ours()).toEqual(before);
    expect(textOf(await shell.callTool('run_shell', { command: 'echo hello' }))).toBe('hello\nexit 0');
  });

  it.runIf(HAS_TERMINAL)(
    'a command that is not recognised finds that clawai stands above it, also at a terminal of its own',
    async () => {
      const { current } = sandbox;
      current.write('tool', `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`, 0o755);
      const tool = current.path('tool');
      const shell = await open('shell');
      const before = ours();
      const run = async (command: string): Promise<string> => textOf(await shell.callTool('run_shell', { command }));
      expect(await run(`${tool} unwrap --all`)).toMatch(/is for a person, and stdin is no terminal[^]*exit 2$/);
      for (const command of [
        `${tool} unwrap --all`,
        `${tool} approve K7Q2MX`,
        `setsid -w ${tool} deny K7Q2MX`,
        `env -i ${tool} unwrap --all`,
      ]) {
        const answer = await run(`${SCRIPT} -qec "${command}" /dev/null`);
        expect([command, answer]).toEqual([
          command,
          expect.stringMatching(/is for a person, and an agent has started it[^]*exit 2$/),
        ]);
      }
      expect(ours()).toEqual(before);
    },
  );
});

describe.runIf(HAS_TERMINAL)('below the process of an agent', () => {
  /** Runs a shell's command line as a child of a process called `claude`. */
  async function asAgent(command: string): Promise<{ code: number | null; output: string }> {
    const { current } = sandbox;
    const claude = current.write('claude', '#!/bin/sh\nsh -c "$1"\nexit $?\n', 0o755);
    const running = new Running([claude, command], { env: { ...current.env, SHELL: '/bin/sh' }, cwd: current.path('home/work') });
    const { code, stdout, stderr } = await running.close();
    return { code, output: stdout + stderr };
  }

  /** A call that waits for a person, and its id. */
  async function askForDanger(): Promise<{ readonly client: Running; readonly id: string }> {
    const { current } = sandbox;
    const client = current.clawai(
      'proxy',
      '--server',
      's',
      '--',
      process.execPath,
      support('recording-server.mjs'),
      current.path('reached'),
    );
    client.send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"danger","arguments":{}}}\n');
    return { client, id: (await waitingCall(current)).id };
  }

  it(
    'nothing is approved, denied, unwrapped or set up anew, by whatever way the terminal is made',
    { tags: 'long' },
    async () => {
      const { current } = sandbox;
      const { client, id } = await askForDanger();
      const before = ours();
      writeFileSync(current.path('mine.toml'), '[defaults]\naction = "allow"\n');
      const clawai = `${process.execPath} ${BIN}`;
      const commands = [
        `approve ${id}`,
        `deny ${id}`,
        'approvals',
        'unwrap --all',
        'init',
        `wrap --all --policy ${current.path('mine.toml')}`,
      ];
      const ways = [
        (line: string) => line,
        (line: string) => `${SCRIPT} -qec "${line}" /dev/null`,
        (line: string) => `sh -c "setsid ${SCRIPT} -qec '${line}' /dev/null"`,
        (line: string) => `env -i PATH="$PATH" HOME="$HOME" XDG_STATE_HOME="$XDG_STATE_HOME" ${SCRIPT} -qec '${line}' /dev/null`,
      ];
      for (const command of commands) {
        for (const [i, way] of ways.entries()) {
          const { code, output } = await asAgent(way(`${clawai} ${command}`));
          expect([command, i, code, output]).toEqual([command, i, 2, expect.stringMatching(/is for a person|in a terminal/)]);
        }
      }
      expect(ours()).toEqual(before);
      expect(client.stdout.toString()).toBe('');
      expect((await runAtTerminal(current, ['deny', id])).code).toBe(0);
      await client.lines(1);
      expect(client.stdout.toString()).toContain('refused');
      await client.close();
    },
  );

  it('a variable that an agent sets for its commands is enough', async () => {
    const { current } = sandbox;
    const line = `CLAUDECODE=1 ${process.execPath} ${BIN} unwrap --all`;
    const { code, stdout } = await new Running([SCRIPT, '-qec', line, '/dev/null'], {
      env: { ...current.env, SHELL: '/bin/sh' },
      cwd: current.folder,
    }).ended;
    expect([code, stdout]).toEqual([2, expect.stringContaining('CLAUDECODE is set')]);
  });

  it('a person does all of it', async () => {
    const { current } = sandbox;
    expect((await runAtTerminal(current, ['unwrap', '--all'])).code).toBe(0);
    expect(current.read('home/.cursor/mcp.json').toString()).toBe(CURSOR);
  });
});
