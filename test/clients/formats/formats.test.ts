import { beforeAll, describe, expect, it } from 'vitest';
import type { EntryShape, Syntax } from '../../../src/clients/client.ts';
import { PLAIN } from '../../../src/clients/client.ts';
import { CLIENTS } from '../../../src/clients/clients.ts';
import { undoEdits } from '../../../src/clients/edit-json.ts';
import { readEntries, rewriteCommand, rewriteUrl } from '../../../src/clients/entries.ts';
import { editText, loadFormats, readValue } from '../../../src/clients/text.ts';

beforeAll(() => loadFormats(['toml', 'yaml', 'json5']));

const TO = { command: 'node', args: ['proxy', '--server', 'a "b"', '--', 'C:\\x', 'ü\u007F'] };
const ARGS = String.raw`["proxy", "--server", "a \"b\"", "--", "C:\\x", "ü\u007f"]`;
const TOML_ARGS = ARGS.replace('u007f', 'u007F');

interface Config {
  readonly syntax: Syntax;
  readonly tables: readonly (readonly string[])[];
  readonly shape: EntryShape;
}
const TOML: Config = { syntax: 'toml', tables: [['mcp_servers'], ['profiles', '*', 'mcp_servers']], shape: PLAIN };
const GOOSE = CLIENTS.find(({ id }) => id === 'goose')?.locations[0];
const YAML: Config = { syntax: 'yaml', tables: [['extensions']], shape: GOOSE?.shape ?? PLAIN };
const LIST: Config = { syntax: 'yaml', tables: [['mcpServers']], shape: PLAIN };
const JSON5: Config = { syntax: 'json5', tables: [['mcp', 'servers']], shape: PLAIN };

/** The text with all servers rewritten, after a check that undoing gives the same bytes and that all else says the same. */
function rewritten(text: string, config: Config): string {
  const read = readEntries(text, config);
  if (!read.ok) throw new Error(JSON.stringify(read.problem));
  const edits = read.entries.flatMap((entry) => [...rewriteCommand(entry, TO), ...rewriteUrl(entry, 'http://127.0.0.1:1/x')]);
  const result = editText(text, config.syntax, edits);
  if (!result.ok) throw new Error(JSON.stringify(result.problem));
  const undone = editText(result.text, config.syntax, undoEdits(result.changes));
  expect(undone).toMatchObject({ ok: true, text });
  const again = readEntries(result.text, config);
  if (!again.ok) throw new Error(`${JSON.stringify(again.problem)} in ${result.text}`);
  for (const [i, { kind, command, args, url }] of again.entries.entries()) {
    const before = read.entries[i];
    if (kind === 'stdio') expect({ command, args }).toEqual(TO);
    else if (kind === 'remote') expect(url).toBe('http://127.0.0.1:1/x');
    else expect(before?.kind).toBe(kind);
  }
  expect(readValue(result.text, config.syntax)).toBeDefined();
  return result.text;
}

describe('TOML', () => {
  it.each<[string, string, string]>([
    [
      'a table',
      '# c\n[mcp_servers.x] # d\ncommand = "npx" # e\nargs = ["-y", "p"] # f\n[mcp_servers.x.env]\nA = "1"\n',
      `# c\n[mcp_servers.x] # d\ncommand = "node" # e\nargs = ${TOML_ARGS} # f\n[mcp_servers.x.env]\nA = "1"\n`,
    ],
    [
      'no arguments',
      '[mcp_servers.x]\n\tcommand  =  \'npx\' # e\r\nenv.A = "1"',
      `[mcp_servers.x]\n\tcommand  =  "node" # e\n\targs = ${TOML_ARGS}\r\nenv.A = "1"`,
    ],
    [
      'no arguments, with CRLF and a byte order mark, on the last line',
      '\uFEFF[mcp_servers."a b"]\r\ncommand = "npx"',
      `\uFEFF[mcp_servers."a b"]\r\ncommand = "node"\r\nargs = ${TOML_ARGS}`,
    ],
    [
      'a list over several lines',
      '[mcp_servers.x]\ncommand = "npx"\nargs = [\n  "-y", # c\n  "p",\n]\n',
      `[mcp_servers.x]\ncommand = "node"\nargs = [\n  "proxy",\n  "--server",\n  "a \\"b\\"",\n  "--",\n  "C:\\\\x",\n  "ü\\u007F"\n]\n`,
    ],
    [
      'inline tables',
      'mcp_servers = {x = {command = "npx", env = {A = "1"}}, y = { url = "https://h/x" }}',
      `mcp_servers = {x = {command = "node", args = ${TOML_ARGS}, env = {A = "1"}}, y = { url = "http://127.0.0.1:1/x" }}`,
    ],
    [
      'dotted and quoted keys',
      'mcp_servers.x."command" = """npx"""\n[profiles.p.mcp_servers]\n"y z" . command = \'n\'\n"y z".args = []\n',
      `mcp_servers.x."command" = "node"\nmcp_servers.x.args = ${TOML_ARGS}\n[profiles.p.mcp_servers]\n"y z" . command = "node"\n"y z".args = ${TOML_ARGS}\n`,
    ],
    [
      'a list of tables',
      '[[mcp_servers]]\nname = "a"\ncommand = "x"\n[[mcp_servers]]\nname = "b"\ncommand = "x"\nargs = ["y"]\n',
      `[[mcp_servers]]\nname = "a"\ncommand = "node"\nargs = ${TOML_ARGS}\n[[mcp_servers]]\nname = "b"\ncommand = "node"\nargs = ${TOML_ARGS}\n`,
    ],
    [
      'numbers and dates beyond JSON',
      'n = 9223372036854775807\nd = 1979-05-27T07:32:00Z\nf = inf\n[mcp_servers.x]\ncommand = "a"\nargs = ["b"]\n',
      `n = 9223372036854775807\nd = 1979-05-27T07:32:00Z\nf = inf\n[mcp_servers.x]\ncommand = "node"\nargs = ${TOML_ARGS}\n`,
    ],
  ])('%s', (_, text, expected) => {
    expect(rewritten(text, TOML)).toBe(expected);
  });

  it.each([
    ['[mcp_servers.x\ncommand = "a"', 1],
    ['[mcp_servers.x]\ncommand = "a"\ncommand = "b"', 3],
    ['a = 1\n[mcp_servers.x]\ncommand = "a"\n[mcp_servers.x]\n', 4],
  ])('a fault has its place: %j', (text, line) => {
    expect(readEntries(text, TOML)).toMatchObject({ ok: false, problem: { line } });
  });

  it('refuses arguments that are no list of strings', () => {
    expect(readEntries('[mcp_servers.x]\ncommand = "a"\nargs = "b"\n', TOML)).toMatchObject({
      entries: [{ kind: 'malformed', problem: '"args" is not a list of strings' }],
    });
  });
});

describe('YAML', () => {
  it.each<[string, string, string]>([
    [
      'a map as Goose writes it',
      'GOOSE_MODEL: x\nextensions:\n  a:\n    args:\n    - -y # c\n    # d\n    - p\n\n    cmd: npx # e\n    enabled: true\n    type: stdio\n  b:\n    type: builtin\n',
      `GOOSE_MODEL: x\nextensions:\n  a:\n    args:\n    - "proxy"\n    - "--server"\n    - "a \\"b\\""\n    - "--"\n    - "C:\\\\x"\n    - "ü\\u007f"\n\n    cmd: "node" # e\n    enabled: true\n    type: stdio\n  b:\n    type: builtin\n`,
    ],
    [
      'no arguments',
      '\uFEFFextensions:\r\n    a: &x\r\n        cmd: "npx" # e\r\n        envs: {A: 1}',
      `\uFEFFextensions:\r\n    a: &x\r\n        cmd: "node" # e\r\n        args: ${ARGS}\r\n        envs: {A: 1}`,
    ],
    ['no arguments, on the last line', 'extensions:\n a:\n  cmd: x', `extensions:\n a:\n  cmd: "node"\n  args: ${ARGS}`],
    [
      'a block of text as the command',
      'extensions:\n  a:\n    cmd: >-\n      np\n      x\n\n    args: [ "y", z ]\n',
      `extensions:\n  a:\n    cmd: "node"\n\n    args: [ ${ARGS.slice(1, -1)} ]\n`,
    ],
    [
      'brackets',
      'extensions: {a: {cmd: x}, "b c": {uri: "https://h/x", type: sse}, d: {cmd: x, args: []}}\n',
      `extensions: {a: {cmd: "node", args: ${ARGS}}, "b c": {uri: "http://127.0.0.1:1/x", type: sse}, d: {cmd: "node", args: ${ARGS}}}\n`,
    ],
    ['JSON', '{"extensions":{"a":{"cmd":"x","args":["y"]}}}', `{"extensions":{"a":{"cmd":"node","args":${ARGS}}}}`],
  ])('%s', (_, text, expected) => {
    expect(rewritten(text, YAML)).toBe(expected);
  });

  it('a list of servers with names', () => {
    const text =
      'name: c\nmcpServers:\n  # first\n  - name: a b\n    command: npx\n    args:\n      - "x"\n  - {name: c, url: "https://h/x"}\n  - command: y\n    name: d\n';
    expect(rewritten(text, LIST)).toBe(
      `name: c\nmcpServers:\n  # first\n  - name: a b\n    command: "node"\n    args:\n      - "proxy"\n      - "--server"\n      - "a \\"b\\""\n      - "--"\n      - "C:\\\\x"\n      - "ü\\u007f"\n  - {name: c, url: "http://127.0.0.1:1/x"}\n  - command: "node"\n    args: ${ARGS}\n    name: d\n`,
    );
    expect(readEntries(text, LIST)).toMatchObject({ entries: [{ path: ['mcpServers', 'a b'] }, { name: 'c' }, { name: 'd' }] });
  });

  it.each([
    ['a: &x {cmd: y}\nextensions:\n  a: *x\n', '*x at 3:6 stands for a value elsewhere: write the value there, then wrap it'],
    ['d: &d [y]\nextensions:\n  a:\n    cmd: x\n    args: *d\n', '*d at 5:11 stands for'],
    ['d: &d {cmd: y}\nextensions:\n  a:\n    <<: *d\n    args: [z]\n', 'it comes from << at 4:5'],
    ['extensions:\n  a: &x\n    cmd: y\n  b: *x\n', '*x repeats what &x at 3:5 says'],
    ['extensions:\n  a:\n    cmd: !!str y\n', 'it has the tag'],
    ['d: &d\n  cmd: y\nextensions:\n  a:\n    <<: [*d, *d]\n', 'it comes from << at 5:5'],
  ])('refuses what would change or lose another value, and says where: %j', (text, problem) => {
    const read = readEntries(text, YAML);
    expect(read).toMatchObject({ ok: true, entries: expect.arrayContaining([expect.objectContaining({ kind: 'malformed' })]) });
    expect(read.ok && read.entries.map((entry) => entry.problem ?? '').join()).toContain(problem);
  });

  it('edits an entry whose other values are inherited or repeated', () => {
    expect(rewritten('e: &e {A: "1"}\nextensions:\n  a:\n    cmd: x\n    args: [y]\n    envs: *e\n', YAML)).toContain(ARGS);
    expect(rewritten('e: &e {timeout: 1}\nextensions:\n  a:\n    <<: *e\n    cmd: x\n    args: [y]\n', YAML)).toContain(ARGS);
  });

  it.each([
    ['extensions:\n  a:\n\tcmd: x\n', 3, 'a tab indents this line'],
    ['extensions:\n  a: {cmd: x}\n  a: {cmd: y}\n', 3, 'a key appears twice'],
    ['extensions: {}\n---\nextensions: {}\n', 2, 'the file holds several documents'],
    ['extensions: [\n', 2, 'this is not YAML'],
  ])('a fault has its place: %j', (text, line, message) => {
    expect(readEntries(text, YAML)).toMatchObject({ ok: false, problem: { line, message: expect.stringContaining(message) } });
  });

  it('reads no text that a few lines make endless', () => {
    const bomb = Array.from(
      { length: 40 },
      (_, i) => `a${i}: &a${i} [${Array.from({ length: 9 }, () => (i === 0 ? 'x' : `*a${i - 1}`)).join()}]`,
    );
    expect(readEntries(`${bomb.join('\n')}\nextensions: *a39\n`, YAML)).toMatchObject({ ok: false });
  });
});

describe('JSON5', () => {
  it.each<[string, string, string]>([
    [
      'keys without quotes, strings in single ones, comments and trailing commas',
      "// c\n{\n  mcp: {\n    servers: {\n      a: {\n        command: 'npx', // d\n        args: ['-y', 'p',],\n      },\n    },\n  },\n  n: [+1, .5, 0x1F, Infinity, 'a\\\nb'],\n}\n",
      `// c\n{\n  mcp: {\n    servers: {\n      a: {\n        command: "node", // d\n        args: ${ARGS},\n      },\n    },\n  },\n  n: [+1, .5, 0x1F, Infinity, 'a\\\nb'],\n}\n`,
    ],
    [
      'no arguments',
      "{mcp: {servers: {'a b': {command: 'npx',}, \"c\": {url: 'https://h'}}}}",
      `{mcp: {servers: {'a b': {command: "node", "args": ${ARGS},}, "c": {url: "http://127.0.0.1:1/x"}}}}`,
    ],
  ])('%s', (_, text, expected) => {
    expect(rewritten(text, JSON5).replaceAll('\u007F', String.raw`\u007f`)).toBe(expected);
  });

  it('a fault has its place, and a key that appears twice is one', () => {
    expect(readEntries('{mcp: {servers:\n {a b}}}', JSON5)).toMatchObject({ ok: false, problem: { line: 2 } });
    expect(readEntries("{mcp: {servers: {a: {command: 'x', command: 'y'}}}}", JSON5)).toMatchObject({
      entries: [{ kind: 'malformed', problem: 'the key "command" appears twice' }],
    });
  });
});
