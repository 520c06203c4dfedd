// Conversations that go on after a call in them was denied, by the packages that agents are built on. The model refuses what its API would refuse.
import type { ServerResponse } from 'node:http';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { openaiApi } from '../../src/protocol/llm/openai/api.ts';
import { type CallPlan, stream } from '../support/chat-chunks.ts';
import { ALLOW, answerJson, answerStream, type Asked, denyNative, runLlm, type RunningLlm } from '../support/llm-route.ts';

// What it says of a model that it does not know is no matter here.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const POLICY = ALLOW + denyNative('shell', 'args.command = "**rm **"');
const RM: CallPlan = { id: 'call_rm', name: 'shell', args: '{"command":"rm -r /"}' };
const LS: CallPlan = { id: 'call_ls', name: 'shell', args: '{"command":"ls"}' };
const SCHEMA = { type: 'object', properties: { command: { type: 'string' } } } as const;

interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

interface Body {
  readonly messages: readonly Message[];
  readonly stream?: boolean;
}

/** What the model says, one answer after the other: words and calls. */
type Answers = readonly (readonly [words: string, calls: readonly CallPlan[]])[];

let route: RunningLlm | undefined;
afterEach(async () => {
  await route?.close();
  route = undefined;
});

/** What the API has against a conversation: each call has one result, behind the message that made it, and each result a call. */
function findFault(messages: readonly Message[]): string | undefined {
  let open = new Set<string>();
  for (const { role, tool_calls: calls, tool_call_id: id, content } of messages) {
    if (role === 'tool') {
      if (!open.delete(id ?? ''))
        return `messages with role 'tool' must be a response to a preceding message with 'tool_calls': ${id}`;
      continue;
    }
    if (open.size > 0) return `tool_call_ids did not have response messages: ${[...open].join()}`;
    if (role === 'assistant' && calls === undefined && (content === null || content === '')) return 'a message that says nothing';
    open = new Set(calls?.map((call) => call.id));
    if (open.size !== (calls?.length ?? 0)) return 'an id twice';
  }
  return open.size > 0 ? `tool_call_ids did not have response messages: ${[...open].join()}` : undefined;
}

async function start(
  ...answers: Answers
): Promise<{ readonly baseURL: string; readonly bodies: Body[]; readonly texts: string[] }> {
  const bodies: Body[] = [];
  const texts: string[] = [];
  const answer = ({ body }: Asked, response: ServerResponse): void => {
    const asked = JSON.parse(body.toString()) as Body;
    const fault = findFault(asked.messages);
    if (fault !== undefined) return answerJson(response, { error: { message: fault, type: 'invalid_request_error' } }, 400);
    const [words, calls] = answers[bodies.length] ?? ['All is said.', []];
    bodies.push(asked);
    texts.push(body.toString());
    if (asked.stream === true) return answerStream(response, stream(words, calls).replaceAll('chatcmpl-1', `c${bodies.length}`));
    const made = calls.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: args } }));
    const message = {
      role: 'assistant',
      content: words === '' ? null : words,
      refusal: null,
      ...(made.length === 0 ? {} : { tool_calls: made }),
    };
    const choices = [{ index: 0, message, finish_reason: made.length === 0 ? 'stop' : 'tool_calls' }];
    return answerJson(response, { id: `c${bodies.length}`, object: 'chat.completion', created: 1, model: 'm', choices });
  };
  route = await runLlm({ api: openaiApi, policy: POLICY, path: '/v1', answer });
  return { baseURL: route.url, bodies, texts };
}

const past = ({ id, name, args }: CallPlan) => ({ id, type: 'function', function: { name, arguments: args } });
const denied = {
  role: 'tool',
  tool_call_id: 'call_rm',
  content: expect.stringMatching(/^clawai denied the tool call "shell"/) as string,
};

describe('hazard 31: openai', () => {
  it.each([true, false])(
    'goes on after calls of which one was denied, and the model reads what it said itself; streamed: %s',
    async (isStreamed) => {
      const { baseURL, bodies, texts } = await start(['So.', [RM, LS]], ['', [RM]], ['Done.', []]);
      const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'go' }];
      const ask = async (): Promise<OpenAI.ChatCompletionMessage | undefined> => {
        const { completions } = client.chat;
        const body = { model: 'm', messages };
        const { choices } = isStreamed ? await completions.stream(body).finalChatCompletion() : await completions.create(body);
        return choices[0]?.message;
      };
      for (const turn of [1, 2, 3, 4]) {
        const message = await ask();
        if (message === undefined) throw new Error('nothing was said');
        messages.push(message);
        for (const { id } of message.tool_calls ?? []) messages.push({ role: 'tool', tool_call_id: id, content: 'ok' });
        messages.push({ role: 'user', content: `turn ${turn}` });
      }
      expect(messages.map(({ role }) => role).join(' ')).toBe(
        'user assistant tool user assistant user assistant user assistant user',
      );
      expect(JSON.stringify(messages)).not.toContain('rm -r');
      const last = bodies.at(-1)?.messages;
      expect(last).toMatchObject([
        { role: 'user' },
        { role: 'assistant', content: 'So.', tool_calls: [past(LS), past(RM)] },
        { role: 'tool', tool_call_id: 'call_ls', content: 'ok' },
        denied,
        { role: 'user' },
        { role: 'assistant', content: null, tool_calls: [past(RM)] },
        denied,
        { role: 'user' },
        { role: 'assistant', content: 'Done.' },
        { role: 'user' },
      ]);
      // Each prompt begins as the one before, so that caches have it.
      const prompts = texts.map((text) => text.slice(0, text.lastIndexOf(']')));
      for (const [at, prompt] of prompts.slice(1).entries()) expect(prompt.startsWith(prompts[at] ?? 'x')).toBe(true);
      expect(route?.warnings).toEqual([]);
    },
  );
});

describe('hazard 31: @ai-sdk/openai', () => {
  const run: string[] = [];
  const tools = {
    shell: tool({
      inputSchema: jsonSchema<{ command: string }>(SCHEMA),
      execute: ({ command }) => {
        run.push(command);
        return 'ok';
      },
    }),
  };

  it.each([true, false])('goes on in its steps; streamed: %s', async (isStreamed) => {
    run.length = 0;
    const { baseURL, bodies } = await start(['', [RM, LS]], ['Done.', []]);
    const options = {
      model: createOpenAI({ baseURL, apiKey: 'none' }).chat('gpt-x'),
      prompt: 'go',
      tools,
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    };
    const text = isStreamed ? await streamText(options).text : (await generateText(options)).text;
    expect([text, run]).toEqual(['Done.', ['ls']]);
    expect(bodies[1]?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: null, tool_calls: [past(LS), past(RM)] },
      { role: 'tool', tool_call_id: 'call_ls' },
      denied,
    ]);
  });
});
