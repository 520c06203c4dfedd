import { describe, expect, it } from 'vitest';
import { newestPart } from '../../../src/transport/llm/body-keeper.ts';

const MESSAGES = Array.from({ length: 5 }, (_, i) => ({ role: 'user', content: `${i}`.repeat(100) }));

describe('the newest part of a request', () => {
  it.each(['messages', 'input', 'contents'])('is the end of its %s, in front of all else', (name) => {
    const part = newestPart({ model: 'm', [name]: MESSAGES, tools: [] }, 300);
    expect(Object.keys(part)).toEqual([name, 'model', 'tools']);
    expect(part[name]).toEqual(['…(3 earlier)', MESSAGES[3], MESSAGES[4]]);
  });

  it('is all of it where there is room', () => {
    expect(newestPart({ messages: MESSAGES }, 10_000)).toEqual({ messages: MESSAGES });
  });

  it('has the last message, however long that is', () => {
    expect(newestPart({ messages: MESSAGES }, 1)).toEqual({ messages: ['…(4 earlier)', MESSAGES[4]] });
  });

  it('is the request where it has no conversation', () => {
    const request = { input: 'Hello', model: 'm' };
    expect(newestPart(request, 1)).toBe(request);
    expect(newestPart({ messages: [] }, 1)).toEqual({ messages: [] });
  });
});
