import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlannedEntry } from '../../src/wrap/plan-entry.ts';
import { LAUNCHER, WrapMachine, wrapped } from '../support/wrap-machine.ts';

const CURSOR = '.cursor/mcp.json';
const CODE = '.config/Code/User/mcp.json';

let machine: WrapMachine;
beforeEach(() => {
  machine = new WrapMachine();
});
afterEach(() => machine.remove());

/** Wraps, and returns the plan of each server by name. */
async function wrapAll(more?: Parameters<WrapMachine['wrap']>[0]): Promise<Readonly<Record<string, PlannedEntry>>> {
  const outcomes = await machine.wrap(more);
  const errors = outcomes.flatMap(({ error }) => error ?? []);
  if (errors.length > 0) throw errors[0];
  return Object.fromEntries(outcomes.flatMap(({ report }) => report?.entries ?? []).map((entry) => [entry.server, entry]));
}

/** Wraps a text as Cursor's config and returns what became of it. */
async function wrapText(text: string, file = CURSOR): Promise<string> {
  machine.write(file, text);
  await wrapAll();
  return machine.read(file);
}

/** The text of a config with one server, wrapped. */
function expected(command: readonly string[], rest = ''): string {
  const [first, ...args] = command;
  return `{"mcpServers":{"a":{"command":${JSON.stringify(first)},"args":${JSON.stringify(args)}${rest}}}}`;
}

describe('what is written', () => {
  it('clawai, its flags, and the command with its arguments; environment and all else stay', async () => {
    const rest = ',"env":{"TOKEN":"${env:TOKEN}"},"cwd":"/w","unknown":[1,2.50,1e3]';
    expect(await wrapText(expected(['npx', '-y', 'x y', '"q"', 'ü', '${V}'], rest))).toBe(
      expected(wrapped('a', 'npx', '-y', 'x y', '"q"', 'ü', '${V}'), rest),
    );
  });

  it('--policy where a policy is named, which later runs without one keep', async () => {
    machine.write(CURSOR, expected(['x', 'y']));
    await wrapAll({ policy: '/p/strict.toml' });
    const text = expected([...LAUNCHER, 'proxy', '--server', 'a', '--policy', '/p/strict.toml', '--', 'x', 'y']);
    expect(machine.read(CURSOR)).toBe(text);
    expect((await wrapAll())['a']?.action).toBe('wrapped');
    expect(machine.read(CURSOR)).toBe(text);
  });

  it('a name that starts with a dash as one word with its flag', async () => {
    machine.write(CURSOR, '{"mcpServers":{"-h":{"command":"x","args":["y"]}}}');
    await wrapAll();
    expect(JSON.parse(machine.read(CURSOR))).toMatchObject({
      mcpServers: { '-h': { args: [LAUNCHER[1], 'proxy', '--server=-h', '--', 'x', 'y'] } },
    });
  });

  it('a name that no argument can be with what it can have instead', async () => {
    machine.write(CURSOR, String.raw`{"mcpServers":{"a\u0000b":{"command":"x"}}}`);
    await wrapAll();
    expect(JSON.parse(machine.read(CURSOR))).toMatchObject({
      mcpServers: { 'a\0b': { args: wrapped('a\uFFFDb', 'x').slice(1) } },
    });
    await machine.unwrap();
    expect(machine.read(CURSOR)).toBe(String.raw`{"mcpServers":{"a\u0000b":{"command":"x"}}}`);
  });

  it('`cmd /c` in a file for every machine, before clawai too, and with each version', async () => {
    const line = (version: string): string[] => [
      'cmd',
      '/c',
      'npx',
      '-y',
      `clawai@${version}`,
      'proxy',
      '--server',
      'a',
      '--',
      'cmd',
      '/c',
      'npx',
      'x',
    ];
    machine.write('../project/.mcp.json', expected(['cmd', '/c', 'npx', 'x']));
    await wrapAll({ portable: 'npx', version: '1.0.0' });
    expect(machine.read('../project/.mcp.json')).toBe(expected(line('1.0.0')));
    await wrapAll({ version: '1.0.1' });
    expect(machine.read('../project/.mcp.json')).toBe(expected(line('1.0.1')));
    await machine.unwrap();
    expect(machine.read('../project/.mcp.json')).toBe(expected(['cmd', '/c', 'npx', 'x']));
  });

  it('`cmd /c npx` as the command that it is', async () => {
    expect(await wrapText(expected(['cmd', '/c', 'npx', 'x']))).toBe(expected(wrapped('a', 'cmd', '/c', 'npx', 'x')));
  });

  it('the shapes of other clients: an argv array, a nested command', async () => {
    machine.write(
      '.config/opencode/opencode.jsonc',
      '{"mcp": {"o": {"type": "local", "command": ["npx", "o",], "enabled": false}}} // end',
    );
    machine.write(
      '.config/zed/settings.json',
      '{"context_servers": {"z": {"command": {"path": "z", "args": ["1"], "env": {}}}}}',
    );
    machine.write(
      '.cline/data/settings/cline_mcp_settings.json',
      '{"mcpServers": {"c": {"transport": {"type": "stdio", "command": "c"}}}}',
    );
    const entries = await wrapAll();
    expect(Object.keys(entries).toSorted()).toEqual(['c', 'o', 'z']);
    expect(entries['o']?.isDisabled).toBe(true);
    expect(machine.read('.config/opencode/opencode.jsonc')).toContain('"--server", "o", "--", "npx", "o"]');
    expect(machine.read('.config/opencode/opencode.jsonc')).toMatch(/"enabled": false\}\}\} \/\/ end$/);
    expect(JSON.parse(machine.read('.config/zed/settings.json'))).toEqual({
      context_servers: { z: { command: { path: LAUNCHER[0], args: wrapped('z', 'z', '1').slice(1), env: {} } } },
    });
    expect(JSON.parse(machine.read('.cline/data/settings/cline_mcp_settings.json'))).toEqual({
      mcpServers: { c: { transport: { type: 'stdio', command: LAUNCHER[0], args: wrapped('c', 'c').slice(1) } } },
    });
  });

  it('only what is selected: by server, scope or client', async () => {
    machine.write(CURSOR, '{"mcpServers":{"a":{"command":"a"},"b":{"command":"b"}}}');
    machine.write(CODE, '{"servers":{"a":{"command":"a"}}}');
    machine.write('.claude.json', '{"mcpServers":{"u":{"command":"u"}},"projects":{"/p":{"mcpServers":{"l":{"command":"l"}}}}}');
    expect(Object.keys(await wrapAll({ selection: { servers: ['b'] } }))).toEqual(['b']);
    expect(Object.keys(await wrapAll({ selection: { scopes: ['local'] } }))).toEqual(['l']);
    expect(JSON.parse(machine.read('.claude.json'))).toMatchObject({ mcpServers: { u: { command: 'u' } } });
    expect(Object.keys(await wrapAll({ selection: { clients: ['vscode'] } }))).toEqual(['a']);
    expect(JSON.parse(machine.read(CURSOR))).toMatchObject({ mcpServers: { a: { command: 'a' } } });
  });
});

describe('hazard 47: what is kept', () => {
  it('order, comments, tabs, CR LF, trailing commas, a BOM, a missing last line end', async () => {
    const text =
      '\uFEFF// mine\r\n{\r\n\t"inputs": [ ],\r\n\t"servers": {\r\n\t\t"z": { /* why */ "command": "z", "args": [ "1", ], },\r\n\t\t"a": {\r\n\t\t\t"command": "a" // last\r\n\t\t},\r\n\t},\r\n}';
    machine.write(CODE, text);
    await wrapAll();
    const now = machine.read(CODE);
    expect(now).not.toBe(text);
    for (const part of ['\uFEFF// mine\r\n{', '{ /* why */ "command": ', '// last\r\n', '\t"inputs": [ ],', '},\r\n}'])
      expect(now).toContain(part);
    expect(now.replaceAll('\r\n', '')).not.toContain('\n');
    expect(now.indexOf('"z"')).toBeLessThan(now.indexOf('"a"'));
    await machine.unwrap();
    expect(machine.read(CODE)).toBe(text);
  });

  it('the pristine copy of a first run through a second one', async () => {
    machine.write(CURSOR, '{"mcpServers": {"a": {"command": "a"},  "b": {"command": "b"}}}');
    await wrapAll({ selection: { servers: ['a'] } });
    const [kept] = machine.remembered();
    await wrapAll();
    expect(machine.remembered()[0]).toBe(kept);
    await machine.unwrap();
    expect(machine.read(CURSOR)).toBe('{"mcpServers": {"a": {"command": "a"},  "b": {"command": "b"}}}');
    expect(machine.remembered()).toEqual([]);
  });

  it('no key of ours in the file', async () => {
    const text = await wrapText('{"mcpServers":{"a":{"command":"a"}}}');
    expect(JSON.parse(text)).toEqual({ mcpServers: { a: { command: LAUNCHER[0], args: wrapped('a', 'a').slice(1) } } });
  });

  it("every client's file, and VS Code's root key", async () => {
    machine.write(CURSOR, '{"mcpServers":{"c":{"command":"c"}}}');
    machine.write(CODE, '{"servers":{"v":{"command":"v"}}}');
    machine.write('.gemini/settings.json', '{"mcpServers":{"g":{"command":"g"}}}');
    machine.write('.codeium/windsurf/mcp_config.json', '{"mcpServers":{"w":{"command":"w"}}}');
    expect(Object.keys(await wrapAll()).toSorted()).toEqual(['c', 'g', 'v', 'w']);
  });

  it('URL servers, named and left alone', async () => {
    const text = '{"mcpServers":{"r":{"url":"https://x.example/mcp"},"a":{"command":"a"}}}';
    machine.write(CURSOR, text);
    const { r } = await wrapAll();
    expect(r).toMatchObject({ action: 'skip', reason: 'serve-stopped', before: { url: 'https://x.example/mcp' } });
    expect(machine.read(CURSOR)).toContain('"r":{"url":"https://x.example/mcp"}');
  });
});

describe('bad input', () => {
  it.each([
    ['duplicate keys in an entry', '{"mcpServers":{"a":{"command":"a","command":"b"}}}'],
    ['duplicate servers', '{"mcpServers":{"a":{"command":"a"},"a":{"command":"b"}}}'],
    ['a number as command', '{"mcpServers":{"a":{"command":1}}}'],
    ['an array as command', '{"mcpServers":{"a":{"command":["a"]}}}'],
    ['an empty command', '{"mcpServers":{"a":{"command":"","args":[]}}}'],
    ['numbers as arguments', '{"mcpServers":{"a":{"command":"a","args":[1]}}}'],
    ['a string as arguments', '{"mcpServers":{"a":{"command":"a","args":"b"}}}'],
    ['no object as entry', '{"mcpServers":{"a":["a"]}}'],
    ['neither command nor URL', '{"mcpServers":{"a":{"env":{}}}}'],
  ])('%s: the entry is named and left alone', async (_name, text) => {
    expect(await wrapText(text)).toBe(text);
    const entries = machine.plan()[0]?.report?.entries ?? [];
    expect(entries.map(({ server }) => server)).toContain('a');
    expect(entries.every(({ action }) => action === 'skip')).toBe(true);
    expect(machine.remembered()).toEqual([]);
  });

  it('`__proto__` and the like as servers and as keys', async () => {
    const text =
      '{"mcpServers":{"__proto__":{"command":"a","__proto__":{"x":1}},"constructor":{"command":"b"},"toString":{"command":"c"}}}';
    const entries = await (machine.write(CURSOR, text), wrapAll());
    expect(Object.getOwnPropertyNames(entries)).toEqual(expect.arrayContaining(['constructor', 'toString']));
    expect(machine.status()[0]?.servers.map(({ state }) => state)).toEqual(['wrapped', 'wrapped', 'wrapped']);
    expect(machine.read(CURSOR)).toContain('"__proto__":{"x":1}');
    await machine.unwrap();
    expect(machine.read(CURSOR)).toBe(text);
  });

  it.each([
    ['nothing', ''],
    ['white space', '\n'],
    ['no servers', '{"mcpServers":{}}'],
    ['another root', '{"other":1}'],
    ['null for the table', '{"mcpServers":null}'],
    ['a list for the table', '{"mcpServers":[]}'],
  ])('%s: there is nothing to do', async (_name, text) => {
    machine.write(CURSOR, text);
    await machine.wrap();
    expect(machine.read(CURSOR)).toBe(text);
    expect(machine.remembered()).toEqual([]);
  });

  it.each([
    ['cut off', '{"mcpServers":{"a":{"command":"a"'],
    ['two values', '{"mcpServers":{"a":{"command":"a"}}} {}'],
    ['no JSON', 'command: a'],
    ['a list', '[]'],
  ])('%s: the file is named with the place, and left alone', async (_name, text) => {
    machine.write('.claude.json', text);
    const [outcome] = await machine.wrap();
    expect(outcome?.report?.problems[0]).toMatchObject({ client: 'claude-code', problem: { line: 1 } });
    expect(machine.read('.claude.json')).toBe(text);
  });

  it('comments where the client does not read them: left alone', async () => {
    machine.write('.claude.json', '{ // mine\n"mcpServers":{"a":{"command":"a"}}}');
    const [outcome] = await machine.wrap();
    expect(outcome?.report?.problems).toHaveLength(1);
    expect(machine.read('.claude.json')).toContain('"command":"a"}');
  });

  it('bytes that are no UTF-8: left alone', async () => {
    const bytes = Buffer.from('{"mcpServers":{"a":{"command":"\xff"}}}', 'latin1');
    machine.write(CURSOR, bytes);
    const [outcome] = await machine.wrap();
    expect(outcome?.error?.message).toMatch(/is not UTF-8 text$/);
    machine.write(CURSOR, Buffer.from('{"mcpServers":{"a":{"command":"a"}}}', 'utf16le'));
    expect((await machine.wrap())[0]?.report?.problems).toHaveLength(1);
  });

  it('a broken file keeps no other from being wrapped', async () => {
    machine.write('.claude.json', '{');
    machine.write(CURSOR, '{"mcpServers":{"a":{"command":"a"}}}');
    await machine.wrap();
    expect(machine.read(CURSOR)).toContain('proxy');
  });
});

describe('what is left alone, and why', () => {
  it.each([
    ['clawai itself', ['clawai', 'serve'], 'clawai'],
    ['a clawai on another machine', ['ssh', 'host', 'clawai', 'proxy', '--', 'x'], 'clawai'],
    ['a clawai that is started with more', ['env', 'A=1', 'clawai', 'proxy', '--', 'x'], 'clawai'],
    ["another tool's wrap", ['/opt/pipelock', 'mcp', 'proxy', '--', 'x'], 'other-wrapper'],
  ] as const)('%s', async (_name, command, reason) => {
    machine.write(CURSOR, expected(command));
    expect((await wrapAll())['a']).toMatchObject({ action: 'skip', reason });
    expect(machine.read(CURSOR)).toBe(expected(command));
  });

  it('the files of plugins', async () => {
    machine.write('.claude/plugins/cache/m/p/1/.mcp.json', '{"mcpServers":{"p":{"command":"p"}}}');
    expect((await wrapAll())['p']).toMatchObject({ action: 'skip', reason: 'plugin-cache' });
  });

  it('files of a project under version control, unless asked for', async () => {
    const file = join(machine.project, '.mcp.json');
    writeFileSync(file, '{"mcpServers":{"p":{"command":"p"}}}');
    const git = (...args: string[]): unknown => execFileSync('git', ['-C', machine.project, ...args], { stdio: 'ignore' });
    git('init');
    expect(machine.plan()[0]?.report?.entries[0]?.action).toBe('wrap');
    git('add', '.mcp.json');
    expect((await wrapAll())['p']).toMatchObject({ action: 'skip', reason: 'shared' });
    expect((await wrapAll({ sharedToo: true }))['p']).toMatchObject({
      action: 'wrap',
      clients: expect.arrayContaining(['claude-code']),
    });
  });

  it("what an administrator's exact commands forbid", async () => {
    machine.write('.claude.json', '{"mcpServers":{"a":{"command":"a"}}}');
    const client = machine.located()[0]?.client;
    const policyFile = client?.policyFiles?.[0];
    if (client === undefined || policyFile === undefined) throw new Error('Claude Code has such a file');
    const plan = (settings: unknown): PlannedEntry | undefined => {
      const file = machine.write('managed-settings.json', typeof settings === 'string' ? settings : JSON.stringify(settings));
      return machine.plan({ policies: [{ client, policyFile, file }] })[0]?.report?.entries[0];
    };
    expect(plan({ allowedMcpServers: [{ serverName: 'a' }] })?.action).toBe('wrap');
    expect(plan({ allowedMcpServers: [{ serverCommand: ['a'] }] })).toMatchObject({
      action: 'skip',
      reason: 'allow-list',
      after: { command: wrapped('a', 'a')[0], args: wrapped('a', 'a').slice(1) },
    });
    expect(plan({ allowedMcpServers: [{ serverCommand: wrapped('a', 'a') }] })?.action).toBe('wrap');
    expect(plan({ deniedMcpServers: [{ serverCommand: ['a'] }] })).toMatchObject({ action: 'skip', reason: 'allow-list' });
    expect(plan({ deniedMcpServers: [{ serverCommand: ['b'] }] })?.action).toBe('wrap');
    expect(plan('{')).toMatchObject({ action: 'skip', reason: 'allow-list' });
  });
});

describe('again', () => {
  it('twice changes nothing, not even what is remembered', async () => {
    machine.write(CURSOR, '{"mcpServers":{"a":{"command":"a"}}}');
    await wrapAll();
    const text = machine.read(CURSOR);
    const kept = machine.remembered().map((name) => machine.state.list().records.length + name);
    expect((await wrapAll())['a']?.action).toBe('wrapped');
    expect(machine.read(CURSOR)).toBe(text);
    expect(machine.remembered().map((name) => machine.state.list().records.length + name)).toEqual(kept);
  });

  it.each(['{"mcpServers":{"a":{"command":"a"}}}', '{"mcpServers":{"a":{"args": [ "1" ],"command": "a"}}}'])(
    'with a clawai in another place: the entry follows it, and unwrap still gives back %s',
    async (text) => {
      machine.write(CURSOR, text);
      await wrapAll({ launcher: ['/old/node', '/old/clawai.mjs'] });
      expect((await wrapAll())['a']?.action).toBe('update');
      expect(machine.read(CURSOR)).toContain(LAUNCHER[1]);
      expect(machine.read(CURSOR)).not.toContain('/old/');
      const [outcome] = await machine.unwrap();
      expect(outcome?.report).toMatchObject({ isPristine: true, entries: [{ action: 'restore' }] });
      expect(machine.read(CURSOR)).toBe(text);
    },
  );

  it('over an entry wrapped by hand: its flags stay, and unwrap gives the server itself', async () => {
    machine.write(CURSOR, expected(['clawai', 'proxy', '--observe', '--server=x', '--policy', '/p.toml', '--', 'npx', 'x']));
    expect((await wrapAll({ isAgreed: () => true }))['a']?.action).toBe('update');
    expect(machine.read(CURSOR)).toBe(
      expected([...LAUNCHER, 'proxy', '--server', 'a', '--policy', '/p.toml', '--observe', '--', 'npx', 'x']),
    );
    await machine.unwrap();
    expect(machine.read(CURSOR)).toBe(expected(['npx', 'x']));
  });
});

describe('the plan', () => {
  it('says what to know about the clients', () => {
    machine.write(CURSOR, '{"mcpServers":{"a":{"command":"a"}}}');
    const outcomes = machine.plan({ selection: { servers: ['a', 'b'] } });
    expect(outcomes[0]?.remarks.length).toBeGreaterThan(0);
  });

  it('writes nothing, and shows the change', () => {
    machine.write(CURSOR, '{\n  "mcpServers": {\n    "a": { "command": "a", "args": ["1"] }\n  }\n}\n');
    const [outcome] = machine.plan();
    expect(outcome?.diff()).toBe(
      [
        `--- ${join(machine.home, CURSOR)}`,
        `+++ ${join(machine.home, CURSOR)}`,
        '@@ -1,5 +1,5 @@',
        ' {',
        '   "mcpServers": {',
        '-    "a": { "command": "a", "args": ["1"] }',
        `+    "a": { "command": "${LAUNCHER[0]}", "args": ["${LAUNCHER[1]}", "proxy", "--server", "a", "--", "a", "1"] }`,
        '   }',
        ' }',
        '',
      ].join('\n'),
    );
    expect(machine.read(CURSOR)).not.toContain('proxy');
    expect(machine.remembered()).toEqual([]);
  });

  it('names the environment that clawai would see too', () => {
    machine.write(CURSOR, expected(['a'], ',"env":{"PATH":"/x","Clawai_Policy":"p","NODE_OPTIONS":"","TOKEN":"t"}'));
    expect(machine.plan()[0]?.report?.entries[0]?.notes[0]).toBe(
      'its environment sets PATH, Clawai_Policy, NODE_OPTIONS, which clawai will see too',
    );
  });

  it('counts a file once that several clients read, or that two names lead to', () => {
    mkdirSync(join(machine.project, '.github'));
    writeFileSync(join(machine.project, '.mcp.json'), '{"mcpServers":{"p":{"command":"p"}}}');
    const outcomes = machine.plan();
    expect(outcomes).toHaveLength(1);
    expect(outcomes[0]?.clients.length).toBeGreaterThan(1);
    expect(outcomes[0]?.report?.entries).toHaveLength(1);
  });
});
