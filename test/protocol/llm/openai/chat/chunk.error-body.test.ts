import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { formatError } from '../../../../../src/protocol/llm/openai/chat/chunk.ts';

describe('an error', () => {
  it.each<['request' | 'server', number, string]>([
    ['request', 400, 'invalid_request_error'],
    ['server', 502, 'server_error'],
  ])('of %s is read by the SDK', async (kind, status, type) => {
    const fetch = () =>
      Promise.resolve(new Response(formatError('So it is.', kind), { status, headers: { 'content-type': 'application/json' } }));
    const client = new OpenAI({ apiKey: 'none', maxRetries: 0, fetch });
    await expect(client.chat.completions.create({ model: 'm', messages: [] })).rejects.toMatchObject({
      status,
      type,
      message: `${status} So it is.`,
    });
  });
});
