// A server that writes every byte it gets to a file, and answers from a script.
//   node recording-server.mjs RECORD [SCRIPT]
// SCRIPT is a JSON file, everything in it optional:
//   first    text printed at the start             stderr   text printed to stderr at the start
//   answers  text printed for each line received, in order; after the last one a request is answered with an empty result
//   exit     exit code at the end of input         die      signal that it sends itself at the end of input
import { openSync, readFileSync, writeSync } from 'node:fs';

const [record, script] = process.argv.slice(2);
const { first, stderr, answers = [], exit = 0, die } = script === undefined ? {} : JSON.parse(readFileSync(script, 'utf8'));
const file = openSync(record, 'a');
let rest = Buffer.alloc(0);

if (stderr !== undefined) process.stderr.write(stderr);
if (first !== undefined) process.stdout.write(first);

process.stdin.on('data', (chunk) => {
  writeSync(file, chunk);
  rest = Buffer.concat([rest, chunk]);
  for (let end = rest.indexOf(0x0a); end !== -1; end = rest.indexOf(0x0a)) {
    answer(rest.subarray(0, end).toString());
    rest = rest.subarray(end + 1);
  }
});
process.stdin.on('end', () => {
  if (die === undefined) process.exitCode = exit;
  else process.kill(process.pid, die);
});

function answer(line) {
  if (answers.length > 0) process.stdout.write(answers.shift());
  else {
    const id = /"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)/.exec(line);
    if (id !== null) process.stdout.write(`{"jsonrpc":"2.0","id":${id[1]},"result":{}}\n`);
  }
}
