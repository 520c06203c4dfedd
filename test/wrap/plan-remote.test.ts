import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENTS } from '../../src/clients/clients.ts';
import { readRemoteState, remoteStateFile } from '../../src/remote/remote-state.ts';
import type { PlannedEntry } from '../../src/wrap/plan-entry.ts';
import type { Routes } from '../../src/wrap/routes.ts';
import { WrapMachine } from '../support/wrap-machine.ts';

const ORIGIN = 'http://127.0.0.1:8787';
const CURSOR = '.cursor/mcp.json';
const LOCAL = /^http:\/\/127\.0\.0\.1:8787\/mcp\/docs\/[\w-]{22}$/;

let machine: WrapMachine;
beforeEach(() => {
  machine = new WrapMachine();
});
afterEach(() => machine.remove());

async function wrap(routes: Routes = machine.routes(ORIGIN)): Promise<Readonly<Record<string, PlannedEntry>>> {
  const outcomes = await machine.wrap({ routes });
  const errors = outcomes.flatMap(({ error }) => error ?? []);
  if (errors.length > 0) throw errors[0];
  return Object.fromEntries(outcomes.flatMap(({ report }) => report?.entries ?? []).map((entry) => [entry.server, entry]));
}

function urlOf(file = CURSOR, key = 'url', name = 'docs'): string {
  return JSON.parse(machine.read(file)).mcpServers[name][key];
}

const PLAIN = '{"mcpServers":{"docs":{"url":"https://docs.example/mcp"}}}';

describe('a remote entry', () => {
  it('gets a URL at clawai serve, and nothing else of the file changes', async () => {
    const text = (url: string): string =>
      `\uFEFF{\r\n\t"x": 1,\r\n\t"mcpServers": {"docs": {"type":"http", "headers":{"Authorization":"Bearer t"}, "url": "${url}", "y":[ ]}}\r\n}`;
    machine.write(CURSOR, text('https://docs.example/mcp?key=k'));
    const { docs } = await wrap();
    const [known] = readRemoteState(machine.stateDir).wrapped;
    const url = `${ORIGIN}/mcp/docs/${known?.secret}`;
    expect(machine.read(CURSOR)).toBe(text(url));
    expect(known).toEqual({
      name: 'docs',
      url: 'https://docs.example/mcp?key=k',
      secret: expect.stringMatching(/^[\w-]{22}$/),
      group: 'client:cursor',
      file: join(machine.home, CURSOR),
      pointer: '/mcpServers/docs',
    });
    expect(docs).toMatchObject({
      action: 'wrap',
      before: { url: 'https://docs.example/mcp?key=[redacted:query]' },
      after: { url },
    });
    expect(JSON.stringify(docs)).not.toContain('key=k');
  });

  it('stays as it is when it is wrapped again', async () => {
    machine.write(CURSOR, PLAIN);
    await wrap();
    const [text, state] = [machine.read(CURSOR), readFileSync(remoteStateFile(machine.stateDir), 'utf8')];
    expect((await wrap())['docs']).toMatchObject({ action: 'wrapped' });
    expect((await wrap(machine.routes()))['docs']).toMatchObject({ action: 'wrapped' });
    expect([machine.read(CURSOR), readFileSync(remoteStateFile(machine.stateDir), 'utf8')]).toEqual([text, state]);
  });

  it('follows clawai serve to another port, with the same secret', async () => {
    machine.write(CURSOR, PLAIN);
    await wrap();
    const before = urlOf();
    expect((await wrap(machine.routes('https://[::1]:9')))['docs']).toMatchObject({ action: 'update', before: { url: before } });
    expect(urlOf()).toBe(before.replace(ORIGIN, 'https://[::1]:9'));
    await machine.unwrap({ routes: machine.routes() });
    expect(machine.read(CURSOR)).toBe(PLAIN);
  });

  it('that somebody copied from another place gets a URL of its own', async () => {
    machine.write(CURSOR, PLAIN);
    await wrap();
    machine.write('.gemini/settings.json', machine.read(CURSOR).replace('"url"', '"httpUrl"'));
    expect((await wrap())['docs']).toBeDefined();
    const copy = urlOf('.gemini/settings.json', 'httpUrl');
    expect(copy).toMatch(LOCAL);
    expect(copy).not.toBe(urlOf());
    expect(readRemoteState(machine.stateDir).wrapped.map(({ group, url }) => [group, url])).toEqual([
      ['client:cursor', 'https://docs.example/mcp'],
      ['client:gemini-cli', 'https://docs.example/mcp'],
    ]);
    await machine.unwrap({ routes: machine.routes() });
    expect(urlOf('.gemini/settings.json', 'httpUrl')).toBe('https://docs.example/mcp');
  });

  it('that was given another server gets another secret', async () => {
    machine.write(CURSOR, PLAIN);
    await wrap();
    const before = urlOf();
    machine.write(CURSOR, PLAIN.replace('docs.example', 'other.example'));
    await wrap();
    expect(urlOf()).toMatch(LOCAL);
    expect(urlOf()).not.toBe(before);
    expect(readRemoteState(machine.stateDir).wrapped).toMatchObject([{ url: 'https://other.example/mcp' }]);
  });

  it('is only planned where nothing shall be written: no secret is made, and no token is shown', () => {
    machine.write(CURSOR, '{"mcpServers":{\n"docs":{"url":"https://docs.example/mcp?key=hunter2"}}}');
    const [outcome] = machine.plan({ routes: machine.routes(ORIGIN, { isDry: true }) });
    expect(outcome?.report?.entries).toMatchObject([{ action: 'wrap', after: { url: `${ORIGIN}/mcp/docs/…` } }]);
    expect(outcome?.diff()).toContain('-"docs":{"url":"https://docs.example/mcp?key=[redacted:query]"}}}');
    expect(outcome?.diff()).not.toContain('hunter2');
    expect(machine.remembered()).toEqual([]);
    expect(readRemoteState(machine.stateDir).wrapped).toEqual([]);
  });

  it('hazard: is remembered before its client is led anywhere else', async () => {
    machine.write(CURSOR, PLAIN);
    const known: string[] = [];
    const checkpoint = (step: string): void => {
      if (step !== 'config:replace') return;
      known.push(machine.read(CURSOR), ...readRemoteState(machine.stateDir).wrapped.map(({ url }) => url));
    };
    await machine.wrap({ routes: machine.routes(ORIGIN), checkpoint });
    expect(known).toEqual([PLAIN, 'https://docs.example/mcp']);
  });

  it('keeps its secret where the first attempt failed', async () => {
    machine.write(CURSOR, PLAIN);
    const checkpoint = (step: string): void => {
      if (step === 'config:replace') throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    };
    const [outcome] = await machine.wrap({ routes: machine.routes(ORIGIN), checkpoint });
    expect([outcome?.error?.code, machine.read(CURSOR)]).toEqual(['client_config_unwritable', PLAIN]);
    const [known] = readRemoteState(machine.stateDir).wrapped;
    await wrap();
    expect(urlOf()).toBe(`${ORIGIN}/mcp/docs/${known?.secret}`);
  });

  it('that another process wrapped meanwhile is recognised', async () => {
    machine.write(CURSOR, PLAIN);
    const early = machine.routes(ORIGIN);
    await wrap();
    expect((await wrap(early))['docs']).toMatchObject({ action: 'wrapped' });
  });

  it('is left alone where what is remembered cannot be written', async () => {
    machine.write(CURSOR, PLAIN);
    const routes = machine.routes(ORIGIN);
    mkdirSync(machine.stateDir, { recursive: true });
    writeFileSync(remoteStateFile(machine.stateDir), 'damaged');
    const [outcome] = await machine.wrap({ routes });
    expect(outcome?.error?.code).toBe('remote_state_damaged');
    expect(machine.remembered()).toEqual([]);
    expect(machine.read(CURSOR)).toBe(PLAIN);
  });
});

describe('what is skipped, with its reason', () => {
  const entry = (fields: string): string => `{"mcpServers":{"docs":{${fields}}}}`;
  it.each([
    ['"type":"ws","url":"wss://docs.example/"', 'transport'],
    ['"url":"https://docs.example/${KEY}"', 'templated-url'],
    ['"url":"https://docs.example/{env:KEY}"', 'templated-url'],
    ['"url":"https://docs.example/?k=${input:key}"', 'templated-url'],
    ['"url":"https://docs.example/$KEY"', 'templated-url'],
    ['"url":"https://%HOST%.example/"', 'templated-url'],
    ['"url":"https://me:pw@docs.example/"', 'url'],
    ['"url":"unix:///run/mcp.sock"', 'url'],
    ['"url":"https://docs.example/#a"', 'url'],
    ['"url":"https://docs.example/","oauth":{"clientId":"x"}', 'oauth'],
    ['"url":"https://docs.example/","auth":{"CLIENT_ID":"x"}', 'oauth'],
    ['"url":"https://docs.example/","authProviderType":"google_credentials"', 'oauth'],
    ['"url":"http://127.0.0.1:8787/mcp/docs/abcdefghijklmnopqrstuv"', 'own-listener'],
    ['"url":"http://localhost:8787/"', 'own-listener'],
  ])('%s: %s', async (fields, reason) => {
    const text = entry(fields);
    machine.write(CURSOR, text);
    expect((await wrap())['docs']).toMatchObject({ action: 'skip', reason });
    expect(machine.read(CURSOR)).toBe(text);
    expect(readRemoteState(machine.stateDir).wrapped).toEqual([]);
  });

  it.each(['"url":"https://docs.example/","oauth":false', '"type":"http","url":"http://127.0.0.1:9/mcp"'])(
    'not %s',
    async (fields) => {
      machine.write(CURSOR, entry(fields));
      expect((await wrap())['docs']).toMatchObject({ action: 'wrap' });
    },
  );

  it.each(['..', '.', '', '\\u0000'])('a server called "%s"', async (name) => {
    machine.write(CURSOR, `{"mcpServers":{"${name}":{"url":"https://docs.example/"}}}`);
    expect(Object.values(await wrap())).toMatchObject([{ action: 'skip', reason: 'name' }]);
  });

  it.each([
    ['.gemini/settings.json', '"url":"https://d.example/"', 'wrap'],
    ['.gemini/settings.json', '"url":"https://d.example/","type":"http"', 'wrap'],
    ['.gemini/settings.json', '"httpUrl":"https://d.example/"', 'wrap'],
    ['.cline/data/settings/cline_mcp_settings.json', '"url":"https://d.example/"', 'wrap'],
    ['.cursor/mcp.json', '"type":"sse","url":"https://d.example/sse"', 'wrap'],
    ['.cursor/mcp.json', '"type":"ws","url":"https://d.example/ws"', 'skip'],
    ['.cline/data/settings/cline_mcp_settings.json', '"url":"https://d.example/","type":"streamableHttp"', 'wrap'],
    ['.codeium/windsurf/mcp_config.json', '"serverUrl":"https://d.example/"', 'wrap'],
  ])('in %s {%s} to %s, as its client would call it', async (file, fields, action) => {
    machine.write(file, entry(fields));
    expect((await wrap())['docs']?.action).toBe(action);
  });

  it('all of them while clawai serve is not running', async () => {
    machine.write(CURSOR, PLAIN);
    expect((await wrap(machine.routes()))['docs']).toMatchObject({ action: 'skip', reason: 'serve-stopped' });
    expect((await wrap(machine.routes(undefined, { serving: { obstacle: 'it is ill' } })))['docs']).toMatchObject({
      detail: 'it is ill',
    });
    expect(machine.read(CURSOR)).toBe(PLAIN);
  });

  it('the URL of a declared server that somebody put there is as it shall be', async () => {
    const secret = 'abcdefghijklmnopqrstuv';
    machine.write(CURSOR, entry(`"url":"${ORIGIN}/mcp/docs/${secret}"`));
    expect((await wrap(machine.routes(ORIGIN, { declared: [secret] })))['docs']).toMatchObject({ action: 'wrapped' });
  });

  it.each([
    [{ deniedMcpServers: [{ serverUrl: 'https://docs.example/*' }] }, /denies its URL/],
    [{ allowedMcpServers: [{ serverUrl: 'https://*.example/*' }] }, /allows certain URLs only/],
    [{ allowedMcpServers: [{ serverUrl: 'http://127.0.0.1:*/mcp/*' }] }, undefined],
    [{ allowedMcpServers: [{ serverName: 'docs' }] }, undefined],
    [{ deniedMcpServers: [{ serverUrl: 'https://docs.example' }] }, undefined],
  ])('an administrator says %j', async (policy, detail) => {
    const file = machine.write('managed.json', JSON.stringify(policy));
    machine.write('.claude.json', entry('"type":"http","url":"https://docs.example/mcp"'));
    const client = CLIENTS.find(({ id }) => id === 'claude-code');
    const [policyFile] = client?.policyFiles ?? [];
    if (client === undefined || policyFile === undefined) throw new Error('it should be there');
    const [outcome] = await machine.wrap({ routes: machine.routes(ORIGIN), policies: [{ client, policyFile, file }] });
    const expected =
      detail === undefined ? { action: 'wrap' } : { action: 'skip', reason: 'allow-list', detail: expect.stringMatching(detail) };
    expect(outcome?.report?.entries).toMatchObject([expected]);
  });
});
