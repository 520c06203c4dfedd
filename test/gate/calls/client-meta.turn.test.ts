import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/core/json.ts';
import { turnOf } from '../../../src/gate/calls/client-meta.ts';

function turn(meta: JsonValue): string | undefined {
  return turnOf({ method: 'tools/call', server: 's', tool: 't', extra: { _meta: meta } });
}

describe('turnOf', () => {
  it.each<[JsonValue, string]>([
    [{ 'x-codex-turn-metadata': { turn_id: 'turn-7', session_id: 's' } }, 'turn-7'],
    [{ 'x-codex-turn-metadata': '{"turn_id":"turn-8"}' }, 'turn-8'],
  ])('%j', (meta, expected) => {
    expect(turn(meta)).toBe(expected);
  });

  it.each<JsonValue>([
    {},
    null,
    'text',
    [],
    { 'claudecode/toolUseId': 'toolu_1' },
    { 'x-codex-turn-metadata': null },
    { 'x-codex-turn-metadata': '{"turn_id":' },
    { 'x-codex-turn-metadata': '[1]' },
    { 'x-codex-turn-metadata': 'null' },
    { 'x-codex-turn-metadata': { turn_id: 7 } },
    { 'x-codex-turn-metadata': { turn_id: '' } },
    { 'x-codex-turn-metadata': { turn_id: 'x'.repeat(129) } },
    { 'x-codex-turn-metadata': JSON.stringify({ turn_id: 'a', more: 'x'.repeat(5000) }) },
  ])('knows none in %j', (meta) => {
    expect(turn(meta)).toBeUndefined();
  });

  it('knows none where the call says nothing else', () => {
    expect(turnOf({ method: 'tools/call', server: 's', tool: 't' })).toBeUndefined();
  });
});
