// Runs a server and writes every byte that it is sent to a file.
//   node recorded.mjs RECORD CMD [ARG…]
import { spawn } from 'node:child_process';
import { openSync, writeSync } from 'node:fs';

const [record, command, ...args] = process.argv.slice(2);
const file = openSync(record, 'a');
const child = spawn(command, args, { stdio: ['pipe', 'inherit', 'inherit'] });
process.stdin.on('data', (chunk) => writeSync(file, chunk));
process.stdin.pipe(child.stdin);
child.stdin.on('error', () => {});
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
  process.stdin.destroy();
});
