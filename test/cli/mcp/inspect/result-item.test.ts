import { describe, expect, it } from 'vitest';
import { isContent, toResultItem } from '../../../../src/cli/mcp/inspect/result-item.ts';
import type { JsonValue } from '../../../../src/core/json.ts';

describe('toResultItem', () => {
  const text = { type: 'text', text: 'hello' };
  it.each<[string, JsonValue, string, readonly string[]]>([
    ['a text', 'hello', 'result', ['text']],
    ['a result of a call', { content: [text] }, 'result', ['content[0].text']],
    ['its parts alone', [text, text], 'result', ['content[0].text', 'content[1].text']],
    ['any value', { rows: ['a'] }, 'result', ['rows[0]']],
    ['a whole answer', { jsonrpc: '2.0', id: 1, result: { content: [text] } }, 'result', ['content[0].text']],
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } }, 'error', ['message']],
    ['a resource', { contents: [{ uri: 'a:b', text: 'x' }] }, 'resource', ['contents[0].text']],
    ['a prompt', { messages: [{ role: 'user', content: text }] }, 'prompt', ['messages[0].content.text']],
    ['nothing to read', 7, 'result', []],
  ])('%s', (_case, value, kind, fields) => {
    const item = toResultItem(value);
    expect([item.kind, item.fields.map(({ field }) => field)]).toEqual([kind, fields]);
  });

  it('tells the parts of one result from several results', () => {
    expect(isContent([text, { type: 'image' }])).toBe(true);
    expect(isContent([text, { content: [text] }])).toBe(false);
    expect(isContent(['a'])).toBe(false);
  });
});
