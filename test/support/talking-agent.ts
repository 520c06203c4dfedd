import { GoogleGenAI } from '@google/genai';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { Asking } from './every-model.ts';

/** A turn of a conversation. `result`: of a call that the model made. */
export type Turn = { readonly user: string | readonly string[] } | { readonly model: string } | { readonly result: string };

export interface Talk {
  readonly system?: string;
  readonly turns: readonly Turn[];
  /** True if it offers no tools. */
  readonly isBare?: boolean;
}

type Provider = Asking['provider'];
export const PROVIDERS: readonly Provider[] = ['anthropic', 'openai', 'responses', 'gemini'];

const NAME = 'Lookup';
const SCHEMA = { type: 'object' as const, properties: {} };

/** Asks a model as agents do, by the provider's own package. */
export async function talk(provider: Provider, base: string, asked: Talk): Promise<void> {
  const { system, isBare = false } = asked;
  const options = { apiKey: 'none', maxRetries: 0 };
  if (provider === 'anthropic') {
    await new Anthropic({ ...options, baseURL: base }).messages.create({
      model: 'm',
      max_tokens: 9,
      ...(system === undefined ? {} : { system }),
      messages: asked.turns.flatMap(toAnthropic),
      ...(isBare ? {} : { tools: [{ name: NAME, input_schema: SCHEMA }] }),
    });
  } else if (provider === 'openai') {
    await new OpenAI({ ...options, baseURL: base }).chat.completions.create({
      model: 'm',
      messages: [...(system === undefined ? [] : [{ role: 'system' as const, content: system }]), ...asked.turns.flatMap(toChat)],
      ...(isBare ? {} : { tools: [{ type: 'function', function: { name: NAME, parameters: SCHEMA } }] }),
    });
  } else if (provider === 'responses') {
    await new OpenAI({ ...options, baseURL: base }).responses.create({
      model: 'm',
      ...(system === undefined ? {} : { instructions: system }),
      input: asked.turns.flatMap(toResponses),
      ...(isBare ? {} : { tools: [{ type: 'function', name: NAME, parameters: SCHEMA, strict: false }] }),
    });
  } else {
    await new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: base } }).models.generateContent({
      model: 'm',
      contents: asked.turns.flatMap(toGemini),
      config: {
        ...(system === undefined ? {} : { systemInstruction: system }),
        ...(isBare ? {} : { tools: [{ functionDeclarations: [{ name: NAME, parametersJsonSchema: SCHEMA }] }] }),
      },
    });
  }
}

function toAnthropic(turn: Turn): Anthropic.MessageParam[] {
  if ('model' in turn) return [{ role: 'assistant', content: turn.model }];
  if ('user' in turn) {
    const { user } = turn;
    return [{ role: 'user', content: typeof user === 'string' ? user : user.map((text) => ({ type: 'text', text })) }];
  }
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: NAME, input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: turn.result }] }] },
  ];
}

function toChat(turn: Turn): OpenAI.ChatCompletionMessageParam[] {
  if ('model' in turn) return [{ role: 'assistant', content: turn.model }];
  if ('user' in turn) {
    const { user } = turn;
    return [{ role: 'user', content: typeof user === 'string' ? user : user.map((text) => ({ type: 'text', text })) }];
  }
  const call = { id: 'call_1', type: 'function' as const, function: { name: NAME, arguments: '{}' } };
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: turn.result },
  ];
}

function toResponses(turn: Turn): OpenAI.Responses.ResponseInputItem[] {
  if ('model' in turn) return [{ role: 'assistant', content: turn.model }];
  if ('user' in turn) {
    const { user } = turn;
    return [{ role: 'user', content: typeof user === 'string' ? user : user.map((text) => ({ type: 'input_text', text })) }];
  }
  return [
    { type: 'function_call', call_id: 'call_1', name: NAME, arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_1', output: turn.result },
  ];
}

function toGemini(turn: Turn): object[] {
  if ('model' in turn) return [{ role: 'model', parts: [{ text: turn.model }] }];
  if ('user' in turn) return [{ role: 'user', parts: [turn.user].flat().map((text) => ({ text })) }];
  return [
    { role: 'model', parts: [{ functionCall: { name: NAME, args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { name: NAME, response: { output: turn.result } } }] },
  ];
}
