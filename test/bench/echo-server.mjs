// A server that costs as little as a Node process can, so that what stands before it is what is measured.
//
//   ping, initialize, tools/call   answered with the least that is valid
//   bench/sink                     takes its params, however large, and answers {}
//   bench/source-text, -escaped    answered with LARGE bytes; the method has no params
//
// It trusts its one client: the id is a number and comes second, the method third.

const LARGE = Number(process.env.BENCH_LARGE ?? 10 * 1024 * 1024);
const LINE_FEED = 0x0a;
const ID_AT = '{"jsonrpc":"2.0","id":'.length;
const MOST_HEAD = 128;

const INITIALIZED = '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"echo","version":"1"}}';
const CALLED = '{"content":[{"type":"text","text":"done"}]}';
const SOURCES = new Map();

function source(kind) {
  const unit = kind === 'text' ? 'The quick brown fox jumps over the lazy dog. ' : '\\"line\\\\one\\"\\n\\u00e9\\t';
  if (!SOURCES.has(kind)) SOURCES.set(kind, Buffer.from(`{"text":"${unit.repeat(Math.ceil(LARGE / unit.length))}"}}\n`));
  return SOURCES.get(kind);
}

let replies = '';

function answer(bytes, start) {
  const head = bytes.latin1Slice(start, Math.min(bytes.length, start + MOST_HEAD));
  const comma = head.indexOf(',', ID_AT);
  const id = head.slice(ID_AT, comma);
  const from = comma + ',"method":"'.length;
  const method = head.slice(from, head.indexOf('"', from));
  const reply = `{"jsonrpc":"2.0","id":${id},"result":`;
  if (method.startsWith('bench/source-')) {
    flush();
    process.stdout.write(reply);
    process.stdout.write(source(method.slice('bench/source-'.length)));
  } else if (method === 'initialize') replies += `${reply}${INITIALIZED}}\n`;
  else if (method === 'tools/call') replies += `${reply}${CALLED}}\n`;
  else replies += `${reply}{}}\n`;
}

function flush() {
  if (replies === '') return;
  const isRoom = process.stdout.write(replies, 'latin1');
  replies = '';
  if (isRoom) return;
  process.stdin.pause();
  process.stdout.once('drain', () => process.stdin.resume());
}

/** The first bytes of a line whose end has not come yet. */
let head = Buffer.alloc(0);

process.stdin.on('data', (chunk) => {
  let start = 0;
  for (;;) {
    const end = chunk.indexOf(LINE_FEED, start);
    if (end === -1) break;
    if (head.length === 0) answer(chunk, start);
    else {
      answer(head.length < MOST_HEAD ? Buffer.concat([head, chunk.subarray(start, end)]) : head, 0);
      head = Buffer.alloc(0);
    }
    start = end + 1;
  }
  if (start < chunk.length && head.length < MOST_HEAD) head = Buffer.concat([head, chunk.subarray(start, start + MOST_HEAD)]);
  flush();
});
