// As upstream.mjs, a Responses API; it has the plans `events`, `calls` and `big`.
//   node responses-upstream.mjs
// Prints its port.
import { createServer } from 'node:http';

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
const ANSWER = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  model: 'bench',
  error: null,
  incomplete_details: null,
};
const SENTENCE =
  'The nightly build is green, and the last run took a little less than the one before it, as was to be expected of it all.';
/** Characters of a delta, in turn; a piece of a call's arguments, and of those of a big call. */
const LENGTHS = [20, 120];
const PIECE = 40;
const BIG_PIECE = 256;
/** Different events of text, which are repeated. */
const KINDS = 50;
/** Numbers of events from one call to the next, so that the end of each has a number that is known. */
const NUMBERS = 1000;

const frame = (type, sequence_number, more) => `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...more })}\n\n`;
const hidden = (text) => 'x'.repeat(1 + (text.length % 7));
const now = () => String(process.hrtime.bigint());

const begun = frame('response.created', 0, { response: { ...ANSWER, status: 'in_progress', output: [] } });
const ended = (number, output) =>
  frame('response.completed', number, { response: { ...ANSWER, status: 'completed', output, usage: { total_tokens: 2 } } });
const message = (index, text, status) => ({
  id: `msg_${index}`,
  type: 'message',
  status,
  role: 'assistant',
  content: text === '' ? [] : [{ type: 'output_text', annotations: [], logprobs: [], text }],
});
const said = (number, index, delta) =>
  frame('response.output_text.delta', number, {
    item_id: `msg_${index}`,
    output_index: index,
    content_index: 0,
    delta,
    logprobs: [],
    obfuscation: hidden(delta),
  });
const open = (number, index) =>
  frame('response.output_item.added', number, { output_index: index, item: message(index, '', 'in_progress') });

function streamEvents(response, { count, together }) {
  const texts = Array.from({ length: KINDS }, (_each, i) => said(100 + i, 0, SENTENCE.slice(0, LENGTHS[i % 2])));
  const pieces = texts.map((_text, i) => Array.from({ length: together }, (_each, j) => texts[(i + j) % KINDS]).join(''));
  response.write(begun + open(1, 0));
  let i = 0;
  const go = () => {
    while (i * together < count) {
      if (!response.write(pieces[i++ % KINDS]) && !response.destroyed) {
        response.once('drain', go);
        return;
      }
    }
    const item = message(0, 'So.', 'completed');
    response.end(frame('response.output_item.done', count, { output_index: 0, item }) + ended(count + 1, [item]));
  };
  go();
}

const toItem = (index, name, args, status) => ({
  id: `fc_${index}`,
  type: 'function_call',
  status,
  arguments: args,
  call_id: `call_${index}`,
  name,
});

function callWithoutEnd(number, index, { name, args, length }) {
  const at = { item_id: `fc_${index}`, output_index: index };
  const parts = [
    frame('response.output_item.added', number, { output_index: index, item: toItem(index, name, '', 'in_progress') }),
  ];
  for (let from = 0; from < args.length; from += length) {
    const delta = args.slice(from, from + length);
    parts.push(
      frame('response.function_call_arguments.delta', number + parts.length, { ...at, delta, obfuscation: hidden(delta) }),
    );
  }
  parts.push(frame('response.function_call_arguments.done', number + parts.length, { ...at, arguments: args }));
  return parts.join('');
}

function streamCalls(response, { count, pace, size, command }) {
  response.write(begun);
  const output = [];
  let i = 0;
  const go = () => {
    if (response.destroyed) return;
    if (i === count) return response.end(ended(NUMBERS * (count + 1), output));
    const [index, number] = [2 * i, NUMBERS * ++i];
    const args = JSON.stringify({ command, input: SENTENCE.repeat(4).slice(0, size) });
    const item = toItem(index, 'Bash', args, 'completed');
    output.push(item);
    response.write(callWithoutEnd(number - NUMBERS / 2, index, { name: 'Bash', args, length: PIECE }));
    setTimeout(() => {
      const at = now();
      response.write(frame('response.output_item.done', number, { output_index: index, item }));
      setTimeout(() => {
        const whole = message(index + 1, 'So.', 'completed');
        output.push(whole);
        const done = frame('response.output_item.done', number + 3, { output_index: index + 1, item: whole });
        response.write(open(number + 1, index + 1) + said(number + 2, index + 1, `s=${at} `) + done);
        setTimeout(go, pace);
      }, pace);
    }, pace);
  };
  go();
}

/** One call that writes a file of so many bytes, as fast as it is taken: the API sends its arguments four times. */
function streamBig(response, { size }) {
  const line = `${SENTENCE}\n`;
  const content = line.repeat(Math.ceil(size / line.length)).slice(0, size);
  const args = JSON.stringify({ file_path: '/tmp/x', content });
  const item = toItem(0, 'Write', args, 'completed');
  response.write(begun + callWithoutEnd(1, 0, { name: 'Write', args, length: BIG_PIECE }));
  const last = Math.ceil(args.length / BIG_PIECE) + 3;
  response.end(frame('response.output_item.done', last, { output_index: 0, item }) + ended(last + 1, [item]));
}

const PLANS = { events: streamEvents, calls: streamCalls, big: streamBig };

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
