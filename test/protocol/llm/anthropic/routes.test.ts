import { expect, it } from 'vitest';
import { routeOf } from '../../../../src/protocol/llm/anthropic/routes.ts';

it.each<[string, string, ReturnType<typeof routeOf>]>([
  ['POST', '/v1/messages', 'messages'],
  ['POST', '/v1/messages?beta=true', 'messages'],
  ['POST', '/base/path/v1/messages', 'messages'],
  ['POST', '/v1/messages/', 'messages'],
  ['POST', '//v1//./messages', 'messages'],
  ['POST', '/v1/batches/../messages', 'messages'],
  ['POST', '/v1/%6dessages', 'messages'],
  ['POST', '/V1/Messages', 'messages'],
  ['POST', '/v1/messages;a=b', 'messages'],
  ['POST', '/v1%2Fmessages', 'messages'],
  ['POST', '\\v1\\messages', 'messages'],
  ['post', '/v1/messages', 'messages'],
  ['GET', '/v1/messages', 'other'],
  ['POST', '/v1/messages/count_tokens', 'count_tokens'],
  ['POST', '/v1/messages/batches', 'batches'],
  ['POST', '/v1/messages/batches/', 'batches'],
  ['GET', '/v1/messages/batches?limit=2', 'batch_state'],
  ['GET', '/v1/messages/batches/msgbatch_1', 'batch_state'],
  ['POST', '/v1/messages/batches/msgbatch_1/cancel', 'batch_state'],
  ['DELETE', '/v1/messages/batches/msgbatch_1', 'other'],
  ['GET', '/v1/messages/batches/msgbatch_1/results', 'batch_results'],
  ['POST', '/v1/complete', 'complete'],
  ['GET', '/v1/models', 'other'],
  ['POST', '/v1/messages/other', 'other'],
  ['POST', '/v1/messagesx', 'other'],
  ['POST', '/xv1/messages', 'other'],
  ['POST', '/', 'other'],
  ['POST', '', 'other'],
  ['POST', '/other?a=/v1/messages', 'other'],
])('%s %s', (method, path, route) => {
  expect(routeOf(method, path)).toBe(route);
});
