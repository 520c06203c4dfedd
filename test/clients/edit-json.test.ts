import { describe, expect, it } from 'vitest';
import { LENIENT, STRICT, type JsonPath, type JsonSyntax } from '../../src/clients/client.ts';
import { editJson, formatPath, undoEdits, type JsonEdit } from '../../src/clients/edit-json.ts';

const S = ['mcpServers', 's'];

/** The edits of a server that is wrapped. */
function wrapping(args: readonly string[] = ['proxy', '--', 'npx']): readonly JsonEdit[] {
  return [
    { path: [...S, 'command'], to: { value: 'clawai' } },
    { path: [...S, 'args'], to: { value: args }, after: 'command' },
  ];
}

/** Edits, expects that undoing gives the same bytes, and returns the text between. */
function edited(text: string, edits = wrapping(), syntax: JsonSyntax = LENIENT): string {
  const result = editJson(text, syntax, edits);
  if (!result.ok) throw new Error(result.problem.message);
  const undone = editJson(result.text, syntax, undoEdits(result.changes));
  expect(undone).toMatchObject({ ok: true, text });
  return result.text;
}

function removal(key: string): JsonEdit {
  return { path: ['s', key], to: { absent: true } };
}

function addition(key: string, after?: string): JsonEdit {
  return { path: ['s', key], to: { value: key }, after };
}

function lines(...parts: string[]): string {
  return parts.join('\n');
}

describe('editJson', () => {
  it.each([
    [
      'one line',
      '{"mcpServers": {"s": {"command": "npx", "args": ["-y", "x"]}}}',
      '{"mcpServers": {"s": {"command": "clawai", "args": ["proxy", "--", "npx"]}}}',
    ],
    [
      'tight',
      '{"mcpServers":{"s":{"command":"npx","args":["-y"]}}}',
      '{"mcpServers":{"s":{"command":"clawai","args":["proxy","--","npx"]}}}',
    ],
    [
      'padded list',
      '{"mcpServers": {"s": {"command": "npx", "args": [ "-y" ]}}}',
      '{"mcpServers": {"s": {"command": "clawai", "args": [ "proxy", "--", "npx" ]}}}',
    ],
    [
      'no args, one line',
      '{"mcpServers": {"s": {"command": "npx"}}}',
      '{"mcpServers": {"s": {"command": "clawai", "args": ["proxy", "--", "npx"]}}}',
    ],
    [
      'no args, tight',
      '{"mcpServers":{"s":{"command":"npx"}}}',
      '{"mcpServers":{"s":{"command":"clawai","args":["proxy","--","npx"]}}}',
    ],
    [
      'args first',
      '{"mcpServers": {"s": {"args": [], "command": "npx"}}}',
      '{"mcpServers": {"s": {"args": ["proxy", "--", "npx"], "command": "clawai"}}}',
    ],
  ])('%s', (_name, before, after) => {
    expect(edited(before)).toBe(after);
  });

  it('a list with one item a line stays that', () => {
    const text = lines(
      '{',
      '\t"mcpServers": {',
      '\t\t"s": {',
      '\t\t\t"command": "npx",',
      '\t\t\t"args": [',
      '\t\t\t\t"-y"',
      '\t\t\t]',
      '\t\t}',
      '\t}',
      '}',
      '',
    );
    expect(edited(text)).toBe(
      text.replace('"npx"', '"clawai"').replace('"-y"', lines('"proxy",', '\t\t\t\t"--",', '\t\t\t\t"npx"')),
    );
  });

  it.each([
    ['two spaces', '\n', '  '],
    ['four spaces', '\n', '    '],
    ['tabs', '\n', '\t'],
    ['CR LF', '\r\n', '  '],
  ])('a list that was not there is written like the rest: %s', (_name, end, unit) => {
    const value = { mcpServers: { s: { type: 'stdio', command: 'npx', env: { A: 'b' } } }, x: 1 };
    const after = {
      mcpServers: { s: { type: 'stdio', command: 'clawai', args: ['proxy', '--', 'npx'], env: { A: 'b' } } },
      x: 1,
    };
    const write = (json: object): string => JSON.stringify(json, undefined, unit).replaceAll('\n', end);
    expect(edited(write(value))).toBe(write(after));
  });

  it('an empty list in an indented object becomes one like the rest', () => {
    const write = (args: string[]): string =>
      JSON.stringify({ mcpServers: { s: { command: args.length === 0 ? 'npx' : 'clawai', args } } }, undefined, 2);
    expect(edited(write([]))).toBe(write(['proxy', '--', 'npx']));
  });

  it('comments, trailing commas and odd spacing around the values stay', () => {
    const text = lines(
      '\uFEFF// servers',
      '{ /* a */ "mcpServers" : {',
      '    // the one',
      '    "s" :{ "command":   "npx" /* not node */ , // really',
      '      "env": {"A": "${input:a}",},',
      '    },',
      '  }, "theme": "dark",',
      '}',
    );
    expect(edited(text)).toBe(text.replace('"npx"', '"clawai", "args":   ["proxy", "--", "npx"]'));
  });

  it('a comment inside a replaced list comes back', () => {
    const text = '{"mcpServers": {"s": {"command": "npx", "args": ["-y", // yes\n "x", /* no */ ]}}}';
    expect(edited(text)).not.toContain('yes');
  });

  it('several servers of one file, some without args', () => {
    const text = '{"mcpServers": {"s": {"command": "npx"}, "t": {"args": ["1"], "command": "uvx"}}}';
    const t: JsonEdit[] = [
      { path: ['mcpServers', 't', 'command'], to: { value: 'clawai' } },
      { path: ['mcpServers', 't', 'args'], to: { value: ['proxy'] }, after: 'command' },
    ];
    expect(edited(text, [...t, ...wrapping()])).toBe(
      '{"mcpServers": {"s": {"command": "clawai", "args": ["proxy", "--", "npx"]}, "t": {"args": ["proxy"], "command": "clawai"}}}',
    );
  });

  it('tells the exact text before and after', () => {
    expect(editJson('{"mcpServers": {"s": {"command": "n\\u0070x"}}}', STRICT, wrapping())).toMatchObject({
      changes: [
        { path: [...S, 'command'], before: '"n\\u0070x"', after: '"clawai"' },
        { path: [...S, 'args'], before: undefined, after: '["proxy", "--", "npx"]' },
      ],
    });
  });

  it('a member that was added goes, also after the client has written the file anew', () => {
    const result = editJson('{"mcpServers":{"s":{"command":"npx","env":{}}},"n":1}', STRICT, wrapping());
    if (!result.ok) throw new Error(result.problem.message);
    const rewritten = JSON.stringify({ ...JSON.parse(result.text), n: 2 }, undefined, 2);
    expect(editJson(rewritten, STRICT, undoEdits(result.changes))).toMatchObject({
      text: JSON.stringify({ mcpServers: { s: { command: 'npx', env: {} } }, n: 2 }, undefined, 2),
    });
  });

  it.each([
    ['first', '{"s": { "a": 1, "b": 2 }}', '{"s": { "b": 2 }}'],
    ['only', '{"s": { "a": 1 }}', '{"s": {  }}'],
    ['only, trailing comma', '{"s": {"a": 1, }}', '{"s": { }}'],
    ['last, trailing comma', '{"s": {"b": 2, "a": 1,}}', '{"s": {"b": 2,}}'],
    ['behind a comment with a comma', '{"s": {"b": 2 /* , */ , "a": 1}}', '{"s": {"b": 2 /* , */  }}'],
    ['before a comment', '{"s": {"a": 1 /* , */, "b": 2}}', '{"s": { /* , */ "b": 2}}'],
    ['absent', '{"s": {"b": 2}}', '{"s": {"b": 2}}'],
  ])('removes a member that is %s', (_name, before, after) => {
    expect(editJson(before, LENIENT, [{ path: ['s', 'a'], to: { absent: true } }])).toMatchObject({ ok: true, text: after });
  });

  it('puts a member into an empty object', () => {
    expect(edited('{"s": { }}', [{ path: ['s', 'a'], to: { value: 'x' } }])).toBe('{"s": {"a": "x" }}');
  });

  it.each<[string, string, string]>([
    [
      'one member a line',
      '{\n    "s": {\n        "b": 1\n    }\n}',
      '{\n    "s": {\n        "b": 1,\n        "a": {\n            "x": [\n                1\n            ]\n        }\n    }\n}',
    ],
    [
      'tabs and CRLF',
      '{\r\n\t"s": {\r\n\t\t"b": 1\r\n\t}\r\n}',
      '{\r\n\t"s": {\r\n\t\t"b": 1,\r\n\t\t"a": {\r\n\t\t\t"x": [\r\n\t\t\t\t1\r\n\t\t\t]\r\n\t\t}\r\n\t}\r\n}',
    ],
    ['an empty object', '{\n  "s": {}\n}', '{\n  "s": {\n    "a": {\n      "x": [\n        1\n      ]\n    }\n  }\n}'],
    ['an empty object of two lines', '{\n"s": {\n}\n}', '{\n"s": {"a": {"x": [1]}\n}\n}'],
    [
      'neighbours of one line',
      '{\n  "s": {\n    "b": { "c": 1 }\n  }\n}',
      '{\n  "s": {\n    "b": { "c": 1 },\n    "a": { "x": [1] }\n  }\n}',
    ],
    ['one line', '{"s": {"b": {"c": 1}}}', '{"s": {"b": {"c": 1}, "a": {"x": [1]}}}'],
    ['one tight line', '{"s":{"b":{"c":1}}}', '{"s":{"b":{"c":1},"a":{"x":[1]}}}'],
  ])('puts an object beside its neighbours as they stand there, and takes it out again: %s', (_name, before, after) => {
    const result = editJson(before, STRICT, [{ path: ['s', 'a'], to: { json: { x: [1] } } }]);
    if (!result.ok) throw new Error(result.problem.message);
    expect(result.text).toBe(after);
    expect(editJson(after, STRICT, undoEdits(result.changes))).toMatchObject({ ok: true, text: before });
    // In place of the same object, it changes nothing.
    expect(editJson(after, STRICT, [{ path: ['s', 'a'], to: { json: { x: [1] } } }])).toMatchObject({ text: after });
  });

  it.each<[string, string, readonly JsonEdit[], string]>([
    [
      'a member behind one that goes',
      '{"s": {"a": 1, "b": 2, "c": 3}}',
      [removal('b'), addition('x', 'a')],
      '{"s": {"a": 1, "x": "x", "c": 3}}',
    ],
    [
      'two members behind one',
      '{"s": {"a": 1, "c": 3}}',
      [addition('x', 'a'), addition('y', 'a')],
      '{"s": {"a": 1, "x": "x", "y": "y", "c": 3}}',
    ],
    ['neighbours that both go', '{"s": {"a": 1, "b": 2, "c": 3}}', [removal('c'), removal('b')], '{"s": {"a": 1}}'],
  ])('edits that touch: %s', (_name, before, edits, after) => {
    expect(editJson(before, STRICT, edits)).toMatchObject({ ok: true, text: after });
  });

  it.each<[string, string, readonly JsonEdit[]]>([
    ['the first two members go', '{"s": {"a": 1, "b": 2, "c": 3}}', [removal('a'), removal('b')]],
    ['two members for an empty object', '{"s": {}}', [addition('x'), addition('y')]],
  ])('edits that need the same comma are refused: %s', (_name, text, edits) => {
    expect(editJson(text, STRICT, edits)).toMatchObject({
      ok: false,
      problem: { message: 'two edits here need the same comma' },
    });
  });

  it('no key is special', () => {
    const path: JsonPath = ['mcpServers', '__proto__', 'command'];
    expect(edited('{"mcpServers": {"__proto__": {"command": "a"}, "*": {"command": "b"}}}', [{ path, to: { value: 'c' } }])).toBe(
      '{"mcpServers": {"__proto__": {"command": "c"}, "*": {"command": "b"}}}',
    );
  });

  it.each<[string, string, JsonSyntax, string, number, number]>([
    ['a comment where the client takes none', '{\n  // x\n}', STRICT, 'comments are not allowed here', 2, 3],
    ['a trailing comma where the client takes none', '\uFEFF{"a": 1,}', STRICT, 'trailing commas are not allowed here', 1, 9],
    ['a file cut short', '{"mcpServers": {', LENIENT, 'the file ends too early', 1, 17],
    ['no such object', '{"mcpServers": {}}', STRICT, 'mcpServers.s.command: there is no "s"', 1, 16],
    [
      'an entry that is no object',
      '{"mcpServers": {"s": 1}}',
      STRICT,
      'mcpServers.s.command: there is no object to put it in',
      1,
      22,
    ],
    ['a server twice', '{"mcpServers": {"s": {},\n"s": {}}}', STRICT, 'mcpServers.s.command: the key "s" appears twice', 2, 1],
    [
      'a table twice',
      '{"mcpServers": {},\r\n "mcpServers": {"s": {}}}',
      STRICT,
      'mcpServers.s.command: the key "mcpServers" appears twice',
      2,
      2,
    ],
    [
      'a value twice',
      '{"mcpServers": {"s": {"command": "a", "comm\\u0061nd": "b"}}}',
      STRICT,
      'mcpServers.s.command: the key "command" appears twice',
      1,
      39,
    ],
  ])('refuses %s, with the place', (_name, text, syntax, message, line, column) => {
    expect(editJson(text, syntax, wrapping())).toEqual({ ok: false, problem: { message, line, column } });
  });

  it.each([
    ['the same value twice', [S, S]],
    ['a value within another', [[...S, 'command'], S]],
    ['the whole file', [[]]],
  ])('refuses to change %s', (_name, paths) => {
    const edits = paths.map((path): JsonEdit => ({ path, to: { raw: '1' } }));
    expect(editJson('{"mcpServers": {"s": {"command": "a"}}}', STRICT, edits)).toMatchObject({ ok: false });
  });
});

describe('formatPath', () => {
  it('quotes what is no plain name', () => {
    expect(formatPath(['projects', '/home/a b', 'mcpServers', 's-1'])).toBe('projects."/home/a b".mcpServers.s-1');
  });
});
