import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { isToolUseId, isUniqueId, toolUseIdOf } from '../../../src/gate/calls/client-meta.ts';

const LONG = 'x'.repeat(257);

describe('the id of a call that a client says', () => {
  it.each<[string, JsonObject, string | undefined]>([
    ['Claude Code', { _meta: { 'claudecode/toolUseId': 'toolu_1', progressToken: 1 } }, 'toolu_1'],
    ['Codex', { _meta: { callId: 'call_1', 'x-codex-turn-metadata': '{}' } }, 'call_1'],
    ['both, the same', { _meta: { 'claudecode/toolUseId': 'a', callId: 'a' } }, 'a'],
    ['both, and others', { _meta: { 'claudecode/toolUseId': 'a', callId: 'b' } }, ''],
    ['no text', { _meta: { callId: 7 } }, ''],
    ['an empty one', { _meta: { callId: '' } }, ''],
    ['one that is too long', { _meta: { callId: LONG } }, ''],
    ['none', { _meta: { progressToken: 1 } }, undefined],
    ['no _meta', { task: {} }, undefined],
    ['a _meta that is none', { _meta: 'callId' }, undefined],
  ])('%s', (_who, extra, id) => {
    expect(toolUseIdOf({ method: 'tools/call', server: 's', extra })).toBe(id);
  });

  it('is none where nothing is said', () => {
    expect(toolUseIdOf({ method: 'tools/call', server: 's' })).toBeUndefined();
  });
});

it('an id that APIs give can be compared', () => {
  expect([isToolUseId('toolu_01AbC'), isToolUseId(''), isToolUseId(LONG)]).toEqual([true, false, false]);
});

it.each([
  ['toolu_01A09q90qw90lq917835lq9', true],
  ['call_12xaz3dz2rz8hcfw', true],
  ['call_0', false],
  ['toolu_1', false],
  ['functions.read_file:0', false],
  ['functions.mcp__fs__read-file:12', false],
  ['', false],
  [LONG, false],
])('%j is that of one call alone: %s', (id, is) => {
  expect(isUniqueId(id, { tool: 'read_file' })).toBe(is);
  expect(isUniqueId(id, {})).toBe(is || id.startsWith('functions.'));
});

it.each([
  ['toolu_01A09q90qw90lq917835lq9', 't', true],
  ['toolu_01A09q90qw90lq917835lq9', 'lq9', true],
  ['functions.mcp__files__t:12', 't', false],
  ['functions.mcp__files__go:12', 'GO', false],
])('%j of the tool %s: %s', (id, tool, is) => {
  expect(isUniqueId(id, { tool })).toBe(is);
});
