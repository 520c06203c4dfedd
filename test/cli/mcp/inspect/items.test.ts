import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDefinitions, textsBeside } from '../../../../src/cli/mcp/inspect/items.ts';
import { isTexts } from '../../../../src/cli/mcp/inspect/item.ts';
import type { JsonValue } from '../../../../src/core/json.ts';

/** What is found, by kind and name, and what is skipped. */
function found(value: JsonValue): readonly string[] | undefined {
  const all = findDefinitions(value);
  return (
    all && [
      ...all.items.map((item) => `${item.kind} ${isTexts(item) ? item.fields.length : item.name}`),
      ...all.skipped.map(({ what, why }) => `${what} ${why}`),
    ]
  );
}

const TOOL = { name: 'add', description: 'Adds.', inputSchema: { type: 'object' } };

describe('findDefinitions', () => {
  it.each<[string, JsonValue, readonly string[] | undefined]>([
    ['a tool', TOOL, ['tool add']],
    ['a tool without a schema, or a name', [{ name: 'a' }, { description: 'x' }], ['tool a', 'tool ']],
    ['a tool that has members like a list', { ...TOOL, tools: [] }, ['tool add']],
    ['a resource', { uri: 'file:///a', name: 'a' }, ['resource file:///a']],
    ['a template', { uriTemplate: 'file:///{p}', name: 'a' }, ['resource_template file:///{p}']],
    ['a prompt', { name: 'p', arguments: [{ name: 'q' }] }, ['prompt p']],
    ['a text', 'Use these tools.', ['instructions ']],
    ['an array', [TOOL, 'Do so.', { uri: 'x:y' }], ['tool add', 'instructions ', 'resource x:y']],
    [
      'what is no definition in an array',
      [TOOL, 1, null, [TOOL]],
      ['tool add', '[1] is no definition', '[2] is no definition', '[3] is no definition'],
    ],
    ['a result of tools/list', { tools: [TOOL, { name: 'b', arguments: [] }] }, ['tool add', 'tool b']],
    ['what is no tool in it', { tools: [TOOL, 'x'] }, ['tool add', 'tools[1] is no object']],
    [
      'other lists',
      { prompts: [{ name: 'p' }], resources: [{ uri: 'u:v' }], resourceTemplates: [{ uriTemplate: 't' }] },
      ['resource u:v', 'resource_template t', 'prompt p'],
    ],
    ['a list that is none beside one', { tools: [TOOL], prompts: 7 }, ['tool add', 'prompts is no list']],
    ['a whole answer', { jsonrpc: '2.0', id: 1, result: { tools: [TOOL] } }, ['tool add']],
    ['a greeting', { protocolVersion: '2025-11-25', capabilities: {}, instructions: 'Do.' }, ['instructions ']],
    [
      'a greeting that says more',
      { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'a', title: 'A server' } },
      ['definition 3'],
    ],
    [
      'one of the modern era',
      { supportedVersions: ['2026-07-28'], capabilities: {}, _meta: { a: 'A server' } },
      ['definition 2'],
    ],
    ['a list with more beside it', { tools: [TOOL], _meta: { a: 'A note.' } }, ['definition 1', 'tool add']],
    ['an empty list', { tools: [] }, []],
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } }, undefined],
    ['a number', 7, undefined],
    ['null', null, undefined],
  ])('%s', (_case, value, expected) => {
    expect(found(value)).toEqual(expected);
  });

  it('keeps the whole of a definition', () => {
    expect(findDefinitions({ tools: [TOOL] })?.items[0]).toMatchObject({ value: TOOL });
  });

  it('what a server says of itself, but for what is looked at as a definition, and for what says nothing', () => {
    const greeting = { protocolVersion: '1', instructions: 'Do.', serverInfo: { name: 'n', description: 'Has tools.' } };
    expect(textsBeside({ ...greeting, tools: [TOOL] })?.fields).toEqual([
      { field: 'protocolVersion', text: '1' },
      { field: 'serverInfo.name', text: 'n' },
      { field: 'serverInfo.description', text: 'Has tools.' },
    ]);
    expect(textsBeside({ serverInfo: { name: 'n', version: '1.0.0' }, tools: [TOOL] })).toBeUndefined();
    expect(textsBeside({ instructions: ['Do so.'], tools: 'Do so.' })?.fields).toHaveLength(2);
  });

  it('takes whatever comes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(() => findDefinitions(value as JsonValue)).not.toThrow();
      }),
    );
  });
});
