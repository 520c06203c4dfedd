// A server that ignores the end of its input and every signal that can be ignored, with a child that does so too.
// It prints the pids of both as one notification, then whatever its first argument asks for:
//   flood   more output than any pipe holds
import { spawn } from 'node:child_process';

const IGNORED = ['SIGINT', 'SIGTERM', 'SIGHUP'];
for (const signal of IGNORED) process.on(signal, () => {});
setInterval(() => {}, 1000);

if (process.argv[2] === 'grandchild') process.send?.('ready');
else {
  const grandchild = spawn(process.execPath, [import.meta.filename, 'grandchild'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  grandchild.once('message', () => {
    const params = { pids: [process.pid, grandchild.pid] };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/pids', params })}\n`);
    if (process.argv[2] === 'flood') flood();
  });
  process.stdin.resume();
}

function flood() {
  const line = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { data: 'x'.repeat(1000) } })}\n`;
  const piece = line.repeat(64);
  const more = () => {
    while (process.stdout.write(piece));
    process.stdout.once('drain', more);
  };
  more();
}
