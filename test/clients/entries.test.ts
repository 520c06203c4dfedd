import { describe, expect, it } from 'vitest';
import { LENIENT, STRICT, type EntryShape } from '../../src/clients/client.ts';
import { editJson } from '../../src/clients/edit-json.ts';
import { readEntries, rewriteCommand, rewriteUrl } from '../../src/clients/entries.ts';
import type { Entry } from '../../src/clients/read-entry.ts';

const PLAIN: EntryShape = { stdio: 'command', env: 'env', urls: ['url'] };
const OPENCODE: EntryShape = {
  stdio: 'argv',
  env: 'environment',
  urls: ['url'],
  disabled: { key: 'enabled', when: false },
  mayLackCommand: true,
};
const ZED: EntryShape = { ...PLAIN, stdio: 'command-or-path', disabled: { key: 'enabled', when: false }, mayLackCommand: true };
const CLINE: EntryShape = { ...PLAIN, stdio: 'command-or-transport', disabled: { key: 'disabled', when: true } };

function textOf(entry: string): string {
  return `{"t": {"s": ${entry}}}`;
}

function read(text: string, shape = PLAIN, tables: readonly (readonly string[])[] = [['t']]): readonly Entry[] {
  const result = readEntries(text, { syntax: LENIENT, tables, shape });
  if (!result.ok) throw new Error(result.problem.message);
  return result.entries;
}

describe('readEntries', () => {
  it.each<[string, EntryShape, Partial<Entry>]>([
    [
      '{"command": "npx", "args": ["-y", "x"], "env": {"A": "${B}", "N": 1}}',
      PLAIN,
      { kind: 'stdio', command: 'npx', args: ['-y', 'x'], env: { A: '${B}', N: '1' }, rawArgs: '["-y", "x"]' },
    ],
    [
      '{"command": "npx"}',
      PLAIN,
      { kind: 'stdio', command: 'npx', args: [], rawCommand: '"npx"', rawArgs: undefined, env: undefined },
    ],
    [
      '{"type": "http", "url": "https://a.example/mcp"}',
      PLAIN,
      { kind: 'remote', type: 'http', url: 'https://a.example/mcp', urlPath: ['t', 's', 'url'] },
    ],
    ['{"type": "stdio", "command": "a", "url": "https://a.example"}', PLAIN, { kind: 'stdio', command: 'a' }],
    ['{"url": "https://h.example", "headers": {"A": "b"}}', PLAIN, { kind: 'remote', headers: { A: 'b' } }],
    ['{"url": "https://h.example", "headers": {"A": "b", "C": 1}}', PLAIN, { kind: 'remote', keys: ['url', 'headers'] }],
    ['{"type": "sse", "command": "a", "url": "https://a.example"}', PLAIN, { kind: 'remote', url: 'https://a.example' }],
    [
      '{"httpUrl": "https://h.example", "url": "https://u.example"}',
      { ...PLAIN, urls: ['httpUrl', 'url'] },
      { kind: 'remote', url: 'https://h.example' },
    ],
    ['{"type": "sdk", "name": "x"}', { ...PLAIN, otherTypes: ['sdk'] }, { kind: 'other' }],
    [
      '{"type": "local", "command": ["npx", "x"], "environment": {"A": "b"}, "enabled": false}',
      OPENCODE,
      { kind: 'stdio', command: 'npx', args: ['x'], env: { A: 'b' }, isDisabled: true },
    ],
    ['{"type": "remote", "url": "https://a.example"}', OPENCODE, { kind: 'remote', isDisabled: false }],
    ['{"enabled": false}', OPENCODE, { kind: 'other', isDisabled: true }],
    [
      '{"command": {"path": "npx", "args": ["x"], "env": {"B": null, "C": ["d"]}}, "env": {"A": "b"}}',
      ZED,
      { kind: 'stdio', command: 'npx', args: ['x'], commandPath: ['t', 's', 'command', 'path'] },
    ],
    ['{"source": "custom", "command": "npx", "args": []}', ZED, { kind: 'stdio', command: 'npx', args: [] }],
    ['{"settings": {}}', ZED, { kind: 'other' }],
    [
      '{"transport": {"type": "stdio", "command": "npx", "env": {"A": "b"}}, "disabled": true}',
      CLINE,
      { kind: 'stdio', command: 'npx', isDisabled: true, env: { A: 'b' }, argsPath: ['t', 's', 'transport', 'args'] },
    ],
    [
      '{"transport": {"type": "streamableHttp", "url": "https://a.example"}}',
      CLINE,
      { kind: 'remote', type: 'streamableHttp', urlPath: ['t', 's', 'transport', 'url'] },
    ],
  ])('%s', (entry, shape, expected) => {
    expect(read(textOf(entry), shape)).toMatchObject([{ name: 's', path: ['t', 's'], ...expected }]);
  });

  it.each<[string, string, EntryShape?]>([
    ['1', 'it is not an object'],
    ['[]', 'it is not an object'],
    ['{}', 'it has neither a command nor a URL'],
    ['{"command": ["npx"]}', '"command" is not a string'],
    ['{"command": ""}', '"command" is empty'],
    ['{"command": null}', '"command" is not a string'],
    ['{"command": {"path": "a"}}', '"command" is not a string'],
    ['{"command": {"path": 1}}', '"path" is not a string', ZED],
    ['{"command": "a", "args": "b"}', '"args" is not a list of strings'],
    ['{"command": "a", "args": [1]}', '"args" is not a list of strings'],
    ['{"command": "a", "args": null}', '"args" is not a list of strings'],
    ['{"command": "npx x"}', '"command" is not a list of strings', OPENCODE],
    ['{"command": []}', '"command" is not a list of strings', OPENCODE],
    ['{"url": 1}', '"url" is not a string'],
    ['{"command": "a", "url": "https://a.example"}', 'it has both a command and a URL'],
    ['{"type": "http", "command": "a"}', 'its type is "http" but it has no URL'],
    ['{"type": "stdio", "url": "https://a.example"}', 'its type is "stdio" but it has no command'],
    ['{"command": "a", "command": "b"}', 'the key "command" appears twice'],
    ['{"command": "a", "env": {"A": "1", "A": "2"}}', 'the key "A" appears twice'],
    ['{"command": "a", "x": [{"y": {"k": 1, "k": 2}}]}', 'the key "k" appears twice'],
  ])('%s is reported, and offers nothing to change', (entry, problem, shape = PLAIN) => {
    const [found] = read(textOf(entry), shape);
    expect(found).toMatchObject({ kind: 'malformed', problem });
    if (found === undefined) return;
    expect(rewriteCommand(found, { command: 'x', args: [] })).toEqual([]);
    expect(rewriteUrl(found, 'http://127.0.0.1')).toEqual([]);
  });

  it('servers of one name are both refused, their neighbours not', () => {
    const entries = read('{"t": {"a": {"command": "1"}, "b": {"command": "2"}, "\\u0061": {"command": "3"}}}');
    expect(entries.map(({ name, kind, problem }) => [name, kind, problem])).toEqual([
      ['a', 'malformed', 'there are two servers of this name'],
      ['b', 'stdio', undefined],
      ['a', 'malformed', 'there are two servers of this name'],
    ]);
  });

  it('a table that stands twice hides which of its servers count', () => {
    const entries = read('{"t": {"a": {"command": "1"}}, "t": {"b": {"command": "2"}}}');
    expect(entries.map(({ problem }) => problem)).toEqual(Array.from({ length: 2 }, () => 'the key "t" above it appears twice'));
  });

  it('duplicate keys elsewhere in the file do not matter', () => {
    expect(read('{"x": 1, "x": 2, "t": {"a": {"command": "1"}}}')).toMatchObject([{ kind: 'stdio' }]);
  });

  it('finds the tables of all projects, with the line of each server', () => {
    const text =
      '{\n"projects": {\n"/a/*": {"mcpServers": {\n"x": {"command": "1"}}},\n"/b": {"mcpServers": null}, "/c": {"mcpServers": {"x":\n {"command": "2"}}}}}';
    expect(read(text, PLAIN, [['projects', '*', 'mcpServers']]).map(({ path, line }) => [path, line])).toEqual([
      [['projects', '/a/*', 'mcpServers', 'x'], 4],
      [['projects', '/c', 'mcpServers', 'x'], 5],
    ]);
  });

  it('__proto__ is a name like any other', () => {
    expect(read('{"t": {"__proto__": {"command": "a", "env": {"__proto__": "x"}}}}')).toMatchObject([
      { name: '__proto__', kind: 'stdio', command: 'a' },
    ]);
    expect(Object.keys(read('{"t": {"s": {"command": "a", "env": {"__proto__": "x"}}}}')[0]?.env ?? {})).toEqual(['__proto__']);
  });

  it.each(['', ' \n', '\uFEFF', '// nothing yet\n', '{}', '{"t": {}}', '{"t": null}'])('%j has no servers', (text) => {
    expect(read(text)).toEqual([]);
  });

  it.each(['[]', '"x"', '1', 'true'])('%s in place of the servers is a problem with its place', (value) => {
    const result = readEntries(`{\n  "t": ${value}\n}`, { syntax: LENIENT, tables: [['t']], shape: PLAIN });
    expect(result).toEqual({ ok: false, problem: { message: 't must be an object', line: 2, column: 8 } });
  });

  it('lists the keys that are set', () => {
    expect(read('{"t": {"s": {"command": "a", "sandboxEnabled": false, "dev": null, "cwd": "/"}}}')[0]?.keys).toEqual([
      'command',
      'cwd',
    ]);
  });

  it.each([
    ['{"t": {"s": {"command": "a"},}}', { message: 'trailing commas are not allowed here', line: 1, column: 30 }],
    ['{\r\n  "t": {} // x\r\n}', { message: 'comments are not allowed here', line: 2, column: 11 }],
    ['[]', { message: 'the file holds no object', line: 1, column: 1 }],
  ])('%j is not what its client reads', (text, problem) => {
    expect(readEntries(text, { syntax: STRICT, tables: [['t']], shape: PLAIN })).toEqual({ ok: false, problem });
  });
});

describe('the files of plugins', () => {
  const CLAUDE = [['mcpServers'], []];
  const kinds = (entries: readonly Entry[]): readonly string[] => entries.map(({ name, kind }) => `${name} ${kind}`);

  it.each([
    ['{"db": {"command": "x"}, "$schema": "s", "n": 1}', ['db stdio']],
    ['{"mcpServers": {"db": {"command": "x"}}, "other": {"command": "y"}}', ['db stdio']],
    ['{"mcpServers": {}, "other": {"command": "y"}}', []],
    ['{"mcpServers": null, "other": {"command": "y"}}', []],
    ['{"mcpServers": {"command": "x"}}', ['command malformed']],
    ['{}', []],
  ])('%s is a list of servers by itself only without a table', (text, expected) => {
    expect(kinds(read(text, PLAIN, CLAUDE))).toEqual(expected);
  });

  it.each([
    ['{"name": "p", "mcpServers": "./a.json"}', ['./a.json other']],
    ['{"mcpServers": ["./a.json", "./b.json"]}', ['./a.json other', './b.json other']],
    ['{"mcpServers": {"a": {"command": "x"}}}', ['a stdio']],
    ['{"name": "p"}', []],
  ])('%s names files', (text, expected) => {
    const result = readEntries(text, { syntax: LENIENT, tables: [['mcpServers']], shape: PLAIN, mayNameFiles: true });
    expect(result.ok && kinds(result.entries)).toEqual(expected);
    const plain = readEntries(text, { syntax: LENIENT, tables: [['mcpServers']], shape: PLAIN });
    expect(plain.ok).toBe(!expected.some((entry) => entry.endsWith('other')));
  });

  it.each([
    ['{"server": {"type": "node", "mcp_config": {"command": "node"}, "x": {"command": "y"}}}', ['mcp_config stdio']],
    ['{"server": {"type": "uv"}}', ['mcp_config other']],
    ['{"name": "x"}', []],
  ])('%s has one server', (text, expected) => {
    const result = readEntries(text, { syntax: STRICT, tables: [['server']], shape: PLAIN, only: 'mcp_config' });
    expect(result.ok && kinds(result.entries)).toEqual(expected);
  });
});

describe('rewriting', () => {
  const to = { command: 'clawai', args: ['proxy', '--', 'npx'] };

  it.each<[string, string, EntryShape]>([
    ['{"command": "npx"}', '{"command": "clawai", "args": ["proxy", "--", "npx"]}', PLAIN],
    ['{"command": ["npx"], "enabled": true}', '{"command": ["clawai", "proxy", "--", "npx"], "enabled": true}', OPENCODE],
    [
      '{"command": {"path": "npx", "env": {}}}',
      '{"command": {"path": "clawai", "args": ["proxy", "--", "npx"], "env": {}}}',
      ZED,
    ],
    [
      '{"transport": {"command": "npx", "args": []}}',
      '{"transport": {"command": "clawai", "args": ["proxy", "--", "npx"]}}',
      CLINE,
    ],
  ])('%s', (before, after, shape) => {
    const edits = read(textOf(before), shape).flatMap((entry) => rewriteCommand(entry, to));
    expect(editJson(textOf(before), LENIENT, edits)).toMatchObject({ ok: true, text: textOf(after) });
  });

  it('no list is added for no arguments', () => {
    const edits = read(textOf('{"command": "npx"}')).flatMap((entry) => rewriteCommand(entry, { command: 'x', args: [] }));
    expect(editJson(textOf('{"command": "npx"}'), LENIENT, edits)).toMatchObject({ text: textOf('{"command": "x"}') });
  });

  it('a URL keeps its key', () => {
    const text = textOf('{"serverUrl": "https://a.example", "headers": {}}');
    const edits = read(text, { ...PLAIN, urls: ['serverUrl', 'url'] }).flatMap((entry) =>
      rewriteUrl(entry, 'http://127.0.0.1:1'),
    );
    expect(editJson(text, LENIENT, edits)).toMatchObject({ text: textOf('{"serverUrl": "http://127.0.0.1:1", "headers": {}}') });
  });
});
