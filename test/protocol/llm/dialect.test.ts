import { expect, it } from 'vitest';
import { createSplitter, type Framing } from '../../../src/protocol/llm/dialect.ts';

it.each<[Framing, string]>([
  ['sse', 'data: {"a":1}\n\ndata: {"b":2}\n\n'],
  ['json_array', '[{"a":1}\r\n,\r\n{"b":2}]'],
])('%s: events are cut out of the bytes', (framing, source) => {
  const seen: string[] = [];
  const splitter = createSplitter(framing, 100);
  for (const byte of Buffer.from(source)) {
    splitter.push(Buffer.of(byte), ({ data, dataStart, dataEnd }) => {
      if (data !== undefined) seen.push(data.toString('utf8', dataStart, dataEnd));
    });
  }
  expect(seen).toEqual(['{"a":1}', '{"b":2}']);
});

it.each<[Framing, string, boolean]>([
  ['sse', `data: ${'x'.repeat(200)}\n\n`, false],
  ['json_array', `[{"a":"${'x'.repeat(200)}"}]`, false],
  ['json_array', '{"a":1}', true],
])('%s: what is too long, or is none, ends it', (framing, source, isMalformed) => {
  const splitter = createSplitter(framing, 100);
  expect(splitter.push(Buffer.from(source), () => {})).toBe(false);
  expect(splitter.isMalformed === true).toBe(isMalformed);
});
