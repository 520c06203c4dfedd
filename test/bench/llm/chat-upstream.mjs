// As upstream.mjs, an API of Chat Completions; it has the plans `events` and `calls`, in which each call is the only one of a choice.
//   node chat-upstream.mjs
// Prints its port.
import { createServer } from 'node:http';

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
const HEAD = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'bench',
  system_fingerprint: 'fp_1',
};
const SENTENCE =
  'The nightly build is green, and the last run took a little less than the one before it, as was to be expected of it all.';
/** Characters of a delta, in turn, and of a piece of a call's arguments. */
const LENGTHS = [20, 120];
const PIECE = 40;

const frame = (index, delta, finish = null) =>
  `data: ${JSON.stringify({ ...HEAD, choices: [{ index, delta, finish_reason: finish }], obfuscation: 'x'.repeat(1 + ((delta.content ?? '').length % 7)) })}\n\n`;
const FIRST = frame(0, { role: 'assistant', content: '' });
const TEXTS = LENGTHS.map((length) => frame(0, { content: SENTENCE.slice(0, length) }));
const LAST = 'data: [DONE]\n\n';

const now = () => String(process.hrtime.bigint());

function streamEvents(response, { count, together }) {
  const pieces = [0, 1].map((i) => Array.from({ length: together }, (_each, j) => TEXTS[(i * together + j) % 2]).join(''));
  response.write(FIRST);
  let i = 0;
  const go = () => {
    while (i * together < count) {
      if (!response.write(pieces[i++ % 2]) && !response.destroyed) {
        response.once('drain', go);
        return;
      }
    }
    response.end(frame(0, {}, 'stop') + LAST);
  };
  go();
}

function streamCalls(response, { count, pace, size, command }) {
  response.write(FIRST);
  let i = 0;
  const go = () => {
    if (response.destroyed) return;
    if (i === count) return response.end(LAST);
    const index = i++;
    const args = JSON.stringify({ command, input: SENTENCE.repeat(4).slice(0, size) });
    const call = { index: 0, id: `call_${index}`, type: 'function', function: { name: 'Bash', arguments: '' } };
    const parts = [frame(index, { role: 'assistant', tool_calls: [call] })];
    for (let at = 0; at < args.length; at += PIECE)
      parts.push(frame(index, { tool_calls: [{ index: 0, function: { arguments: args.slice(at, at + PIECE) } }] }));
    response.write(parts.join(''));
    setTimeout(() => {
      const at = now();
      response.write(frame(index, {}, 'tool_calls'));
      setTimeout(() => {
        response.write(frame(index, { content: `s=${at} ` }));
        setTimeout(go, pace);
      }, pace);
    }, pace);
  };
  go();
}

const PLANS = { events: streamEvents, calls: streamCalls };

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const header = (name, otherwise) => request.headers[`x-bench-${name}`] ?? otherwise;
    response.socket?.setNoDelay(true);
    response.writeHead(200, STREAM);
    PLANS[header('plan', 'events')](response, {
      count: Number(header('count', 1)),
      together: Number(header('together', 1)),
      pace: Number(header('pace', 1)),
      size: Number(header('size', 100)),
      command: header('command', 'ls'),
    });
  });
});

server.keepAliveTimeout = 600_000;
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
