// Programs that run what a model calls, built on the packages that agents are built on: what is denied is not run, and all goes on.
import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import { callBlock, stream, textBlock } from '../support/anthropic-events.ts';
import { ALLOW, answerStream, denyNative, runLlm, type RunningLlm } from '../support/llm-route.ts';

// What it says of a model that it does not know is no matter here.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const SCHEMA = { type: 'object', properties: { command: { type: 'string' } } } as const;
const POLICY = ALLOW + denyNative('Bash', 'args.command = "**rm **"');
const LS = callBlock('toolu_ls', 'Bash', '{"command":"ls"}');
const RM = callBlock('toolu_rm', 'Bash', '{"command":"rm -r /"}');

/** Runs an agent against a model that calls these at first, and then says that it is done. */
type Agent = (url: string, run: (command: string) => string) => Promise<string>;

const AGENTS: Readonly<Record<string, Agent>> = {
  'the AI SDK': async (url, run) => {
    const result = streamText({
      model: createAnthropic({ baseURL: `${url}/v1`, apiKey: 'k' })('claude-x'),
      prompt: 'go',
      tools: {
        Bash: tool({
          inputSchema: jsonSchema<{ command: string }>(SCHEMA),
          execute: async ({ command }) => run(command),
        }),
      },
      stopWhen: stepCountIs(3),
    });
    return await result.text;
  },
  "Anthropic's tool runner, whole answers one after the other": async (url, run) => {
    const client = new Anthropic({ baseURL: url, apiKey: 'k', maxRetries: 0 });
    const runner = client.beta.messages.toolRunner({
      model: 'claude-x',
      max_tokens: 100,
      max_iterations: 3,
      messages: [{ role: 'user', content: 'go' }],
      stream: true,
      tools: [
        {
          type: 'custom',
          name: 'Bash',
          description: 'Runs a command.',
          input_schema: SCHEMA,
          parse: (input: unknown) => input as { command: string },
          run: async ({ command }: { command: string }) => run(command),
        },
      ],
    });
    let text = '';
    for await (const streamed of runner) {
      const { content } = await streamed.finalMessage();
      text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    }
    return text;
  },
};

let running: RunningLlm | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe.each(Object.keys(AGENTS))('%s', (name) => {
  const agent = AGENTS[name] as Agent;

  it.each([
    ['runs what is allowed, once, and goes on', [LS, RM], ['ls'], 'done'],
    ['runs nothing where nothing is allowed, and reads why', [RM], [], 'denied'],
  ])('%s', async (_what, calls, expected, said) => {
    running = await runLlm({
      policy: POLICY,
      answer: ({ body }, response) => {
        const isFirst = !body.toString('utf8').includes('tool_result');
        answerStream(response, isFirst ? stream([textBlock('so'), ...calls]) : stream([textBlock('done')], 'end_turn'));
      },
    });
    const run: string[] = [];
    const text = await agent(running.url, (command) => {
      run.push(command);
      return 'ok';
    });
    expect(run).toEqual(expected);
    expect(text).toContain(said);
    expect(running.records.map(({ decision }) => decision.action)).toEqual(calls.map((call) => (call === RM ? 'deny' : 'allow')));
  });
});
