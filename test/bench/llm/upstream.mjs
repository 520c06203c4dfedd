// A Messages API, and one of Gemini, that cost as little as Node lets them: what they take is not what is measured.
//   node upstream.mjs
// Prints its port. Every POST is answered as these headers say:
//   x-bench-plan      what the answer is, one of PLANS
//   x-bench-count     how many events, or calls
//   x-bench-together  how many events are written in one piece
//   x-bench-pace      milliseconds between two of them
//   x-bench-size      bytes of a call's longest argument, or of an answer in one piece
//   x-bench-command   what the calls want to run
// Times are those of the machine's monotonic clock in nanoseconds: `t=` when an event was written, `s=` when the last byte of a call was.
import { createServer } from 'node:http';

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
const USAGE = { input_tokens: 1, output_tokens: 1 };
const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'bench',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: USAGE,
};
/** Characters of a delta, in turn. */
const SHORT = 'as it was said befor'.length;
const LONG = 120;
const SENTENCE =
  'The nightly build is green, and the last run took a little less than the one before it, as was to be expected of it all.';
/** A ping and a delta of thinking come once in so many events. */
const SELDOM = 50;
/** Characters of a piece of a call's arguments; small ones as they usually are, and those of a big call. */
const PIECE = 40;
const BIG_PIECE = 256;

const frame = (payload) => `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`;
const begin = (index, block) => frame({ type: 'content_block_start', index, content_block: block });
const stop = (index) => frame({ type: 'content_block_stop', index });
const text = (index, said) => frame({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: said } });
const thinking = (index, thought) =>
  frame({ type: 'content_block_delta', index, delta: { type: 'thinking_delta', thinking: thought } });

const START = frame({ type: 'message_start', message: MESSAGE }) + begin(0, { type: 'thinking', thinking: '', signature: '' });
const FIRST = START + thinking(0, SENTENCE) + stop(0) + begin(1, { type: 'text', text: '' });
const PING = frame({ type: 'ping' });
const SHORT_TEXT = text(1, SENTENCE.slice(0, SHORT));
const LONG_TEXT = text(1, SENTENCE.padEnd(LONG, '.').slice(0, LONG));
const finish = (reason) =>
  frame({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: USAGE }) +
  frame({ type: 'message_stop' });

const now = () => String(process.hrtime.bigint());

/** So many events as fast as they are taken. */
function streamEvents(response, { count, together }) {
  const one = (i) => (i % SELDOM === SELDOM - 1 ? PING : i % 2 === 0 ? SHORT_TEXT : LONG_TEXT);
  const piece = (i) => Array.from({ length: together }, (_each, j) => one(i * together + j)).join('');
  const pieces = Array.from({ length: SELDOM }, (_each, i) => piece(i));
  response.write(FIRST);
  let i = 0;
  const go = () => {
    while (i * together < count) {
      if (!response.write(pieces[i++ % SELDOM]) && !response.destroyed) {
        response.once('drain', go);
        return;
      }
    }
    response.end(stop(1) + finish('end_turn'));
  };
  go();
}

/** So many events as fast as they are taken, each written alone. Every tenth begins what stands for the request's secret, and the next ends it. */
function streamTokens(response, { count }, asked) {
  const [said = ''] = /CLAWAI-[A-Z0-9-]+|ghp_\w+/.exec(asked) ?? [];
  const pieces = [text(1, ` ${said.slice(0, 12)}`), text(1, `${said.slice(12)} `), SHORT_TEXT, LONG_TEXT];
  response.write(FIRST);
  let i = 0;
  const go = () => {
    while (i < count) {
      const turn = i++ % 10;
      if (!response.write(pieces[turn < 2 ? turn : 2 + (turn % 2)]) && !response.destroyed) {
        response.once('drain', go);
        return;
      }
    }
    response.end(stop(1) + finish('end_turn'));
  };
  go();
}

/** Events that each say when they were written, one every so many milliseconds. */
function streamPaced(response, { count, pace }) {
  response.write(FIRST);
  let i = 0;
  const go = () => {
    if (response.destroyed) return;
    if (i++ === count) return response.end(stop(1) + finish('end_turn'));
    response.write(text(1, `t=${now()} `.padEnd(i % 2 === 0 ? SHORT : LONG, '.')));
    setTimeout(go, pace);
  };
  go();
}

/** So many calls, of which the last event is written alone, and a text behind each that says when that was. */
function streamCalls(response, { count, pace, size, command }) {
  response.write(FIRST + stop(1));
  let i = 0;
  const go = () => {
    if (response.destroyed) return;
    if (i === count) return response.end(finish('tool_use'));
    const index = 2 + 2 * i++;
    response.write(callWithoutEnd(index, { name: 'Bash', args: toArguments(command, size), length: PIECE }));
    setTimeout(() => {
      const at = now();
      response.write(stop(index));
      setTimeout(() => {
        response.write(begin(index + 1, { type: 'text', text: '' }) + text(index + 1, `s=${at} `) + stop(index + 1));
        setTimeout(go, pace);
      }, pace);
    }, pace);
  };
  go();
}

/** One call that writes a file of so many bytes, as fast as it is taken. */
function streamBig(response, { size }) {
  const file = JSON.stringify({ file_path: '/tmp/x', content: toLines(size) });
  const call = callWithoutEnd(2, { name: 'Write', args: file, length: BIG_PIECE });
  response.end(`${FIRST}${stop(1)}${call}${stop(2)}${finish('tool_use')}`);
}

function callWithoutEnd(index, { name, args, length }) {
  const parts = [begin(index, { type: 'tool_use', id: `toolu_${index}`, name, input: {} })];
  for (let at = 0; at < args.length; at += length) {
    const delta = { type: 'input_json_delta', partial_json: args.slice(at, at + length) };
    parts.push(frame({ type: 'content_block_delta', index, delta }));
  }
  return parts.join('');
}

function toArguments(command, size) {
  return JSON.stringify({ command, input: toLines(size) });
}

/** Lines of text, as programs and documents have them. */
function toLines(size) {
  const line = `${SENTENCE}\n`;
  return line.repeat(Math.ceil(size / line.length)).slice(0, size);
}

/** An answer in one piece of about so many bytes, with so many calls. */
function sendWhole(response, { count, size, command }) {
  const calls = Array.from({ length: count }, (_, i) => {
    const input = JSON.parse(toArguments(command, 400));
    return { type: 'tool_use', id: `toolu_${i}`, name: 'Bash', input };
  });
  const content = [{ type: 'text', text: SENTENCE.repeat(Math.ceil(size / SENTENCE.length)) }, ...calls];
  const body = JSON.stringify({ ...MESSAGE, content, stop_reason: 'tool_use' });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

const chunk = (parts, more) =>
  `data: ${JSON.stringify({ candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }], ...GEMINI_REST })}\r\n\r\n`;
const GEMINI_USAGE = { promptTokenCount: 10, candidatesTokenCount: 20, totalTokenCount: 30 };
const GEMINI_REST = { usageMetadata: GEMINI_USAGE, modelVersion: 'bench', responseId: 'r-1' };
const GEMINI_END = chunk([{ text: '' }], { finishReason: 'STOP' });

/** So many events of Gemini's as fast as they are taken, each written alone. */
function streamGeminiEvents(response, { count }) {
  const [short, long] = [SHORT, LONG].map((length) => chunk([{ text: SENTENCE.padEnd(length, '.').slice(0, length) }]));
  let i = 0;
  const go = () => {
    while (i < count) {
      if (!response.write(i++ % 2 === 0 ? short : long) && !response.destroyed) {
        response.once('drain', go);
        return;
      }
    }
    response.end(GEMINI_END);
  };
  go();
}

/** So many calls of Gemini's, each in an event with a text that says when it was written. */
function streamGeminiCalls(response, { count, pace, size, command }) {
  let i = 0;
  const go = () => {
    if (response.destroyed) return;
    if (i++ === count) return response.end(GEMINI_END);
    const functionCall = { id: `c${i}`, name: 'Bash', args: JSON.parse(toArguments(command, size)) };
    response.write(chunk([{ functionCall }, { text: `s=${now()} ` }]));
    setTimeout(go, pace);
  };
  go();
}

const PLANS = {
  'gemini-events': streamGeminiEvents,
  'gemini-calls': streamGeminiCalls,
  events: streamEvents,
  tokens: streamTokens,
  paced: streamPaced,
  calls: streamCalls,
  big: streamBig,
  open: (response) => response.write(FIRST),
};

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const header = (name, otherwise) => request.headers[`x-bench-${name}`] ?? otherwise;
    const order = {
      count: Number(header('count', 1)),
      together: Number(header('together', 1)),
      pace: Number(header('pace', 1)),
      size: Number(header('size', 100)),
      command: header('command', 'ls'),
    };
    const plan = header('plan', 'events');
    if (plan === 'whole') return sendWhole(response, order);
    response.socket?.setNoDelay(true);
    response.writeHead(200, STREAM);
    PLANS[plan](response, order, Buffer.concat(parts).toString());
  });
});

server.keepAliveTimeout = 600_000;
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
