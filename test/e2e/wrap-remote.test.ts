import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadRemoteServers, readRemoteState, remoteStateFile } from '../../src/remote/remote-state.ts';
import { writeServeRecord } from '../../src/remote/serve-record.ts';
import { useSandbox } from '../support/attempt.ts';
import { HAS_TERMINAL } from '../support/at-terminal.ts';
import { runAtTerminal } from '../support/run-at-terminal.ts';
import { register } from '../support/registered.ts';
import { type RemoteStandIn, startRemote } from '../support/remote-stand-in.ts';
import type { Ended } from '../support/running.ts';
import { startStandIn, type StandInServe } from '../support/stand-in-serve.ts';

const sandbox = useSandbox();
let stateDir: string;
let serve: StandInServe | undefined;
/** Answers as a server of MCP does, so that `wrap` finds nothing to say against it. */
let mcp: RemoteStandIn;
let TEXTS: Readonly<Record<string, string>>;

const CLAUDE = 'home/.claude.json';
const CURSOR = 'home/.cursor/mcp.json';
const textsWith = (url: string): typeof TEXTS => ({
  [CLAUDE]: `{"mcpServers":{"docs":{"type":"http","url":"${url}/docs?key=hunter2","headers":{"X":"y"}},"old":{"type":"ws","url":"https://old.example/ws"}}}`,
  [CURSOR]: `{\n\t"mcpServers": {\n\t\t"wiki": { "url": "${url}/wiki" }, // mine\n\t\t"here": { "command": "true" }\n\t}\n}\n`,
});

beforeAll(async () => {
  mcp = await startRemote('mcp');
  TEXTS = textsWith(mcp.url);
});
afterAll(() => mcp.close());

beforeEach(() => {
  stateDir = join(sandbox.current.state, 'clawai');
  for (const [name, text] of Object.entries(TEXTS)) put(name, text);
});
afterEach(async () => {
  await serve?.close();
  serve = undefined;
});

function put(name: string, text: string): void {
  mkdirSync(dirname(sandbox.current.path(name)), { recursive: true });
  sandbox.current.write(name, text);
}

function read(name: string): string {
  return sandbox.current.read(name).toString();
}

/** Taking clawai out again is for a person. */
function clawai(...args: readonly string[]): Promise<Ended> {
  return args[0] === 'unwrap' ? runAtTerminal(sandbox.current, args) : sandbox.current.clawai(...args).close();
}

async function status(): Promise<{ serve: unknown; remote_servers: object[]; files: { servers: object[] }[] }> {
  return JSON.parse((await clawai('status', '--json')).stdout);
}

async function failuresOf(): Promise<{ code: number | null; failed: string[]; warned: string[] }> {
  const { code, stdout } = await clawai('doctor', '--json');
  const { checks } = JSON.parse(stdout) as { checks: { about: string; level: string; text: string; hint?: string }[] };
  const of = (level: string): string[] => checks.filter((check) => check.level === level).map(({ text }) => text);
  return { code, failed: of('fail'), warned: of('warn') };
}

describe.skipIf(!HAS_TERMINAL)('remote servers, by the real binary', () => {
  it('are left alone while clawai serve is not running, and it is said what to do', async () => {
    const { code, stdout } = await clawai('wrap', '--all');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/skipped +docs +it is reached by a URL, and `clawai serve` is not running/),
    ]);
    expect(read(CLAUDE)).toBe(TEXTS[CLAUDE]);
    expect((await clawai('status')).stdout).toContain('serve: not running');
    expect((await clawai('status', '--check')).code).toBe(0);
    expect(await failuresOf()).toMatchObject({ failed: [] });
  });

  it('are wrapped while it runs, shown, and unwrapped to the byte', async () => {
    serve = await startStandIn(stateDir);
    const open = await clawai('status', '--check');
    expect([open.code, open.stdout]).toEqual([1, expect.stringMatching(/not wrapped +docs\n +remote +old +clawai speaks/)]);
    const dry = await clawai('wrap', '--all', '--dry-run');
    expect(dry.stdout).toContain(`${serve.url}/mcp/docs/…`);
    expect(dry.stdout).not.toContain('hunter2');
    expect(dry.stdout).toMatch(
      /skip +old +clawai speaks streamable HTTP and HTTP\+SSE with remote servers only; its transport is ws/,
    );

    const { code, stdout } = await clawai('wrap', '--all', '--json');
    expect(code).toBe(0);
    expect(stdout).not.toContain('hunter2');
    const [docs, wiki] = readRemoteState(stateDir).wrapped;
    expect([docs?.url, wiki?.url]).toEqual([`${mcp.url}/docs?key=hunter2`, `${mcp.url}/wiki`]);
    expect(read(CLAUDE)).toBe(TEXTS[CLAUDE]?.replace(`${mcp.url}/docs?key=hunter2`, `${serve.url}/mcp/docs/${docs?.secret}`));
    expect(read(CURSOR)).toContain(`"wiki": { "url": "${serve.url}/mcp/wiki/${wiki?.secret}" }, // mine`);
    expect((await clawai('wrap', '--all')).stdout).toContain('There was nothing to change');

    const json = await status();
    expect(json.serve).toEqual({ running: true, url: serve.url, pid: process.pid });
    expect(json.remote_servers).toEqual([
      {
        server: 'docs',
        group: 'client:claude-code',
        local_url: `${serve.url}/mcp/docs/${docs?.secret}`,
        url: `${mcp.url}/docs?key=[redacted:query]`,
      },
      {
        server: 'wiki',
        group: 'client:cursor',
        local_url: `${serve.url}/mcp/wiki/${wiki?.secret}`,
        url: `${mcp.url}/wiki`,
      },
    ]);
    expect(json.files.flatMap(({ servers }) => servers)).toContainEqual(
      expect.objectContaining({ server: 'wiki', state: 'wrapped', current: true, upstream: `${mcp.url}/wiki` }),
    );
    const shown = await clawai('status', '--check');
    expect([shown.code, shown.stdout]).toEqual([
      0,
      expect.stringContaining(`serve: running at ${serve.url} (process ${process.pid})`),
    ]);
    expect(await failuresOf()).toMatchObject({ code: 0, failed: [] });

    const undone = await clawai('unwrap', '--all');
    expect([undone.code, undone.stdout.includes('hunter2')]).toEqual([0, false]);
    for (const [name, text] of Object.entries(TEXTS)) expect(read(name)).toBe(text);
    expect(readRemoteState(stateDir).wrapped).toEqual([]);
  });

  it('that only clawai serve has listed were seen by no client, which status names', async () => {
    serve = await startStandIn(stateDir);
    await clawai('wrap', '--all');
    const use = (server: string, client: string) =>
      register(sandbox.current.storeFile, (registry) => registry.noteUse(server, { client, folder: '' }, Date.now()));
    for (const server of ['docs', 'wiki']) use(server, 'clawai');
    use('wiki', 'somebody');
    const { stdout } = await clawai('status');
    expect(stdout).toMatch(/wrapped +docs +listed by clawai serve; no client yet\n/);
    expect(stdout).toMatch(/wrapped +wiki +seen just now by "somebody"\n/);
    expect(stdout).toContain('wrapped and never seen: docs (Claude Code), here (Cursor). Restart');
    use('docs', 'claude-code');
    expect((await clawai('status')).stdout).toMatch(/wrapped +docs +seen just now\n/);
  });

  it('of Codex and Goose have their URLs replaced in TOML and YAML, and get them back', async () => {
    const codex = `[mcp_servers.far]\nurl = '${mcp.url}/far' # mine\nhttp_headers = { A = "1" }\n`;
    const goose = `extensions:\n  near:\n    uri: ${mcp.url}/near  # mine\n    type: streamable_http\n`;
    put('home/.codex/config.toml', codex);
    put('config/goose/config.yaml', goose);
    expect((await clawai('status')).stdout).toMatch(/remote +far\b/);
    serve = await startStandIn(stateDir);
    const quiet = await clawai('status', '--check', '--quiet');
    expect([quiet.code, quiet.stdout]).toEqual([1, expect.stringMatching(/not wrapped +far\b/)]);
    await clawai('wrap', 'far', 'near');
    expect(read('home/.codex/config.toml')).toMatch(/^url = "http:\/\/127\.0\.0\.1:\d+\/mcp\/far\/[\w-]+" # mine$/m);
    expect(read('config/goose/config.yaml')).toMatch(/^ {4}uri: "http:\/\/127\.0\.0\.1:\d+\/mcp\/near\/[\w-]+" {2}# mine$/m);
    await clawai('unwrap', 'far', 'near');
    expect([read('home/.codex/config.toml'), read('config/goose/config.yaml')]).toEqual([codex, goose]);
  });

  it('hazard: wrapped, and nothing runs in front of them: doctor says so, and what to do', async () => {
    serve = await startStandIn(stateDir);
    await clawai('wrap', '--all');
    await serve.close();
    serve = undefined;
    const { code, failed } = await failuresOf();
    expect([code, failed]).toEqual([1, ['`clawai serve` is not running, so nobody reaches docs, wiki']]);
  });

  it('follow it to another port', async () => {
    serve = await startStandIn(stateDir);
    await clawai('wrap', '--all');
    const before = read(CLAUDE);
    const old = serve.url;
    const second = await startStandIn(stateDir);
    await serve.close();
    serve = second;
    expect((await failuresOf()).failed).toEqual([
      `the URLs of docs, wiki lead to another address than ${serve.url}, at which \`clawai serve\` runs`,
    ]);
    expect((await clawai('status')).stdout).toMatch(/wrapped +docs .*it leads to another address than `clawai serve`/);
    expect((await clawai('wrap', '--all')).stdout).toMatch(/updated +docs +its URL was/);
    expect(read(CLAUDE)).toBe(before.replace(old, serve.url));
    expect(await failuresOf()).toMatchObject({ code: 0 });
  });

  it('that another program took the port from are no servers', async () => {
    serve = await startStandIn(stateDir, (_request, response) => response.end('hello'));
    expect((await clawai('wrap', '--all')).stdout).toMatch(/skipped +docs .*another program answers at its address/);
    expect((await clawai('status')).stdout).toContain('serve: not well: another program answers at its address');
    expect((await failuresOf()).warned).toContain('`clawai serve` is not well: another program answers at its address');
  });

  it('are not written over where what is remembered of them is damaged, and unwrapping works all the same', async () => {
    serve = await startStandIn(stateDir);
    await clawai('wrap', '--all');
    writeFileSync(remoteStateFile(stateDir), '{');
    const { code, stderr } = await clawai('wrap', '--all');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/remote-servers\.json is damaged[\s\S]*clawai unwrap --all/)]);
    expect((await failuresOf()).failed).toEqual([expect.stringContaining('is damaged')]);
    expect((await clawai('unwrap', '--all')).code).toBe(0);
    for (const [name, text] of Object.entries(TEXTS)) expect(read(name)).toBe(text);
  });

  it('that are declared are in status with their URLs, and doctor warns of one that is not encrypted', async () => {
    put(
      'config/clawai/config.toml',
      '[[servers]]\nid = "intranet"\nurl = "http://mcp.intranet.example/mcp?token=hunter2"\n\n[[servers]]\nid = "local"\nurl = "http://127.0.0.1:9/"\n',
    );
    expect((await status()).remote_servers).toMatchObject([
      { server: 'intranet', group: 'declared', local_url: null, url: 'http://mcp.intranet.example/mcp?token=[redacted:query]' },
      { server: 'local', local_url: null },
    ]);
    const servers = [{ id: 'intranet', url: 'http://x.example', secret: undefined, headers: {}, tlsFingerprint: undefined }];
    const [{ secret } = { secret: '' }] = loadRemoteServers({ stateDir, servers });
    expect((await status()).remote_servers).toContainEqual(
      expect.objectContaining({ server: 'intranet', local_url: `http://127.0.0.1:8787/mcp/intranet/${secret}` }),
    );
    const warned = (await failuresOf()).warned.filter((text) => text.includes('encryption'));
    expect(warned).toEqual(['intranet is reached without encryption: http://mcp.intranet.example/mcp?token=[redacted:query]']);
  });

  it('a record of a process that is gone says nothing', async () => {
    writeServeRecord(stateDir, {
      pid: 2 ** 30,
      started: '2026-01-01T00:00:00.000Z',
      id: 'a',
      url: 'http://127.0.0.1:1',
      version: '1',
    });
    expect((await status()).serve).toEqual({ running: false, url: null, pid: null });
  });
});
