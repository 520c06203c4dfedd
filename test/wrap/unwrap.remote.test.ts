import fc from 'fast-check';
import { rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Location } from '../../src/clients/client.ts';
import { CLIENTS } from '../../src/clients/clients.ts';
import { isJson } from '../../src/clients/text.ts';
import { readRemoteState, remoteStateFile } from '../../src/remote/remote-state.ts';
import { NO_ROUTES } from '../../src/wrap/routes.ts';
import { WrapMachine } from '../support/wrap-machine.ts';
import { leastHits, runs } from '../support/runs.ts';

const ORIGIN = 'http://127.0.0.1:8787';
const CURSOR = '.cursor/mcp.json';
const PLAIN = '{"mcpServers":{"docs":{"url":"https:\\/\\/docs.example/mcp?key=hunter2"}}}';

let machine: WrapMachine;
beforeEach(() => {
  machine = new WrapMachine();
  machine.write(CURSOR, PLAIN);
});
afterEach(() => machine.remove());

async function unwrap(): Promise<readonly { readonly server: string; readonly action: string }[]> {
  const outcomes = await machine.unwrap({ routes: machine.routes() });
  return outcomes.flatMap(({ report }) => report?.entries ?? []);
}

describe('unwrapping a remote server', () => {
  it('gives back the same bytes, and nothing is remembered of it', async () => {
    await machine.wrap({ routes: machine.routes(ORIGIN) });
    const entries = await unwrap();
    expect(entries).toMatchObject([{ action: 'restore', after: { url: 'https://docs.example/mcp?key=[redacted:query]' } }]);
    expect(machine.read(CURSOR)).toBe(PLAIN);
    expect(readRemoteState(machine.stateDir).wrapped).toEqual([]);
    expect(machine.remembered()).toEqual([]);
  });

  it('hazard: forgets where its URL led only when nothing leads there any more', async () => {
    await machine.wrap({ routes: machine.routes(ORIGIN) });
    const counts: number[] = [];
    const checkpoint = (step: string): void => {
      if (step === 'config:replace') counts.push(readRemoteState(machine.stateDir).wrapped.length);
    };
    await machine.unwrap({ routes: machine.routes(), checkpoint });
    expect([counts, readRemoteState(machine.stateDir).wrapped]).toEqual([[1], []]);
  });

  it('gives back just its value where somebody else wrote the file since', async () => {
    await machine.wrap({ routes: machine.routes(ORIGIN) });
    machine.write(CURSOR, machine.read(CURSOR).replace('{"mcp', '{ "new": 1, "mcp'));
    expect(await unwrap()).toMatchObject([{ action: 'restore' }]);
    expect(machine.read(CURSOR)).toBe(PLAIN.replace('{"mcp', '{ "new": 1, "mcp'));
  });

  it('leaves a URL that somebody gave it since, and forgets ours', async () => {
    await machine.wrap({ routes: machine.routes(ORIGIN) });
    const text = PLAIN.replace('docs.example', 'new.example');
    machine.write(CURSOR, text);
    expect(await unwrap()).toMatchObject([{ action: 'keep' }]);
    expect(machine.read(CURSOR)).toBe(text);
    expect(readRemoteState(machine.stateDir).wrapped).toEqual([]);
  });

  it('says what it would do without showing a token', async () => {
    await machine.wrap({ routes: machine.routes(ORIGIN) });
    const text = machine.read(CURSOR);
    const [outcome] = machine.planUnwrap({ routes: machine.routes() });
    expect(outcome?.diff()).toContain('[redacted:query]');
    expect(`${outcome?.diff()}${JSON.stringify(outcome?.report?.entries)}`).not.toContain('hunter2');
    expect(machine.read(CURSOR)).toBe(text);
    expect(readRemoteState(machine.stateDir).wrapped).toHaveLength(1);
  });

  it.each([
    ['is damaged', 'damaged'],
    ['is gone', undefined],
  ])('works by its record where what is remembered of remote servers %s', async (_, text) => {
    await machine.wrap({ routes: machine.routes(ORIGIN) });
    if (text === undefined) rmSync(remoteStateFile(machine.stateDir));
    else writeFileSync(remoteStateFile(machine.stateDir), text);
    await machine.unwrap({ routes: NO_ROUTES });
    expect(machine.read(CURSOR)).toBe(PLAIN);
  });

  it('works by what is remembered of remote servers where its record is gone', async () => {
    await machine.wrap({ routes: machine.routes(ORIGIN) });
    rmSync(machine.statePath, { recursive: true });
    expect(await unwrap()).toMatchObject([{ action: 'recover' }]);
    expect(JSON.parse(machine.read(CURSOR))).toEqual(JSON.parse(PLAIN));
    expect(readRemoteState(machine.stateDir).wrapped).toEqual([]);
  });

  it('of some leaves the others', async () => {
    machine.write(CURSOR, '{"mcpServers":{"a":{"url":"https://a.example/"},"b":{"url":"https://b.example/"}}}');
    await machine.wrap({ routes: machine.routes(ORIGIN) });
    await machine.unwrap({ routes: machine.routes(), selection: { servers: ['a'] } });
    const { a, b } = JSON.parse(machine.read(CURSOR)).mcpServers;
    expect([a.url, b.url]).toEqual(['https://a.example/', expect.stringContaining(ORIGIN)]);
    expect(readRemoteState(machine.stateDir).wrapped.map(({ name }) => name)).toEqual(['b']);
  });
});

/** A file of the user in JSON, as these configs are written. The other syntaxes have tests of their own. */
function isUsers(location: Location): boolean {
  const { scope, shape, syntax, isPluginCache } = location;
  return scope === 'user' && isPluginCache !== true && shape.urls.length > 0 && isJson(syntax) && linuxOf(location) !== undefined;
}

function linuxOf(location: Location | undefined): readonly string[] | undefined {
  const file = location?.file;
  return file === undefined || Array.isArray(file) ? file : (file as Partial<Record<string, readonly string[]>>)['linux'];
}

/** Where each client of the table has a file of its user on Linux, with what an entry of a remote server is there. */
const FILES = CLIENTS.flatMap((client) => {
  const location = client.locations.find(isUsers);
  const name = linuxOf(location)
    ?.map((template) =>
      template
        .replace('<config>', '.config')
        .replace('<data>', '.config')
        .replace(/^~\//, '')
        .replace(/\/\*(?=\.\w+$)/, '/any'),
    )
    .find((template) => !/[$*<]/.test(template));
  return location === undefined || name === undefined ? [] : [{ client: client.id, location, name }];
});

describe('unwrap after wrap is identity for remote servers', () => {
  it('of every client that has them', () => {
    expect(FILES.map(({ client }) => client)).toEqual(
      CLIENTS.filter(({ locations }) => locations.some(isUsers)).map(({ id }) => id),
    );
  });

  it.each(FILES)('$client: $name', async ({ location, name }) => {
    rmSync(machine.write(CURSOR, ''));
    const [table = []] = location.tables;
    const text = fc.string({ unit: 'grapheme', maxLength: 6 });
    const url = fc.oneof(
      fc.webUrl({ withQueryParameters: true }),
      fc.constantFrom(
        'https://a.example/mcp?key=a%2Fb',
        'http://127.0.0.1:9/',
        'https://${HOST}/',
        'https://me:pw@a.example/',
        '',
      ),
    );
    const entry = fc
      .tuple(
        fc.constantFrom(...location.shape.urls),
        url,
        fc.constantFrom(undefined, 'http', 'sse', 'remote', 'streamableHttp'),
        fc.dictionary(text, text, { maxKeys: 2 }),
        fc.constantFrom({}, { oauth: {} }, { x: [1.5, null] }),
      )
      .map(([key, address, type, headers, more]) => ({
        ...(type === undefined ? {} : { type }),
        [key]: address,
        headers,
        ...more,
      }));
    const config = fc.tuple(
      fc.dictionary(fc.oneof(text, fc.constantFrom('__proto__', '..')), entry, { minKeys: 1, maxKeys: 4 }),
      fc.constantFrom(undefined, 2, '\t'),
    );
    let wrapped = 0;
    await fc.assert(
      fc.asyncProperty(config, async ([servers, indent]) => {
        const value = table.reduceRight<unknown>((inner, key) => ({ before: 1, [key]: inner, after: [] }), servers);
        const before = JSON.stringify(value, undefined, indent);
        machine.write(name, before);
        await machine.wrap({ routes: machine.routes(ORIGIN) });
        const between = machine.read(name);
        wrapped += readRemoteState(machine.stateDir).wrapped.length;
        await machine.wrap({ routes: machine.routes(ORIGIN) });
        expect(machine.read(name)).toBe(between);
        await machine.unwrap({ routes: machine.routes() });
        expect(machine.read(name)).toBe(before);
        expect(readRemoteState(machine.stateDir).wrapped).toEqual([]);
      }),
      { numRuns: runs(20) },
    );
    expect(wrapped).toBeGreaterThan(leastHits(0));
  });
});
