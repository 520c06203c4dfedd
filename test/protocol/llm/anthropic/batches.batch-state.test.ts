import { expect, it } from 'vitest';
import { moveResults } from '../../../../src/protocol/llm/anthropic/batches.ts';

const OURS = 'http://127.0.0.1:7777/llm/anthropic/s';
const at = (base: string, rest = ''): string =>
  `{ "id": "b", "results_url" : "${base}/v1/messages/batches/b/results${rest}", "n":1.0}`;

it.each([
  ['the API', 'https://api.anthropic.com', ''],
  ['a base path', 'https://example.com/proxy/anthropic', ''],
  ['a query', 'https://api.anthropic.com', '?a=b'],
])('says that results are below another URL: %s', (_what, base, rest) => {
  expect(moveResults(at(base, rest), OURS)).toBe(at(OURS, rest));
});

it('says so of each of a list', () => {
  const list = (base: string): string => `{"data":[${at(base)}, {"id":"c","results_url":null},7],"has_more":false}`;
  expect(moveResults(list('https://api.anthropic.com'), OURS)).toBe(list(OURS));
});

it.each([
  'https://bucket.example.com/results?signed',
  'https://gateway.example.com/messages/batches/b/results',
  'https://api.anthropic.com/v1/messages/batches/b/results/',
  '/results#b',
])('says so by the id where they are at another place than the API has them: %s', (url) => {
  expect(moveResults(`{"id":"b/1","results_url":"${url}"}`, OURS)).toBe(
    `{"id":"b/1","results_url":"${OURS}/v1/messages/batches/b%2F1/results"}`,
  );
});

it.each(['{', '[]', '7', '{"results_url":null}', '{"data":{}}', '{"data":[7]}'])(
  'leaves as it is what tells of none: %s',
  (text) => {
    expect(moveResults(text, OURS)).toBe(text);
  },
);
