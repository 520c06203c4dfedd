import { expect, it } from 'vitest';
import type { Framing } from '../../../src/protocol/llm/dialect.ts';
import { framingOf } from '../../../src/transport/llm/model-relay.ts';

it.each<[string | undefined, string, Framing | undefined]>([
  ['text/event-stream', '/whole', 'sse'],
  ['Text/Event-Stream; charset=utf-8', '/array?alt=sse', 'sse'],
  ['application/json; charset=UTF-8', '/array?key=k', 'json_array'],
  ['application/json', '/whole?/array', undefined],
  ['application/json-seq', '/array', undefined],
  ['text/event-streams', '/array', undefined],
  [undefined, '/array', undefined],
])('%s at %s: %s', (type, path, framing) => {
  const headers = type === undefined ? {} : { 'content-type': type };
  expect(framingOf({ headers }, { api: { isArrayStream: (at) => at === '/array' }, path })).toBe(framing);
  expect(framingOf({ headers }, { api: {}, path })).toBe(framing === 'json_array' ? undefined : framing);
});
