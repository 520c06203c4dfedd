import { afterEach, beforeEach, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { EveryModel } from '../support/every-model.ts';
import { post } from '../support/post.ts';
import { Serving } from '../support/serving.ts';

/**
 * What Anthropic runs by itself is taken out of a request where the policy denies it, since it has been run when its call is seen. It was not where a
 * message added it to the tools, nor under a type that clawai did not know.
 */
const POLICY =
  '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\nserver = "native"\ntool = "web_search"\n[[rule]]\naction = "deny"\nserver = "remote"\ntool = "**"\n';

const SEARCH = { type: 'web_search_20260318', name: 'web_search' };
const TOOLSET = { type: 'mcp_toolset', mcp_server_name: 'remote' };
const MINE = { name: 'mine', input_schema: { type: 'object' } };

const adding = (definition: object): object => ({ type: 'tool_addition', tool: { type: 'tool_definition', definition } });
const request = (definition: object): object => ({
  model: 'm',
  max_tokens: 9,
  mcp_servers: [{ type: 'url', name: 'remote', url: 'https://mcp.example.com/' }],
  messages: [
    { role: 'user', content: 'Search.' },
    { role: 'system', content: [adding(definition)] },
    { role: 'user', content: [{ type: 'compaction', content: 'c', tool_changes: [adding(MINE), adding(definition)] }] },
  ],
});

const sandbox = useSandbox();
let model: EveryModel;
let serving: Serving;
beforeEach(async () => {
  model = await EveryModel.start();
  const config = `[llm.providers.anthropic]\nbase_url = "${model.origin}"\n[llm.providers.openai]\nbase_url = "${model.origin}/v1"\n`;
  serving = await Serving.start(sandbox.current, { policy: POLICY, config });
});
afterEach(async () => {
  await serving.stop();
  await model.stop();
});

it('what a message adds is not asked for, alone and in a batch, and what nobody denies is', async () => {
  const url = serving.llmUrl('anthropic');
  for (const definition of [SEARCH, TOOLSET]) {
    await post(`${url}/v1/messages`, request(definition));
    await post(`${url}/v1/messages/batches`, { requests: [{ custom_id: 'a', params: request(definition) }] });
  }
  expect(model.bodies).toHaveLength(4);
  for (const body of model.bodies) {
    expect(body).not.toMatch(/web_search|mcp_toolset|mcp\.example\.com/);
    expect(body).toContain('[clawai] A tool that was added here is taken out');
    expect(body).toContain(JSON.stringify([adding(MINE)]));
  }
});

it('a type that nobody knows is not asked for', async () => {
  const later = ['web_search', 'web_search_20990101_b'].map((type) => ({ ...SEARCH, type }));
  await post(`${serving.llmUrl('anthropic')}/v1/messages`, { messages: [], tools: [MINE, ...later] });
  expect(model.bodies).toEqual([JSON.stringify({ messages: [], tools: [MINE] })]);
});

it('tools that are no list are refused', async () => {
  for (const [provider, path, members] of [
    ['anthropic', '/v1/messages', { tools: SEARCH }],
    ['anthropic', '/v1/messages', { mcp_servers: { type: 'url', name: 'remote', url: 'https://mcp.example.com/' } }],
    ['openai', '/chat/completions', { tools: { type: 'web_search' } }],
  ] as const) {
    const { status, text } = await post(serving.llmUrl(provider) + path, { messages: [], ...members });
    expect([status, text]).toEqual([400, expect.stringContaining('no list')]);
  }
  expect(model.bodies).toEqual([]);
});
