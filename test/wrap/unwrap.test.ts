import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UnwrappedEntry } from '../../src/wrap/unwrap.ts';
import { LAUNCHER, WrapMachine } from '../support/wrap-machine.ts';
import { leastHits, runs } from '../support/runs.ts';

const CURSOR = '.cursor/mcp.json';
const TEXT = '{"mcpServers": {"a": {"command": "a", "args": [ "1" ]}, "b": {"command": "b", "env": {}}}}';

let machine: WrapMachine;
beforeEach(() => {
  machine = new WrapMachine();
});
afterEach(() => machine.remove());

async function unwrapAll(more?: Parameters<WrapMachine['unwrap']>[0]): Promise<Readonly<Record<string, UnwrappedEntry>>> {
  const outcomes = await machine.unwrap(more);
  return Object.fromEntries(outcomes.flatMap(({ report }) => report?.entries ?? []).map((entry) => [entry.server, entry]));
}

async function wrapText(text = TEXT): Promise<void> {
  machine.write(CURSOR, text);
  await machine.wrap();
}

describe('nobody edited the file', () => {
  it('gives back every byte and forgets the file', async () => {
    await wrapText();
    const [outcome] = await machine.unwrap();
    expect(outcome?.report).toMatchObject({ isPristine: true, entries: [{ action: 'restore' }, { action: 'restore' }] });
    expect(machine.read(CURSOR)).toBe(TEXT);
    expect(machine.remembered()).toEqual([]);
  });

  it('one server after the other', async () => {
    await wrapText();
    await unwrapAll({ selection: { servers: ['a'] } });
    expect(machine.read(CURSOR)).toContain('"a": {"command": "a", "args": [ "1" ]}');
    expect(machine.status()[0]?.servers.map(({ state }) => state)).toEqual(['unwrapped', 'wrapped']);
    const [outcome] = await machine.unwrap();
    expect(outcome?.report?.isPristine).toBe(true);
    expect(machine.read(CURSOR)).toBe(TEXT);
  });

  it('also in a project that is not the one at hand', async () => {
    const file = join(machine.project, '.mcp.json');
    writeFileSync(file, TEXT);
    await machine.wrap();
    expect(readFileSync(file, 'utf8')).not.toBe(TEXT);
    await machine.unwrap({ located: [] });
    expect(readFileSync(file, 'utf8')).toBe(TEXT);
  });

  it('twice changes nothing', async () => {
    await wrapText();
    await unwrapAll();
    expect(await unwrapAll()).toEqual({});
    expect(machine.read(CURSOR)).toBe(TEXT);
  });

  it('the plan writes nothing, and shows the change', async () => {
    await wrapText();
    const text = machine.read(CURSOR);
    expect(machine.planUnwrap()[0]?.diff()).toContain(`+${TEXT}`);
    expect(machine.read(CURSOR)).toBe(text);
  });
});

describe('somebody edited the file', () => {
  it('elsewhere: that stays, and each of our values is undone to the byte', async () => {
    await wrapText();
    machine.write(CURSOR, machine.read(CURSOR).replace('{"mcpServers"', '{"theme": 1, "mcpServers"'));
    const [outcome] = await machine.unwrap();
    expect(outcome?.report?.isPristine).toBe(false);
    expect(machine.read(CURSOR)).toBe(TEXT.replace('{"mcpServers"', '{"theme": 1, "mcpServers"'));
    expect(machine.remembered()).toEqual([]);
  });

  it('between two wraps: that stays as well', async () => {
    await wrapText();
    machine.write(CURSOR, machine.read(CURSOR).replace('{"mcpServers": {', '{"mcpServers": {"c": {"command": "c"}, '));
    await machine.wrap();
    await unwrapAll();
    expect(machine.read(CURSOR)).toBe(TEXT.replace('{"mcpServers": {', '{"mcpServers": {"c": {"command": "c"}, '));
  });

  it('between a wrap and one by a newer clawai: that stays too, also where no server is concerned', async () => {
    machine.write(CURSOR, TEXT);
    await machine.wrap({ launcher: ['/old/node', '/old/clawai.mjs'] });
    machine.write(CURSOR, machine.read(CURSOR).replace('{"mcpServers"', '{"theme": 1, "mcpServers"'));
    await machine.wrap();
    await unwrapAll();
    expect(machine.read(CURSOR)).toBe(TEXT.replace('{"mcpServers"', '{"theme": 1, "mcpServers"'));
  });

  it('into another style, as clients do: the values are undone', async () => {
    await wrapText();
    machine.write(CURSOR, JSON.stringify(JSON.parse(machine.read(CURSOR)), undefined, 2));
    expect((await unwrapAll())['b']?.action).toBe('restore');
    expect(JSON.parse(machine.read(CURSOR))).toEqual(JSON.parse(TEXT));
  });

  it('so that a client without comments reads it too: none come back, and the values do', async () => {
    const text = '{"mcpServers":{"a":{"command":"a","args":["1" /* why */,]}}}';
    machine.write('../project/.mcp.json', text);
    await machine.wrap();
    expect(machine.read('../project/.mcp.json')).toContain('proxy');
    const plain = (args: readonly string[]): string =>
      JSON.stringify({ mcpServers: { a: { command: args[0], args: args.slice(1) } } });
    machine.write('../project/.mcp.json', plain([...LAUNCHER, 'proxy', '--server', 'a', '--', 'a', '1']));
    expect((await unwrapAll())['a']?.action).toBe('recover');
    expect(machine.read('../project/.mcp.json')).toBe(plain(['a', '1']));
    expect(machine.remembered()).toEqual([]);
  });

  it('gave a server another command: that stays, and is said', async () => {
    await wrapText();
    const own = machine.read(CURSOR).replace(/"b": \{.*\}/, '"b": {"command": "mine"}}}');
    machine.write(CURSOR, own);
    expect(await unwrapAll()).toMatchObject({ a: { action: 'restore' }, b: { action: 'keep' } });
    expect(JSON.parse(machine.read(CURSOR))).toEqual({
      mcpServers: { a: { command: 'a', args: ['1'] }, b: { command: 'mine' } },
    });
    expect(machine.remembered()).toEqual([]);
  });

  it('gave a server other arguments behind ours: those stay, without clawai', async () => {
    await wrapText();
    machine.write(CURSOR, machine.read(CURSOR).replace('"a", "1"', '"a", "1", "2"'));
    expect((await unwrapAll())['a']).toMatchObject({ action: 'recover', after: { command: 'a', args: ['1', '2'] } });
    expect(JSON.parse(machine.read(CURSOR))).toMatchObject({ mcpServers: { a: { command: 'a', args: ['1', '2'] } } });
  });

  it.each([true, false])(
    'gave it other flags of clawai: what stood there comes back to the byte; wrapped again before: %s',
    async (isAgain) => {
      await wrapText();
      machine.write(CURSOR, machine.read(CURSOR).replace('"proxy", ', '"proxy", "--observe", '));
      expect(machine.read(CURSOR)).toContain('--observe');
      expect(machine.status()[0]?.servers.map(({ state }) => state)).toEqual(['wrapped', 'wrapped']);
      if (isAgain) await machine.wrap({ policy: '/p.toml' });
      expect(await unwrapAll()).toMatchObject({ a: { action: 'restore' }, b: { action: 'restore' } });
      expect(machine.read(CURSOR)).toBe(TEXT);
    },
  );

  it('removed a server: it stays away, and is said', async () => {
    await wrapText();
    machine.write(CURSOR, '{"mcpServers": {}}');
    expect(await unwrapAll()).toMatchObject({ a: { action: 'gone' }, b: { action: 'gone' } });
    expect(machine.read(CURSOR)).toBe('{"mcpServers": {}}');
    expect(machine.remembered()).toEqual([]);
  });

  it('put the old text back: there is nothing to do but to forget', async () => {
    await wrapText();
    machine.write(CURSOR, TEXT);
    expect(machine.status()[0]?.servers.map(({ state }) => state)).toEqual(['drifted', 'drifted']);
    expect(await unwrapAll()).toMatchObject({ a: { action: 'undone' }, b: { action: 'undone' } });
    expect(machine.remembered()).toEqual([]);
  });

  it('so that it cannot be read: nothing is done or forgotten', async () => {
    await wrapText();
    machine.write(CURSOR, '{');
    const kept = machine.remembered();
    const [outcome] = await machine.unwrap();
    expect(outcome?.report?.problems).toHaveLength(1);
    expect(machine.remembered()).toEqual(kept);
  });

  it('and removed it: nothing is forgotten, since it may come back', async () => {
    await wrapText();
    rmSync(join(machine.home, CURSOR));
    const [outcome] = await machine.unwrap();
    expect(outcome?.error?.message).toMatch(/does not exist/);
    expect(machine.remembered()).toHaveLength(2);
  });
});

describe('our state is lost', () => {
  it.each([
    ['all of it', (): void => rmSync(machine.statePath, { recursive: true })],
    [
      'its record is damaged',
      (): void => {
        for (const name of machine.remembered()) writeFileSync(join(machine.statePath, name), '{"format":1');
      },
    ],
    [
      'the pristine copy is changed',
      (): void => {
        for (const name of machine.remembered().filter((one) => one.endsWith('.original')))
          writeFileSync(join(machine.statePath, name), '{}');
      },
    ],
  ])('%s: a correct config comes back all the same', async (_name, lose) => {
    await wrapText();
    lose();
    await unwrapAll();
    expect(JSON.parse(machine.read(CURSOR))).toMatchObject({
      mcpServers: { a: { command: 'a', args: ['1'] }, b: { command: 'b', env: {} } },
    });
    expect(machine.read(CURSOR)).not.toContain('proxy');
  });

  it('entries are said to be recovered', async () => {
    await wrapText();
    rmSync(machine.statePath, { recursive: true });
    expect(machine.status()[0]?.servers.map(({ state }) => state)).toEqual(['unrecorded', 'unrecorded']);
    expect((await unwrapAll())['a']).toMatchObject({ action: 'recover', after: { command: 'a', args: ['1'] } });
  });

  it('a damaged record is kept under another name when a new one is written', async () => {
    await wrapText();
    const record = machine.remembered().find((name) => name.endsWith('.json')) ?? '';
    writeFileSync(join(machine.statePath, record), '?');
    machine.write(CURSOR, TEXT);
    expect(machine.status()[0]?.isRecordDamaged).toBe(true);
    await machine.wrap();
    expect(machine.remembered().some((name) => name.startsWith(`${record}.damaged-`))).toBe(true);
    expect(machine.status()[0]?.servers.map(({ state }) => state)).toEqual(['wrapped', 'wrapped']);
  });
});

describe('entries wrapped by hand', () => {
  it('with more than a clawai in front stay: what else is there is not ours to lose', async () => {
    const text = '{"mcpServers":{"s":{"command":"ssh","args":["host","clawai","proxy","--","npx","h"]}}}';
    await wrapText(text);
    expect(await unwrapAll()).toEqual({});
    expect(machine.read(CURSOR)).toBe(text);
  });

  it('are unwrapped too, from their command lines', async () => {
    const text =
      '{"mcpServers":{"h":{"command":"clawai","args":["proxy","--","npx","h"]},"n":{"command":"npx","args":["clawai","proxy","--","n"]}}}';
    machine.write(CURSOR, text);
    expect(await unwrapAll()).toMatchObject({ h: { action: 'recover' }, n: { action: 'recover' } });
    expect(JSON.parse(machine.read(CURSOR))).toEqual({
      mcpServers: { h: { command: 'npx', args: ['h'] }, n: { command: 'n', args: [] } },
    });
  });
});

describe('for any config', () => {
  const word = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    fc.constantFrom('__proto__', '--', '-y', '${env:X}', '\u2028', '"'),
  );
  const process = fc.record(
    {
      command: word,
      args: fc.array(word, { maxLength: 3 }),
      env: fc.dictionary(word, word),
      type: fc.constant('stdio'),
      x: fc.jsonValue(),
    },
    { requiredKeys: ['command'] },
  );
  const server = fc.oneof({ weight: 3, arbitrary: process }, { weight: 1, arbitrary: fc.jsonValue() });
  const config = fc.record({
    table: fc.dictionary(word, server, { maxKeys: 4 }),
    other: fc.jsonValue(),
    indent: fc.constantFrom(undefined, 2, 4, '\t'),
    newline: fc.constantFrom('\n', '\r\n'),
    start: fc.constantFrom('', '\uFEFF', '\n '),
    end: fc.constantFrom('', '\n', ' \r\n'),
    comment: fc.constantFrom('', '// c', '/* "mcpServers": { */'),
    file: fc.constantFrom(
      [CURSOR, 'mcpServers'],
      ['.claude.json', 'mcpServers'],
      ['.config/Code/User/mcp.json', 'servers'],
      ['.gemini/settings.json', 'mcpServers'],
      ['.config/zed/settings.json', 'context_servers'],
      ['.codeium/windsurf/mcp_config.json', 'mcpServers'],
      ['.copilot/mcp-config.json', 'mcpServers'],
    ),
  });

  it('unwrap(wrap(x)) = x in bytes, with the pristine copy and without it, and in between only the planned values differ', async () => {
    let wraps = 0;
    await fc.assert(
      fc.asyncProperty(config, async ({ table, other, indent, newline, start, end, comment, file: [name, root] }) => {
        const here = new WrapMachine();
        try {
          const takesComments = /Code|gemini|zed|copilot/.test(name ?? '');
          const body = JSON.stringify({ other, [root ?? '']: table }, undefined, indent).replaceAll('\n', newline);
          const text = `${start}${takesComments && comment !== '' ? comment + newline : ''}${body}${end}`;
          here.write(name ?? '', text);
          const [outcome] = await here.wrap();
          expect(outcome?.error).toBeUndefined();
          const wrappedText = here.read(name ?? '');
          const changed = (outcome?.report?.entries ?? []).filter(({ action }) => action === 'wrap');
          wraps += changed.length;
          expect(wrappedText === text).toBe(changed.length === 0);
          if (comment === '' || !takesComments) {
            const value = JSON.parse(wrappedText.replace('\uFEFF', '')) as Record<
              string,
              Record<string, { command: string; args: string[] }>
            >;
            expect(value['other']).toEqual((JSON.parse(body) as { other: unknown }).other);
            for (const { server: key } of changed) {
              const was = table[key] as { command: string; args?: string[] };
              const flag = key.startsWith('-') ? [`--server=${key}`] : key === '' ? [] : ['--server', key];
              const words = [LAUNCHER[1], 'proxy', ...flag, '--', was.command, ...(was.args ?? [])];
              expect(value[root ?? '']?.[key]).toEqual({
                ...(JSON.parse(JSON.stringify(was)) as object),
                command: LAUNCHER[0],
                args: words,
              });
            }
          }
          // Undone value by value, as where the copy is lost.
          for (const copy of here.remembered().filter((one) => one.endsWith('.original'))) rmSync(join(here.statePath, copy));
          const [undone] = await here.unwrap();
          expect(undone?.report?.isPristine ?? false).toBe(false);
          expect(here.read(name ?? '')).toBe(text);
          await here.wrap();
          expect(here.read(name ?? '')).toBe(wrappedText);
          await here.unwrap();
          expect(here.read(name ?? '')).toBe(text);
          expect(here.remembered()).toEqual([]);
        } finally {
          here.remove();
        }
      }),
      { numRuns: runs(120) },
    );
    expect(wraps).toBeGreaterThan(leastHits(50));
  });
});
