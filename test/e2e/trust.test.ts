import { mkdirSync, rmSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { MOST_REFUSED } from '../../src/store/rows/launch-rows.ts';
import { AtTerminal, HAS_TERMINAL } from '../support/at-terminal.ts';
import { useSandbox } from '../support/attempt.ts';
import { writeConfig } from '../support/client-configs.ts';
import { CLIENTS } from '../support/clients.ts';
import { Declaring, tool } from '../support/declaring.ts';
import { ModelMock } from '../support/model-mock.ts';
import { Running } from '../support/running.ts';
import { serverPackage } from '../support/sandbox.ts';
import { Serving } from '../support/serving.ts';
import { waitingCall } from '../support/waiting-calls.ts';

/** Two clients, and two projects of one of them, each with a server called `files` that is started in its own way. */
const ENTRIES = {
  claude: { name: 'claude-code', file: 'home/.claude.json' },
  cursor: { name: 'cursor-vscode', file: 'home/.cursor/mcp.json' },
} as const;
type ClientName = keyof typeof ENTRIES;

const sandbox = useSandbox();
let folders: Readonly<Record<ClientName, string>>;

const config = (folder: string): string =>
  JSON.stringify({ mcpServers: { files: { command: process.execPath, args: [serverPackage('filesystem'), folder] } } });

beforeEach(() => {
  const { current } = sandbox;
  folders = { claude: current.path('docs'), cursor: current.path('pics') };
  for (const folder of Object.values(folders)) mkdirSync(folder);
  writeConfig(current, ENTRIES.claude.file, config(folders.claude));
  writeConfig(current, ENTRIES.cursor.file, config(folders.cursor));
});

const clawai = (...words: readonly string[]) => sandbox.current.clawai(...words).close();

/** What becomes of a call that the client makes by its entry. */
async function call(client: ClientName, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { current } = sandbox;
  const { command, args } = JSON.parse(current.read(ENTRIES[client].file).toString()).mcpServers.files as {
    command: string;
    args: string[];
  };
  const { name } = ENTRIES[client];
  const session = await CLIENTS['SDK 1']({
    command: [command, ...args],
    env: { ...current.env, ...env },
    name,
    cwd: current.folder,
  });
  try {
    await session.listTools();
    const result = await session.callTool('list_directory', { path: folders[client] });
    const { isError = false, content } = result as {
      readonly isError?: boolean;
      readonly content: readonly { readonly text: string }[];
    };
    return isError ? (content[0]?.text ?? '') : 'done';
  } finally {
    await session.close();
  }
}

interface Row {
  readonly clients: readonly string[];
  readonly last_seen: string | null;
  readonly denied: { readonly why: string; readonly command: string } | null;
}

/** What `clawai status` says of the server in a client's own config. */
async function statusOf(client: 'claude-code' | 'cursor'): Promise<Row | undefined> {
  const { files } = JSON.parse((await clawai('status', '--json')).stdout) as {
    readonly files: readonly { readonly servers: readonly Row[] }[];
  };
  return files.flatMap(({ servers }) => servers).find(({ clients }) => clients.includes(client));
}

/** Answers the question of a command at a terminal. */
async function answer(
  words: readonly string[],
  key: 'y' | 'n',
): Promise<{ readonly code: number | null; readonly text: string }> {
  const person = new AtTerminal(sandbox.current, words);
  await person.shows('[y/N]');
  person.send(`${key}\r`);
  const { code } = await person.ended;
  return { code, text: person.text.replaceAll('\r', '') };
}

describe('two clients with one server name and different arguments', () => {
  it('the second is denied with what differs and the command that ends it, and so say status, doctor and approvals', async () => {
    const { stdout } = await clawai('wrap', '--all');
    const [command = ''] = /clawai approve --server files --launch [0-9a-f]{8}/.exec(stdout) ?? [];
    expect(command).not.toBe('');
    expect(await call('claude')).toBe('done');
    const denied = await call('cursor');
    expect(denied).toContain('its server is started in another way than when it was approved (args[1])');
    expect(denied).toContain(command);
    expect(await statusOf('claude-code')).toMatchObject({ denied: null, last_seen: expect.any(String) });
    expect(await statusOf('cursor')).toMatchObject({ denied: { why: expect.stringContaining('(args[1])'), command } });
    const doctor = await clawai('doctor');
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringMatching(/fail\s+trust[^]*every call of files[^]*cursor/)]);
    expect((await clawai('approvals')).stdout).toContain(command);
    expect((await clawai('approvals')).stdout.match(/clawai approve/g)?.length).toBe(1);
    const shown = await clawai('mcp', 'registry', 'show', 'files', '--kind', 'server');
    expect([shown.code, shown.stderr]).toEqual([0, expect.stringContaining('there is also how files (')]);
    const own = await clawai('mcp', 'registry', 'list', '--server', 'files', '--launch', command.slice(-8), '--json');
    expect(own.stdout.match(/"kind":"server"/g)?.length).toBe(1);
    // The trusted one goes on being used, and that changes nothing.
    expect(await call('claude')).toBe('done');
    expect((await clawai('approvals')).stdout).toContain(command);
  });

  it('one that was seen stands for no other', async () => {
    await clawai('wrap', '--all');
    await call('cursor');
    expect(await statusOf('claude-code')).toMatchObject({ last_seen: null });
    expect(await statusOf('cursor')).toMatchObject({ last_seen: expect.any(String) });
  });

  it('what is trusted of the one is not trusted of the other, where nothing is trusted by first use', async () => {
    mkdirSync(sandbox.current.path('config/clawai'), { recursive: true });
    sandbox.current.write('config/clawai/policy.toml', '[defaults]\naction = "allow"\n[pinning]\ntrust_first_use = false\n');
    const { stdout } = await clawai('wrap', '--all');
    expect(stdout.replaceAll(/\n\s*/g, ' ').match(/nobody has trusted this way/g)?.length).toBe(2);
    expect(await call('claude')).toContain('denied');
    expect(await call('cursor')).toContain('denied');
  });
});

describe('two launches of one name', () => {
  const READ = tool('read_file', 'Reads a file.');
  const OTHER = tool('read_file', 'Reads another file.');

  it('one that nobody trusts is denied as such, also where it lists other definitions', async () => {
    const server = new Declaring(sandbox.current);
    server.declare({ tools: [[READ]] });
    await server.start();
    await server.tools();
    await server.stop();
    server.declare({ tools: [[OTHER]] });
    await server.start(['--other']);
    await server.tools();
    expect(await server.call('read_file')).toMatch(/started in another way.*--server files --launch/);
    await server.stop();
  });

  it('where the store is replaced while both run, the one that it knows first is trusted, and at once no other', async () => {
    const [first, second] = [new Declaring(sandbox.current), new Declaring(sandbox.current)];
    first.declare({ tools: [[READ]] });
    await first.start();
    await second.start(['--other']);
    for (const each of [first, second]) await each.tools();
    expect(await first.call('read_file')).toBe('allowed');
    rmSync(sandbox.current.state, { recursive: true });
    expect(await second.call('read_file')).toBe('allowed');
    expect(await first.call('read_file')).toContain('started in another way');
    await Promise.all([first.stop(), second.stop()]);
  });

  it(
    'one that runs is found by the command that its denial names, however many others came since',
    { tags: 'long' },
    async () => {
      const [first, ...others] = Array.from({ length: MOST_REFUSED + 2 }, () => new Declaring(sandbox.current));
      first?.declare({ tools: [[READ]] });
      await first?.start();
      await first?.tools();
      await first?.stop();
      const [refused] = others;
      await refused?.start(['--other']);
      expect(await refused?.call('read_file')).toContain('started in another way');
      const startOne = async (server: Declaring, at: number): Promise<void> => {
        await server.start([`--other-${at}`]);
        await server.tools();
        await server.stop();
      };
      await Promise.all(others.slice(1).map(startOne));
      const denied = (await refused?.call('read_file')) ?? '';
      const [, launch = ''] = /--launch (\w+)/.exec(denied) ?? [];
      const { stdout } = await clawai(
        'mcp',
        'registry',
        'list',
        '--server',
        'files',
        '--launch',
        launch,
        '--kind',
        'server',
        '--json',
      );
      expect(JSON.parse(stdout)).toMatchObject({ server: 'files', status: 'new' });
      await refused?.stop();
    },
  );

  it('one that nobody trusts takes no name from the servers of later sessions', async () => {
    const start = async (server: string, session: string, tools: readonly object[], words?: readonly string[]) => {
      const declaring = new Declaring(sandbox.current, { server, env: { CLAWAI_SESSION: session } });
      declaring.declare({ tools: [tools] });
      await declaring.start(words);
      await declaring.tools();
      const said = await declaring.call('read_file');
      await declaring.stop();
      return said;
    };
    await start('web', 'one', [tool('fetch', 'Gets a page.')]);
    expect(await start('web', 'two', [READ], ['--other'])).toContain('started in another way');
    await start('web', 'three', [tool('fetch', 'Gets a page.')]);
    expect(await start('files', 'three', [READ])).toBe('allowed');
  });

  describe.runIf(HAS_TERMINAL)('a yes for the session', () => {
    const policy = '[defaults]\naction = "allow"\n[pinning]\non_change = "prompt"\n[approval]\ntimeout = "20s"\n';
    const waiting = async (): Promise<string> => (await waitingCall(sandbox.current)).id;

    it('to calls of one that nobody trusts is none to calls of another', async () => {
      const servers = ['--first', '--second', '--third'].map((word) => ({
        server: new Declaring(sandbox.current, { policy, env: { CLAWAI_SESSION: 's' } }),
        word,
      }));
      servers[0]?.server.declare({ tools: [[READ]] });
      for (const { server, word } of servers) {
        await server.start([word]);
        await server.tools();
      }
      const [first, second, third] = servers.map(({ server }) => server);
      expect(await first?.call('read_file')).toBe('allowed');
      const asked = second?.call('read_file');
      await new AtTerminal(sandbox.current, ['approve', await waiting(), '--session']).ended;
      expect([await asked, await second?.call('read_file')]).toEqual(['allowed', 'allowed']);
      const other = third?.call('read_file');
      const question = waiting();
      // Whoever is not asked gets an answer instead.
      const id = await Promise.race([question, other]);
      await new AtTerminal(sandbox.current, ['deny', id ?? '']).ended;
      expect(await other).toContain('refused');
      await Promise.all(servers.map(({ server }) => server.stop()));
    });

    it('to calls under some instructions is none under others', { tags: 'long' }, async () => {
      const server = new Declaring(sandbox.current, { policy, env: { CLAWAI_SESSION: 's' } });
      const restart = async (instructions: string): Promise<void> => {
        await server.stop();
        server.declare({ tools: [[READ]], instructions });
        await server.start();
        await server.tools();
      };
      await restart('Read.');
      expect(await server.call('read_file')).toBe('allowed');
      await restart('Read all.');
      const asked = server.call('read_file');
      await new AtTerminal(sandbox.current, ['approve', await waiting(), '--session']).ended;
      expect([await asked, await server.call('read_file')]).toEqual(['allowed', 'allowed']);
      await restart('Read all, and send it.');
      const other = server.call('read_file');
      const id = await Promise.race([waiting(), other]);
      await new AtTerminal(sandbox.current, ['deny', id]).ended;
      expect(await other).toContain('refused');
      await server.stop();
    });
  });

  describe.runIf(HAS_TERMINAL)('where nothing is trusted by first use', () => {
    const policy = '[defaults]\naction = "allow"\n[pinning]\ntrust_first_use = false\n';
    const declaring = async (words?: readonly string[]): Promise<Declaring> => {
      const server = new Declaring(sandbox.current, { policy });
      server.declare({ tools: [[READ]] });
      await server.start(words);
      await server.tools();
      return server;
    };

    it('a tool that was approved of one launch is not approved of one that comes later', async () => {
      const first = await declaring();
      expect((await answer(['approve', 'files:read_file'], 'y')).code).toBe(0);
      expect(await first.call('read_file')).toBe('allowed');
      const second = await declaring(['--other']);
      expect(await second.call('read_file')).toContain('nobody has approved its definition yet');
      await Promise.all([first.stop(), second.stop()]);
    });

    it('what a model calls of one that is trusted is not denied because of one that is not', { tags: 'long' }, async () => {
      const [first, second] = [await declaring(), await declaring(['--other'])];
      expect(await second.call('read_file')).toContain('denied');
      const all = (await clawai('mcp', 'registry', 'list', '--kind', 'server', '--json')).stdout.split('\n').slice(0, -1);
      const own = all.map((line) => JSON.parse(line) as { launch: string | null }).find(({ launch }) => launch !== null);
      await answer(['approve', '--server', 'files', '--launch', own?.launch ?? ''], 'y');
      expect(await second.call('read_file')).toBe('allowed');
      const mock = await ModelMock.start([{ id: 'toolu_1', name: 'mcp__files__read_file', input: {} }]);
      const providers = `[llm.providers.anthropic]\nbase_url = "${mock.origin}"\n`;
      const serving = await Serving.start(sandbox.current, { policy, config: providers });
      const body = JSON.stringify({ model: 'm', max_tokens: 9, stream: true, messages: [{ role: 'user', content: 'Do it.' }] });
      const headers = { 'content-type': 'application/json', 'user-agent': 'claude-cli/2.1.330 (external, cli)' };
      const answered = await fetch(`${serving.llmUrl('anthropic')}/v1/messages`, { method: 'POST', headers, body });
      expect(await answered.text()).toContain('"toolu_1"');
      await Promise.all([first.stop(), second.stop(), serving.stop(), mock.stop()]);
    });

    it('the first launch, too, is approved together with what it lists', async () => {
      const server = await declaring();
      const [, command = ''] = /clawai (approve .* --launch \S+)/.exec((await clawai('approvals')).stdout) ?? [];
      expect((await answer(command.split(' '), 'y')).code).toBe(0);
      expect(await server.call('read_file')).toBe('allowed');
      await server.stop();
    });
  });
});

it('commands name a server as a shell takes it, whatever it is called', async () => {
  const { current } = sandbox;
  const names = ['-x', "it's", 'a b; echo', 'f\u{202E}iles', 'p["q'];
  const entry = (word: string): unknown =>
    JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: 'node', args: [word] }])) });
  writeConfig(current, ENTRIES.claude.file, String(entry('A')));
  writeConfig(current, ENTRIES.cursor.file, String(entry('B')));
  const { stdout } = await clawai('wrap', '--all');
  const { stdout: status } = await clawai('status');
  const commands = (text: string): readonly string[] =>
    [...text.matchAll(/clawai approve (.*? --launch \w+)/g)].map(([, flags = '']) => flags);
  expect(commands(stdout).length).toBe(names.length);
  // Beside each server, and once more behind their number.
  expect(commands(status)).toEqual([...commands(stdout), ...commands(stdout)]);
  const found = commands(stdout).map(async (flags) => {
    const line = `"$@" mcp registry list ${flags} --kind server --json`;
    const run = new Running(['sh', '-c', line, 'sh', ...current.command()], { env: current.env, cwd: current.folder });
    const { stdout: json } = await run.close();
    return (JSON.parse(json) as { readonly server: string }).server;
  });
  expect(await Promise.all(found)).toEqual(names);
});

it('whoever has a rule about a name that older versions gave is told of the new one', async () => {
  mkdirSync(sandbox.current.path('config/clawai'), { recursive: true });
  sandbox.current.write('config/clawai/policy.toml', '[[rule]]\naction = "deny"\nserver = "mcp"\ntool = "**"\n');
  const { stderr } = await clawai('proxy', '--', 'true', '@playwright/mcp');
  expect(stderr).toContain('this server is called "playwright-mcp"; older versions called it "mcp", which your policy names');
  const other = await clawai('proxy', '--server', 'mcp', '--', 'true', '@playwright/mcp');
  expect(other.stderr).not.toContain('older versions');
});

describe.runIf(HAS_TERMINAL)('a person at a terminal', () => {
  it('who wraps is asked about the second, and their yes lets both work', async () => {
    const { code, text } = await answer(['wrap', '--all'], 'y');
    expect([code, text]).toEqual([
      0,
      expect.stringContaining('another server of that name is trusted; this one differs from it in args[1]'),
    ]);
    expect([await call('claude'), await call('cursor'), await call('claude')]).toEqual(['done', 'done', 'done']);
    expect(await statusOf('cursor')).toMatchObject({ denied: null });
  });

  it('who leaves at the question has the report, and is asked again', { tags: 'long' }, async () => {
    const person = new AtTerminal(sandbox.current, ['wrap', '--all']);
    await person.shows('[y/N]');
    const [report = '', question = ''] = person.text.replaceAll('\r', '').split('\n\nfiles in ');
    expect(report).toMatch(/wrapped +files[^]*wrapped +files[^]*\nWrapped 2 servers in 2 files\./);
    expect(question).toMatch(
      /\nIf not, its calls are denied until you run `clawai approve --server files --launch [0-9a-f]{8}`\.\n/,
    );
    person.signal('SIGKILL');
    await person.ended;
    const { code, text } = await answer(['wrap', 'files', '--client', 'cursor'], 'y');
    expect([code, text]).toEqual([0, expect.stringMatching(/There was nothing to change[^]*in args\[1\][^]*\nTrusted\.\n/)]);
    expect([await call('cursor'), await call('claude')]).toEqual(['done', 'done']);
    expect(await clawai('wrap', '--all')).toMatchObject({ stdout: expect.not.stringContaining('clawai approve') });
  });

  it('who says no is asked again, and until then status fails and names the command', { tags: 'long' }, async () => {
    const { text } = await answer(['wrap', '--all'], 'n');
    expect(text).toMatch(/\nNot trusted\. `clawai wrap` asks again next time\.\n/);
    const [command = ''] = /clawai approve --server files --launch [0-9a-f]{8}/.exec(text) ?? [];
    expect(await call('cursor')).toContain(command);
    const status = await clawai('status', '--check');
    expect([status.code, status.stdout]).toEqual([
      1,
      expect.stringContaining(`2 of 2 servers wrapped, 1 of them denied.\nDenied until a person approves it: \`${command}\`\n`),
    ]);
    expect((await clawai('status')).code).toBe(0);
    const quiet = await clawai('status', '--check', '--quiet');
    expect([quiet.code, quiet.stdout]).toEqual([
      1,
      expect.stringMatching(/^[^\n]*mcp\.json {2}Cursor\n {2}denied {2}files[^\n]*\n\n$/),
    ]);
    const again = await clawai('wrap', '--all');
    expect(again.stdout).toContain(`nobody has trusted this way of starting it, so its calls are denied until \`${command}\``);
    const json = await clawai('wrap', '--all', '--json');
    expect([json.stderr.includes(command), JSON.parse(json.stdout).dry_run]).toEqual([true, false]);
    expect((await answer(['wrap', 'files'], 'y')).text).toMatch(/\nTrusted\.\n/);
    expect([await call('cursor'), await call('claude')]).toEqual(['done', 'done']);
    expect((await clawai('status', '--check')).code).toBe(0);
  });

  it('is not asked where the policy denies nothing for it', async () => {
    mkdirSync(sandbox.current.path('config/clawai'), { recursive: true });
    sandbox.current.write('config/clawai/policy.toml', '[defaults]\naction = "allow"\n[pinning]\non_change = "alert"\n');
    const person = new AtTerminal(sandbox.current, ['wrap', '--all']);
    const { code } = await person.ended;
    expect([code, person.text.includes('[y/N]'), person.text.includes('clawai approve')]).toEqual([0, false, false]);
    expect(await call('cursor')).toBe('done');
  });

  it('who says no is told how to approve it later, and that lets both work', { tags: 'long' }, async () => {
    const { text } = await answer(['wrap', '--all'], 'n');
    const [, hash = ''] = /--server files --launch ([0-9a-f]{8})/.exec(text.replaceAll(/\n\s*/g, ' ')) ?? [];
    expect([await call('claude'), await call('cursor')]).toEqual(['done', expect.stringContaining(hash)]);
    const approved = await answer(['approve', '--server', 'files', '--launch', hash], 'y');
    // Its tools are those that are trusted of the other one, so that little but the folder is to be looked at.
    expect(approved.text).not.toContain(':list_directory\n');
    expect(approved.text.replaceAll(/\n\s*/g, '')).toContain(folders.cursor);
    expect([approved.code, await call('cursor'), await call('claude')]).toEqual([0, 'done', 'done']);
  });
});
