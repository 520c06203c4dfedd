// A server that behaves badly in a way that its first argument names.
//   big N       answers every request with N bytes more than an answer needs
//   flood       prints notifications for ever, as fast as they are taken, once it has got a line
//   drip TEXT   answers every request in chunks of one byte
//   mute        reads everything and answers nothing
//   deaf        answers its first request, with its input closed, and lives on
import { closeSync, writeSync } from 'node:fs';

const [kind, amount = '0'] = process.argv.slice(2);
const PIECE =
  `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { data: 'x'.repeat(1000) } })}\n`.repeat(64);
let head = '';
let tail = '';

process.stdin.on('data', (chunk) => {
  if (kind === 'mute') return;
  if (kind === 'deaf') {
    closeInput(/"id":(\d+)/.exec(chunk.toString())?.[1]);
    return;
  }
  let start = 0;
  for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
    note(chunk.subarray(start, end));
    answer(/"id":(\d+)/.exec(`${head.slice(0, 200)} ${tail}`)?.[1]);
    head = '';
    tail = '';
    start = end + 1;
  }
  note(chunk.subarray(start));
});

/** Keeps both ends of a line, which is where its id is. */
function note(bytes) {
  if (head.length < 200) head += bytes.toString('latin1', 0, 200);
  tail = (tail + bytes.toString('latin1', Math.max(0, bytes.length - 200))).slice(-200);
}

function answer(id) {
  if (kind === 'flood') flood();
  else if (id === undefined) return;
  else if (kind === 'big') bigAnswer(id);
  else
    for (const byte of Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{"text":"${'é'.repeat(Number(amount))}"}}\n`))
      writeAll(byte);
}

function closeInput(id) {
  process.stdin.once('close', () => {
    // A stream of Node's leaves this descriptor open.
    closeSync(0);
    process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{}}\n`);
  });
  process.stdin.destroy();
  setInterval(() => {}, 1000);
}

function bigAnswer(id) {
  process.stdout.write(`{"result":{"text":"`);
  const piece = 'x'.repeat(65_536);
  for (let left = Number(amount); left > 0; left -= piece.length) process.stdout.write(piece.slice(0, left));
  process.stdout.write(`"},"jsonrpc":"2.0","id":${id}}\n`);
}

function flood() {
  while (process.stdout.write(PIECE));
  process.stdout.once('drain', flood);
}

function writeAll(byte) {
  for (;;) {
    try {
      writeSync(1, Buffer.of(byte));
      return;
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}
