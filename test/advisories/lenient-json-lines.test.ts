import { afterEach, expect, it } from 'vitest';
import { openaiApi } from '../../src/protocol/llm/openai/api.ts';
import { ALLOW, denyNative, readUntilCut, type RunningLlm, runLlm } from '../support/llm-route.ts';

/**
 * Results of a batch are a file like any other, of which lines that are not JSON have no answer in them. What Python reads as JSON is more than that:
 * `-Infinity`, which servers give as the logarithm of what is impossible; and readers of files drop a byte order mark, and end a line at a carriage return.
 */
const CALL = { id: 'c', type: 'function', function: { name: 'shell', arguments: '{"command":"ls"}' } };
const LINE = JSON.stringify({ custom_id: 'a', x: 0, response: { body: { choices: [{ message: { tool_calls: [CALL] } }] } } });

let llm: RunningLlm | undefined;
afterEach(async () => {
  await llm?.close();
  llm = undefined;
});

it.each([
  ['a number that JSON does not have', LINE.replace('"x":0', '"x":-Infinity')],
  ['a byte order mark', `\ufeff${LINE}`],
  ['a carriage return between two lines', `{}\r${LINE}`],
  ['an escape in a key', `\ufeff${LINE.replace('tool_calls', String.raw`tool\u005Fcalls`)}`],
])('a line of results is read as the most lenient reader reads it: %s', async (_what, line) => {
  llm = await runLlm({
    api: openaiApi,
    policy: ALLOW + denyNative('shell'),
    answer: (_asked, response) => response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(`${line}\n`),
  });
  const read = await fetch(`${llm.url}/v1/files/f/content`).then(readUntilCut, () => ({ text: '', isWhole: false }));
  expect(read).toEqual({ text: '', isWhole: false });
});
