import { mkdirSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { AtTerminal, HAS_TERMINAL } from '../support/at-terminal.ts';
import { useSandbox } from '../support/attempt.ts';
import { writeConfig } from '../support/client-configs.ts';
import { CLIENTS } from '../support/clients.ts';
import { serverPackage } from '../support/sandbox.ts';

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

  it('who says no is told how to approve it later, and that lets both work', async () => {
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
