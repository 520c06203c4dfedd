import { expect, it } from 'vitest';
import { isComment } from '../../../src/protocol/llm/dialect.ts';
import { SseSplitter } from '../../../src/protocol/sse/splitter.ts';

it.each<[string, boolean]>([
  [': wait\n\n', true],
  [':\n: more\n\n', true],
  [':\r\n\r\n', true],
  ['\n', true],
  ['event: ping\n\n', false],
  ['id: 7\n\n', false],
  [': a\nretry: 1\n\n', false],
  ['odd\n\n', false],
])('%j says nothing: %s', (text, says) => {
  const found: boolean[] = [];
  new SseSplitter({ maxFrame: 1 << 20 }).push(Buffer.from(text), (event) => found.push(isComment(event)));
  expect(found).toEqual([says]);
});
