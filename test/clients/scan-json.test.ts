import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMMENTS, LENIENT, STRICT } from '../../src/clients/client.ts';
import { ANY, scanJson } from '../../src/clients/scan-json.ts';
import { runs } from '../support/runs.ts';

function accepts(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The text without comments and trailing commas, where it has any outside of strings. */
function withoutExtras(text: string): string {
  const uncommented = text.replace(/"(?:\\.|[^"\\])*"|\/\/[^\r\n]*|\/\*.*?\*\//gs, (part) => (part.startsWith('"') ? part : ' '));
  return uncommented.replace(/"(?:\\.|[^"\\])*"|(?<=[\w"\]}]\s*),(?=\s*[\]}])/gs, (part) => (part === ',' ? '' : part));
}

/** Texts that are nearly JSON: valid ones with a piece put in or taken out. */
const nearlyJson = fc
  .tuple(
    fc.json(),
    fc.nat(),
    fc.nat(3),
    fc.constantFrom('', ',', '"', '{', ']', '//x\n', '/*', '\\', '01', '-', '1e', '\t', '\u0001', 'tru', ':', '\uFEFF'),
  )
  .map(
    ([text, at, cut, piece]) => `${text.slice(0, at % (text.length + 1))}${piece}${text.slice((at % (text.length + 1)) + cut)}`,
  );

describe('scanJson', () => {
  it('without comments and trailing commas, accepts what JSON.parse accepts', () => {
    fc.assert(
      fc.property(nearlyJson, (text) => {
        fc.pre(text.trim() !== '' && !text.startsWith('\uFEFF'));
        expect(scanJson(text, STRICT, [[]]).ok).toBe(accepts(text));
      }),
      { numRuns: runs(3000) },
    );
  });

  it('with both, accepts what JSON.parse accepts without them', () => {
    fc.assert(
      fc.property(nearlyJson, (text) => {
        fc.pre(!text.startsWith('\uFEFF'));
        const strict = withoutExtras(text);
        expect(scanJson(text, LENIENT, [[]]).ok).toBe(strict.trim() === '' || accepts(strict));
      }),
      { numRuns: runs(3000) },
    );
  });

  it.each([
    ['{"a": 1, // x\n}', STRICT, 9, 'comments are not allowed here'],
    ['{"a": 1,}', STRICT, 8, 'trailing commas are not allowed here'],
    ['{"a": [1,]}', COMMENTS, 9, 'trailing commas are not allowed here'],
    ['{"a": [,]}', LENIENT, 7, 'a value or "]" is missing here'],
    ['{,}', LENIENT, 1, 'a key in double quotes or "}" is missing here'],
    ['{"a": 1', LENIENT, 7, 'the file ends too early'],
    ['{"a" 1}', LENIENT, 5, '":" is missing here'],
    ['{"a": 1} {', LENIENT, 9, 'there is something behind the end of the value'],
    ['{"a": "x\n"}', LENIENT, 6, 'a string is not well-formed'],
    ['{"a": 1 /* ', LENIENT, 8, 'a comment has no end'],
    ["{'a': 1}", LENIENT, 1, 'a key in double quotes or "}" is missing here'],
  ])('%j is refused where it goes wrong', (text, syntax, offset, message) => {
    expect(scanJson(text, syntax, [[]])).toEqual({ ok: false, offset, message });
  });

  it('keeps only what the patterns lead to', () => {
    const text = '{"other": {"x": 1}, "projects": {"/a": {"history": [1, 2], "mcpServers": {"s": {"command": "c"}}}, "/b": 1}}';
    const scan = scanJson(text, STRICT, [['projects', ANY, 'mcpServers']]);
    const projects = scan.ok ? scan.root?.members : undefined;
    expect(projects?.map(({ key }) => key)).toEqual(['projects']);
    const [a, b] = projects?.[0]?.node.members ?? [];
    expect([a?.key, b?.key]).toEqual(['/a', '/b']);
    expect(a?.node.members.map(({ key }) => key)).toEqual(['mcpServers']);
    expect(a?.node.members[0]?.node.members[0]?.node.members[0]?.node).toMatchObject({
      kind: 'string',
      value: 'c',
      start: text.indexOf('"c"'),
    });
  });

  it('nests a thousand levels, and says where a text goes deeper', () => {
    const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(scanJson(nested(1000), STRICT, [[]]).ok).toBe(true);
    expect(scanJson(nested(1001), STRICT, [])).toMatchObject({
      ok: false,
      offset: 1000,
      message: expect.stringContaining('deeper'),
    });
    expect(scanJson(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`, STRICT, [['a', 'a']]).ok).toBe(true);
  });
});
