import { describe, expect, it } from 'vitest';
import { editBatchRequest, readBatchRequest, restoreBatchCalls } from '../../../../src/protocol/llm/anthropic/batches.ts';
import { createLedger, tellable } from '../../../support/denied-ledger.ts';

const SEARCH = '{"type":"web_search_20260318","name":"web_search"}';
const OWN = '{"name":"read", "input_schema":{"n":1.0}}';
const entry = (id: string, tools: string) => `{"custom_id":"${id}", "params":{"model":"m","tools":[${tools}]}}`;
const batch = (...entries: string[]) => `{ "requests": [ ${entries.join(' , ')} ] , "x": 1e2 }`;
const DENIED = { providerTools: new Set(['web_search']), mcpServers: new Set(['ex']), mcpTools: new Map() };

describe('a request for a batch', () => {
  it('offers what all of its requests offer', () => {
    const servers = '{"params":{"mcp_servers":[{"name":"ex","url":"https://me:hush@ex.org/?key=hush"}]}}';
    const read = readBatchRequest(batch(entry('a', SEARCH), entry('b', OWN), servers));
    expect(read).toMatchObject({ tools: [{ name: 'web_search' }, { name: 'read' }], mcpServers: [{ name: 'ex' }] });
    expect(JSON.stringify(read)).not.toContain('hush');
  });

  it.each(['{}', '{"requests":7}', '{"requests":[]}', '{"requests":[{"custom_id":"a"}]}'])('may have none: %s', (text) => {
    expect(readBatchRequest(text)).toEqual({ tools: [], mcpServers: [], results: [], previousAnswer: undefined });
    expect(editBatchRequest(text, DENIED)).toBe(text);
  });

  it('loses what is denied in each of its requests, and nothing else', () => {
    const text = batch(entry('a', `${SEARCH}, ${OWN}`), entry('b', OWN), entry('c', SEARCH));
    expect(editBatchRequest(text, DENIED)).toBe(batch(entry('a', OWN), entry('b', OWN), entry('c', '')));
  });

  it('has the denied calls again in each of its requests, and nothing else', () => {
    const ledger = createLedger();
    const call = '{"type":"tool_use","id":"a","name":"n","input":{}}';
    const note = ledger.note(tellable(call), 'No.');
    const of = (said: string, next: string) =>
      `{"params":{"messages":[{"role":"assistant","content":[${said}]}${next}]}, "n":1.0}`;
    const noted = of(`{"type":"text","text":${JSON.stringify(note)}}`, '');
    const result = '{"type":"tool_result","tool_use_id":"a","is_error":true,"content":"No."}';
    const restored = of(call, `,{"role":"user","content":[${result}]}`);
    expect(restoreBatchCalls(batch(noted, entry('b', OWN), noted), ledger)).toBe(batch(restored, entry('b', OWN), restored));
  });

  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['requests twice', '{"requests":[],"requests":[]}'],
    ['requests in other letters', '{"Requests":[]}'],
    ['a request that is none', '{"requests":[7]}'],
    ['params twice', `{"requests":[{"params":{},"params":{"tools":[${SEARCH}]}}]}`],
    ['params in other letters', `{"requests":[{"params":{},"Params":{"tools":[${SEARCH}]}}]}`],
    ['params that are none', '{"requests":[{"params":[]}]}'],
    ['tools in other letters', `{"requests":[{"params":{"Tools":[${SEARCH}]}}]}`],
    ['too much nesting', `{"requests":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
  ])('can not be told of what has %s', (_what, text) => {
    expect(readBatchRequest(text)).toBeTypeOf('string');
  });
});
