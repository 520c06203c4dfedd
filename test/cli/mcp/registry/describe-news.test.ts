import { describe, expect, it } from 'vitest';
import { describeNews } from '../../../../src/cli/mcp/registry/describe-news.ts';

const HASHES = { previous_hash: `sha256:${'a'.repeat(64)}`, new_hash: `sha256:${'b'.repeat(64)}` };

describe('describeNews', () => {
  it.each([
    [
      'mcp_tool_seen',
      { status: 'new', kind: 'tool', tool_hash: HASHES.new_hash, description: 'Reads.' },
      'new, bbbbbbbb, "Reads."',
    ],
    [
      'mcp_tool_seen',
      {
        status: 'new',
        kind: 'resource_template',
        renamed_from: 'old',
        problem: 'listed twice',
        look_alikes: [
          { server_id: 'bank', tool_name: 'pay' },
          { server_id: 'shop', tool_name: 'pay' },
        ],
      },
      'new, resource template, was old, looks like bank:pay and shop:pay, listed twice',
    ],
    [
      'mcp_tool_seen',
      {
        status: 'new',
        detections: [
          { severity: 'critical', pattern: 'a.b' },
          { severity: 'high', pattern: 'c.d' },
          { severity: 'critical', pattern: 'a.b' },
        ],
      },
      'new, found critical a.b and high c.d',
    ],
    ['mcp_tool_changed', { ...HASHES, detections: [{ severity: 'low', pattern: 'a.b' }] }, 'aaaaaaaa → bbbbbbbb, found low a.b'],
    [
      'mcp_tool_changed',
      {
        ...HASHES,
        kind: 'tool',
        changes: [{ field: 'title', previous: '"a"', new: '"b"' }, { field: 'x', new: '1' }, { field: '(3 more)' }],
      },
      'aaaaaaaa → bbbbbbbb, title: "a" → "b", x: (none) → 1, (3 more)',
    ],
    [
      'mcp_tool_changed',
      {
        changes: [
          { field: 'description', previous: '', new: 'a → b, title: x\n\u001b[2J' },
          { field: 'x', previous: '{"a":"b → c"}', new: '{"a":…' },
        ],
      },
      String.raw`description: "" → "a → b, title: x\n\u001b[2J", x: {"a":"b → c"} → "{\"a\":…"`,
    ],
    ['mcp_server_changed', { ...HASHES, changes: 'edited' }, 'aaaaaaaa → bbbbbbbb'],
    ['mcp_server_changed', { previous_hash: 'x', changes: [null, 3, { field: 4 }] }, undefined],
  ])('%s %j', (type, fields, text) => {
    expect(describeNews(type, fields)).toBe(text);
  });

  it('has nothing to say of other events', () => {
    expect(describeNews('mcp_tool_called', { changes: [] })).toBeUndefined();
  });
});
