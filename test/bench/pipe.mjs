// The yardstick: what a middleman costs that looks at nothing.
//   node pipe.mjs [--group] CMD [ARG…]
// With --group the command gets a process group of its own.
import { spawn } from 'node:child_process';

const detached = process.argv[2] === '--group';
const [command, ...args] = process.argv.slice(detached ? 3 : 2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], detached });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
  process.stdin.destroy();
});
