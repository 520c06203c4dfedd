import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, type JsonValue } from '../../../src/core/json.ts';
import {
  combineDefinitions,
  fingerprintOf,
  instructionsDefinition,
  isFingerprint,
  toDefinition,
} from '../../../src/core/registry/fingerprint.ts';
import { tool } from './definitions.ts';

const FULL = `{
  "name": "read_file", "title": "Read", "description": "Reads a file",
  "inputSchema": { "type": "object", "properties": { "path": { "type": "string", "description": "Where", "default": { "a": [1, 2] } } }, "required": ["path"] },
  "outputSchema": { "type": "object" }, "annotations": { "readOnlyHint": true, "destructiveHint": false },
  "icons": [{ "src": "data:image/png;base64,AA==", "sizes": ["48x48"] }], "execution": { "taskSupport": "forbidden" }, "_meta": { "ui": { "resourceUri": "ui://a" } }
}`;

function fingerprint(text: string): string | undefined {
  return toDefinition('tool', parseJson(text))?.fingerprint;
}

describe('fingerprintOf', () => {
  it.each(['', '{"name":"a"}', '"é😀"'])('is the SHA-256 of the UTF-8 of %s', (text) => {
    expect(fingerprintOf(text)).toBe(`sha256:${createHash('sha256').update(Buffer.from(text)).digest('hex')}`);
  });
});

describe('isFingerprint', () => {
  const digits = 'a'.repeat(64);
  it.each([
    [`sha256:${digits}`, true],
    ['', false],
    ['sha256:', false],
    [digits, false],
    [`sha256:${digits}a`, false],
    [`sha256:${digits}\n`, false],
    [`sha256:${digits.toUpperCase()}`, false],
  ])('%j: %s', (text, expected) => {
    expect(isFingerprint(text)).toBe(expected);
  });
});

describe('toDefinition', () => {
  it('hazard 37: every member is in the fingerprint, and the order of members is not', () => {
    const changes: [string, string][] = [
      ['"name": "read_file"', '"name": "read_files"'],
      ['"title": "Read"', '"title": "Read "'],
      ['"Reads a file"', '"Reads a file\\u200b"'],
      ['"description": "Where"', '"description": "There"'],
      ['[1, 2]', '[2, 1]'],
      ['{ "a": [1, 2] }', '{ "a": [1, 2], "b": null }'],
      ['"required": ["path"]', '"required": []'],
      ['"outputSchema": { "type": "object" }', '"outputSchema": { "type": "object", "x": 1 }'],
      ['"readOnlyHint": true', '"readOnlyHint": false'],
      [', "destructiveHint": false', ''],
      ['AA==', 'AQ=='],
      ['"forbidden"', '"optional"'],
      ['ui://a', 'ui://b'],
      ['"title": "Read", ', ''],
      ['"title": "Read"', '"titel": "Read"'],
    ];
    const changed = changes.map(([from, to]) => {
      expect(FULL).toContain(from);
      return fingerprint(FULL.replace(from, to));
    });
    expect(new Set([...changed, fingerprint(FULL)]).size).toBe(changes.length + 1);
    const { name, ...rest } = JSON.parse(FULL) as Record<string, JsonValue>;
    expect(fingerprint(JSON.stringify({ ...rest, name }))).toBe(fingerprint(FULL));
  });

  it('hazard 37: any change of any value, however deep, is another fingerprint', () => {
    const paths = (value: unknown, path: readonly string[] = []): string[][] =>
      typeof value === 'object' && value !== null
        ? [[...path], ...Object.entries(value).flatMap(([name, member]) => paths(member, [...path, name]))]
        : [[...path]];
    const all = paths(JSON.parse(FULL)).filter((path) => path.length > 0);
    for (const path of all) {
      const value = JSON.parse(FULL) as Record<string, unknown>;
      let at = value;
      for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
      at[path.at(-1) ?? ''] = 'another';
      expect([path, toDefinition('tool', value as never)?.fingerprint]).not.toEqual([path, fingerprint(FULL)]);
    }
    expect(all.length).toBeGreaterThan(25);
  });

  it('numbers beyond 2^53 differ', () => {
    expect(fingerprint('{"name":"a","default":9007199254740993}')).not.toBe(
      fingerprint('{"name":"a","default":9007199254740992}'),
    );
    expect(fingerprint('{"name":"a","default":1e400}')).not.toBe(fingerprint('{"name":"a","default":1e401}'));
  });

  it.each([
    ['tool', '{"name":"a","uri":"b"}', 'a'],
    ['prompt', '{"name":"a"}', 'a'],
    ['resource', '{"name":"a","uri":"file:///b"}', 'file:///b'],
    ['resource_template', '{"name":"a","uriTemplate":"file:///{b}"}', 'file:///{b}'],
    ['tool', '{"name":""}', ''],
    ['tool', '{"name":"\\ud800\\u0000"}', '\ud800\0'],
    ['tool', '{"__proto__":{"name":"a"}}', undefined],
    ['resource', '{"name":"a"}', undefined],
    ['tool', '{"name":1}', undefined],
    ['tool', '{"name":1.0}', undefined],
    ['tool', '{"name":["a"]}', undefined],
    ['tool', '[{"name":"a"}]', undefined],
    ['tool', '"a"', undefined],
    ['tool', 'null', undefined],
    ['tool', '1.0', undefined],
  ] as const)('%s %s', (kind, text, name) => {
    expect(toDefinition(kind, parseJson(text))?.name).toBe(name);
  });

  it('takes whatever JSON can hold', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const definition = toDefinition('tool', { name: 'a', value: value as JsonValue });
        expect(definition?.fingerprint).toBe(fingerprintOf(definition?.text ?? ''));
      }),
    );
  });
});

describe('instructionsDefinition', () => {
  it('is the text as JSON, without a name', () => {
    expect(instructionsDefinition('Be "kind"')).toEqual({
      kind: 'instructions',
      name: '',
      text: '"Be \\"kind\\""',
      fingerprint: fingerprintOf('"Be \\"kind\\""'),
    });
  });
});

describe('combineDefinitions', () => {
  const [a, b, c] = [tool('x', { v: 1 }), tool('x', { v: 2 }), tool('x', { v: 3 })];

  it('is the array of all of them, whichever came together', () => {
    expect(combineDefinitions([a])).toBe(a);
    expect(combineDefinitions([a, b]).text).toBe(`[${a.text},${b.text}]`);
    expect(combineDefinitions([combineDefinitions([a, b]), c])).toEqual(combineDefinitions([a, combineDefinitions([b, c])]));
  });

  it('hazard 37: none of several definitions of a name can change, go or change places unseen', () => {
    const all = [
      combineDefinitions([a, b]),
      combineDefinitions([b, a]),
      combineDefinitions([a, c]),
      combineDefinitions([a, a]),
      a,
    ];
    expect(new Set(all.map(({ fingerprint: one }) => one)).size).toBe(all.length);
  });
});

describe('a resource', () => {
  const file = { uri: 'file:///a.log', name: 'a', size: 10, annotations: { lastModified: '2026-01-01T00:00:00Z', priority: 1 } };
  const of = (value: object, kind: 'resource' | 'tool' = 'resource'): string | undefined =>
    toDefinition(kind, parseJson(JSON.stringify(value)))?.fingerprint;

  it('that was written to is the same', () => {
    const later = { ...file, size: 20, annotations: { lastModified: '2026-02-01T00:00:00Z', priority: 1 } };
    expect(of(later)).toBe(of(file));
  });

  it.each([
    ['a priority', { ...file, annotations: { ...file.annotations, priority: 2 } }],
    ['a size that is a text', { ...file, size: 'Send it to me.' }],
    ['a date that is words', { ...file, annotations: { lastModified: 'Send it to me.', priority: 1 } }],
    ['a date that is none', { ...file, annotations: { lastModified: { x: 1 }, priority: 1 } }],
    ['a description', { ...file, description: 'x' }],
  ])('is another one with %s', (_what, changed) => {
    expect(of(changed)).not.toBe(of(file));
  });

  it('is the only kind of which anything is left out', () => {
    expect(of({ name: 'a', size: 1 }, 'tool')).not.toBe(of({ name: 'a', size: 2 }, 'tool'));
  });
});
