// The yardstick: what a middleman costs that looks at nothing.
//   node pipe.mjs CMD [ARG…]
import { spawn } from 'node:child_process';

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
  process.stdin.destroy();
});
