import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readRemoteState } from '../../src/remote/remote-state.ts';
import { useSandbox } from '../support/attempt.ts';
import { freePort } from '../support/http-server.ts';
import { type RemoteKind, type RemoteStandIn, startRemote } from '../support/remote-stand-in.ts';
import type { Ended } from '../support/running.ts';
import { startStandIn, type StandInServe } from '../support/stand-in-serve.ts';

const CURSOR = 'home/.cursor/mcp.json';
const KINDS: readonly RemoteKind[] = ['mcp', 'modern', 'login', 'http-sse', 'hangs', 'broken', 'elsewhere', 'page'];

const sandbox = useSandbox();
const remotes = new Map<RemoteKind, RemoteStandIn>();
let stateDir: string;
let serve: StandInServe;

beforeAll(async () => {
  for (const kind of KINDS) remotes.set(kind, await startRemote(kind));
});
afterAll(() => Promise.all([...remotes.values()].map((remote) => remote.close())));
beforeEach(async () => {
  stateDir = join(sandbox.current.state, 'clawai');
  serve = await startStandIn(stateDir);
});
afterEach(() => serve.close());

/** Cursor's config with these entries, and its text. */
function configure(entries: Readonly<Record<string, object>>): string {
  mkdirSync(sandbox.current.path('home/.cursor'), { recursive: true });
  const text = JSON.stringify({ mcpServers: entries }, undefined, 2);
  sandbox.current.write(CURSOR, text);
  return text;
}

function read(): string {
  return sandbox.current.read(CURSOR).toString();
}

function clawai(...args: readonly string[]): Promise<Ended> {
  return sandbox.current.clawai(...args).close();
}

function at(kind: RemoteKind, path = '/mcp'): string {
  return `${remotes.get(kind)?.url}${path}`;
}

/** What reached a server on this path. */
function arrivedAt(kind: RemoteKind, path: string) {
  return remotes.get(kind)?.arrived.filter((one) => one.path === path) ?? [];
}

interface Row {
  readonly server: string;
  readonly action?: string;
  readonly reason?: string;
  readonly detail?: string;
  readonly notes?: readonly string[];
  readonly obstacle?: string | null;
}

async function rows(...args: readonly string[]): Promise<readonly Row[]> {
  const { stdout } = await clawai(...args, '--json');
  return (JSON.parse(stdout) as { files: { servers: Row[] }[] }).files.flatMap(({ servers }) => servers);
}

describe('wrap asks remote servers first, by the real binary', () => {
  it('hazard: what works now and would not behind clawai is left alone, and wrap, status and doctor say why', async () => {
    const closed = `http://127.0.0.1:${await freePort()}/mcp`;
    const entries = Object.fromEntries(KINDS.map((kind) => [kind, { url: at(kind) }]));
    const text = configure({ ...entries, closed: { url: closed } });

    const planned = await rows('wrap', '--all', '--dry-run');
    expect([read(), readRemoteState(stateDir).left]).toEqual([text, undefined]);

    const done = await rows('wrap', '--all');
    expect(done).toEqual(planned.map((row) => ({ ...row, ...('after' in row ? { after: expect.anything() } : {}) })));
    expect(Object.fromEntries(done.map(({ server, reason, detail }) => [server, [reason, detail]]))).toEqual({
      mcp: [undefined, undefined],
      modern: [undefined, undefined],
      login: ['login', undefined],
      'http-sse': [undefined, undefined],
      hangs: ['unreachable', 'it did not answer in time'],
      broken: ['unreachable', 'it answers with HTTP status 503'],
      elsewhere: ['unreachable', 'it redirects to another origin (HTTP status 307)'],
      page: ['unreachable', 'it answers with something that is not an MCP message'],
      closed: ['unreachable', 'it cannot be reached (ECONNREFUSED)'],
    });
    expect(readRemoteState(stateDir).wrapped.map(({ name }) => name)).toEqual(['mcp', 'modern', 'http-sse']);

    const before = arrivedAt('login', '/mcp').length;
    const known = await rows('status');
    expect(Object.fromEntries(known.map(({ server, obstacle }) => [server, obstacle]))).toEqual(
      Object.fromEntries(done.map(({ server, reason = null }) => [server, reason])),
    );
    const { stdout } = await clawai('status');
    expect(stdout).toMatch(/remote +login +its server wants a login/);
    const { checks } = JSON.parse((await clawai('doctor', '--json')).stdout) as { checks: { text: string }[] };
    const said = checks.map((check) => check.text);
    expect(said).toContainEqual(expect.stringMatching(/^login in .* is reached without clawai: its server wants a login/));
    expect(arrivedAt('login', '/mcp')).toHaveLength(before);
  });

  it('what is down is unprotected for --check, and is wrapped where it is named; what wants a login is not', async () => {
    configure({ closed: { url: `http://127.0.0.1:${await freePort()}/mcp` }, login: { url: at('login') } });
    expect((await clawai('wrap', '--all')).stdout).toMatch(/skipped +closed +.*`clawai wrap` with its name/);
    const open = await clawai('status', '--check');
    expect([open.code, open.stdout]).toEqual([1, expect.stringContaining('1 not protected: `clawai wrap closed`')]);
    const { checks } = JSON.parse((await clawai('doctor', '--json')).stdout) as { checks: { todo?: string }[] };
    expect(checks.flatMap(({ todo = '' }) => (todo.includes('wrap') ? [todo] : []))).toEqual(['clawai wrap closed']);
    const named = await clawai('wrap', 'closed', 'login');
    expect([named.code, named.stdout]).toEqual([0, expect.stringContaining('that it works behind it: it cannot be reached')]);
    expect(readRemoteState(stateDir).wrapped.map(({ name }) => name)).toEqual(['closed']);
    expect((await clawai('status', '--check')).code).toBe(0);
  });

  it('sends what the entry sends, to its own URL alone, and nothing that only the client knows', async () => {
    const headers = { Authorization: 'Bearer hunter2', 'X-Team': 'a' };
    configure({
      one: { url: at('mcp', '/one?k=v'), headers },
      same: { url: at('mcp', '/one?k=v'), headers },
      moved: { url: at('elsewhere', '/moved'), headers },
      env: { url: at('login', '/env'), headers: { Authorization: 'Bearer ${env:TOKEN}', 'X-Team': 'a' } },
      odd: { url: at('login', '/odd'), headers: { 'X-Team': 1 } },
      helped: { url: at('login', '/helped'), headersHelper: './headers.sh' },
      split: { url: at('mcp', '/split'), headers: { 'X-Team': 'a\nb' } },
    });
    const { stdout, stderr } = await clawai('wrap', '--all', '--json');
    expect(stdout + stderr).not.toContain('hunter2');
    const [asked, listed, left, ...more] = arrivedAt('mcp', '/one?k=v');
    expect(asked).toMatchObject({
      verb: 'POST',
      method: 'initialize',
      headers: { authorization: 'Bearer hunter2', 'x-team': 'a', accept: 'application/json, text/event-stream' },
    });
    expect([listed?.method, listed?.headers['authorization']]).toEqual(['tools/list', 'Bearer hunter2']);
    expect([left?.verb, left?.headers['mcp-session-id'], more]).toEqual(['DELETE', 'session-1', []]);
    expect(arrivedAt('elsewhere', '/moved')).toHaveLength(1);
    for (const path of ['/env', '/odd', '/helped']) expect(arrivedAt('login', path)).toEqual([]);
    expect(arrivedAt('mcp', '/split')).toEqual([]);
    const notes = (JSON.parse(stdout) as { files: { servers: Row[] }[] }).files
      .flatMap(({ servers }) => servers)
      .map(({ server, action, notes: said }) => [server, action, said?.join(' ') ?? '']);
    const unasked = expect.stringContaining('was not asked, since its client fills in headers');
    expect(notes).toEqual([
      ['one', 'wrap', ''],
      ['same', 'wrap', ''],
      ['moved', 'skip', ''],
      ['env', 'wrap', unasked],
      ['odd', 'wrap', unasked],
      ['helped', 'wrap', unasked],
      ['split', 'wrap', expect.stringContaining('headers that HTTP cannot send')],
    ]);
  });

  it('asks nobody while clawai serve is not running, and what was remembered of an entry does not hold for another', async () => {
    configure({ docs: { url: at('login', '/docs') } });
    await clawai('wrap', '--all');
    expect(readRemoteState(stateDir).left).toMatchObject([{ pointer: '/mcpServers/docs', reason: 'login' }]);
    configure({ docs: { url: at('login', '/docs'), headers: { Authorization: 'Bearer t' } } });
    expect((await rows('status')).map(({ obstacle }) => obstacle)).toEqual([null]);
    configure({ docs: { url: at('mcp', '/docs') } });
    await clawai('wrap', '--all');
    expect(readRemoteState(stateDir)).toMatchObject({ wrapped: [{ name: 'docs' }] });
    expect(readRemoteState(stateDir).left).toBeUndefined();

    await serve.close();
    configure({ docs: { url: at('mcp', '/stopped') } });
    expect((await rows('wrap', '--all')).map(({ reason }) => reason)).toEqual(['serve-stopped']);
    expect(arrivedAt('mcp', '/stopped')).toEqual([]);
  });
});
