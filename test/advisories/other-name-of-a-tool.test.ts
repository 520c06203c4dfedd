import { afterEach, beforeEach, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { ASKINGS, EveryModel } from '../support/every-model.ts';
import { post } from '../support/post.ts';
import { Serving } from '../support/serving.ts';

/**
 * Clients run tools that the model has no exact name for: opencode looks for the name in small letters, Claude Code and Gemini CLI know what their tools
 * were called before, many take off what a model puts around a name (Gemini's `default_api:`, `functions.`). A rule that denies a tool was passed by
 * such a name of it.
 */
const POLICY =
  '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\nserver = "native"\ntool = ["bash", "Agent", "TaskStop", "grep_search"]\n';

const sandbox = useSandbox();
let model: EveryModel;
let serving: Serving;
beforeEach(async () => {
  model = await EveryModel.start();
  const tables = ['anthropic', 'openai', 'responses', 'gemini'].map(
    (name) => `[llm.providers.${name}]\ndialect = "${name === 'responses' ? 'openai' : name}"\nbase_url = "${model.origin}"\n`,
  );
  serving = await Serving.start(sandbox.current, { policy: POLICY, config: tables.join('') });
});
afterEach(async () => {
  await serving.stop();
  await model.stop();
});

const OFFERED = ['bash', 'Agent', 'TaskStop', 'grep_search', 'Edit'];

/** What a request for an answer is in each API, with these tools. */
const REQUESTS = {
  anthropic: { path: '/v1/messages', body: { messages: [], tools: OFFERED.map((name) => ({ name, input_schema: {} })) } },
  openai: {
    path: '/v1/chat/completions',
    body: { messages: [], tools: OFFERED.map((name) => ({ type: 'function', function: { name } })) },
  },
  responses: {
    path: '/v1/responses',
    body: { input: 'Do it.', tools: OFFERED.map((name) => ({ type: 'function', name })) },
  },
  gemini: {
    path: '/v1beta/models/m',
    body: { contents: [], tools: [{ functionDeclarations: OFFERED.map((name) => ({ name })) }] },
  },
};

async function ask(
  name: string,
  agent: string,
  { provider, isStream }: (typeof ASKINGS)[number],
  offered: 'all' | 'none' = 'all',
): Promise<'denied' | 'called'> {
  model.call = { id: 'call_1', name, args: { command: 'ls' } };
  const { path, body } = REQUESTS[provider];
  const method = provider === 'gemini' ? (isStream ? ':streamGenerateContent?alt=sse' : ':generateContent') : '';
  const headers = { 'user-agent': agent, 'x-claude-code-session-id': 's' };
  const { text } = await post(
    serving.llmUrl(provider) + path + method,
    { ...body, ...(offered === 'none' && { tools: [] }), stream: isStream },
    headers,
  );
  return text.includes('[clawai') && !text.includes(`"${name}","`) ? 'denied' : 'called';
}

it.each(ASKINGS)('$provider, streamed: $isStream', async (asking) => {
  for (const [name, agent] of [
    ['Bash', 'opencode/1.17.4 ai-sdk/provider'],
    ['BASH', 'some-program/1'],
    ['Task', 'claude-cli/2.1.332 (external, cli)'],
    ['KillShell', 'claude-cli/2.1.332 (external, cli)'],
    ['search_file_content', 'GeminiCLI/0.61.0/m (linux; x64)'],
    ['default_api:bash', 'google-genai-sdk/1.30.0 gl-node/v24'],
    ['functions.bash', 'some-program/1'],
    ['functions.bash:0', 'some-program/1'],
  ] as const) {
    expect([name, await ask(name, agent, asking)]).toEqual([name, 'denied']);
  }
  expect(await ask('edit', 'opencode/1.17.4', asking)).toBe('called');
  expect(await ask('default_api:bash', 'some-program/1', asking, 'none')).toBe('denied');
  // What is on record is the tool that would have run.
  const denied = JSON.stringify(sandbox.current.decided());
  for (const tool of ['bash', 'Agent', 'TaskStop', 'grep_search']) expect(denied).toContain(`"${tool}"`);
});
