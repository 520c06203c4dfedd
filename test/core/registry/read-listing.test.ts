import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonObject, type JsonValue, parseJson } from '../../../src/core/json.ts';
import { fingerprintOf } from '../../../src/core/registry/fingerprint.ts';
import { readListing } from '../../../src/core/registry/read-listing.ts';

function read(text: string, kind: Parameters<typeof readListing>[0] = 'tool') {
  return readListing(kind, parseJson(text) as JsonObject);
}

describe('readListing', () => {
  it.each([
    ['tool', '{"tools":[{"name":"a"}]}'],
    ['prompt', '{"prompts":[{"name":"a"}]}'],
    ['resource', '{"resources":[{"uri":"a"}]}'],
    ['resource_template', '{"resourceTemplates":[{"uriTemplate":"a"}]}'],
  ] as const)('reads a list of kind %s', (kind, text) => {
    const { definitions, ...rest } = read(text, kind);
    expect(definitions.map((definition) => [definition.kind, definition.name])).toEqual([[kind, 'a']]);
    expect(rest).toEqual({ unusable: [], problems: [], nextCursor: undefined });
  });

  it.each([
    ['{"tools":[]}', undefined, []],
    ['{"tools":[],"nextCursor":"2"}', '2', []],
    ['{"tools":[],"nextCursor":""}', '', []],
    ['{"tools":[],"nextCursor":null}', undefined, []],
    ['{"tools":[],"nextCursor":2}', undefined, ['nextCursor is no string']],
    ['{"tools":[],"nextCursor":1.0}', undefined, ['nextCursor is no string']],
    ['{}', undefined, ['there are no tools']],
    ['{"__proto__":{"tools":[]}}', undefined, ['there are no tools']],
    ['{"tools":{"name":"a"}}', undefined, ['tools is no array']],
    ['{"tools":null}', undefined, ['tools is no array']],
  ])('%s', (text, nextCursor, problems) => {
    expect(read(text)).toEqual({ definitions: [], unusable: [], problems, nextCursor });
  });

  it('says which elements have no name to be known by', () => {
    const { definitions, unusable, problems } = read('{"tools":[null,{"name":"a"},1.0,"b",[],{"name":7},{"title":"c"},true]}');
    expect(definitions.map(({ name }) => name)).toEqual(['a']);
    expect(unusable).toEqual([0, 2, 3, 4, 5, 6, 7]);
    expect(problems).toEqual([0, 2, 3, 4, 5, 6, 7].map((index) => `tools[${index}] has no name`));
  });

  it('a name that is too long is none', () => {
    const names = ['x'.repeat(1024), 'x'.repeat(1025), 'x'.repeat(1_000_000)];
    const { definitions, unusable, problems } = readListing('tool', { tools: names.map((name) => ({ name })) });
    expect(definitions.map(({ name }) => name)).toEqual(names.slice(0, 1));
    expect(unusable).toEqual([1, 2]);
    expect(problems).toEqual(['tools[1] has a name of 1025 characters', 'tools[2] has a name of 1000000 characters']);
  });

  it('says which names have control characters', () => {
    const { definitions, problems } = read('{"tools":[{"name":"a\\u001b[2J"},{"name":"\\u0085"},{"name":"é\\u202e"}]}');
    expect(definitions).toHaveLength(3);
    expect(problems).toEqual([
      'tools[0] has control characters in its name "a\\u001b[2J"',
      'tools[1] has control characters in its name "\u0085"',
    ]);
  });

  it('hazard 37: a second definition of a name hides nothing and is not hidden', () => {
    const { definitions, problems } = read('{"tools":[{"name":"a","x":1},{"name":"b"},{"name":"a","x":2}]}');
    const text = '[{"name":"a","x":1},{"name":"a","x":2}]';
    expect(definitions[0]).toEqual({ kind: 'tool', name: 'a', text, fingerprint: fingerprintOf(text) });
    expect(definitions.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(problems).toEqual(['2 of the tools are named "a"']);
  });

  it('tells only some of many problems, and cuts names', () => {
    const { problems } = readListing('tool', { tools: Array.from({ length: 1000 }, () => null) });
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toBe('980 more problems');
    const [problem] = readListing('tool', { tools: [{ name: `\n${'x'.repeat(1000)}` }] }).problems;
    expect(problem?.length).toBeLessThan(200);
  });

  it('reads no more than so many elements', () => {
    const tools = Array.from({ length: 100_003 }, (_, index) => ({ name: `t${index}` }));
    const { definitions, unusable, problems } = readListing('tool', { tools });
    expect(definitions).toHaveLength(100_000);
    expect(unusable).toEqual([100_000, 100_001, 100_002]);
    expect(problems).toEqual(['of 100003 tools, those after the first 100000 are not read']);
  });

  it('every element is either unusable or under its name, whatever it is', () => {
    const name = fc.oneof(fc.string({ unit: 'binary', maxLength: 3 }), fc.constantFrom('a', 'b', 1, null));
    const element = fc.oneof(fc.jsonValue(), fc.record({ name, value: fc.jsonValue() }));
    fc.assert(
      fc.property(fc.array(element), (elements) => {
        const tools = elements as JsonValue[];
        const { definitions, unusable } = readListing('tool', { tools });
        const names = tools.filter((_, index) => !unusable.includes(index)).map((one) => (one as { name: string }).name);
        expect(new Set(definitions.map((definition) => definition.name))).toEqual(new Set(names));
        expect(new Set(names).size).toBe(definitions.length);
      }),
    );
  });
});
