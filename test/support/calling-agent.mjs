// Stands for an agent: starts the command lines in its argument (JSON) as servers, at once, and makes a call to each. With a second
// argument it passes none of clawai's variables on.
import { spawn } from 'node:child_process';

const commands = JSON.parse(process.argv[2]);
const env = { ...process.env };
if (process.argv[3] === 'filtered') delete env['CLAWAI_SESSION'];
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't' } };
await Promise.all(
  commands.map(([command, ...args]) => {
    const server = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    server.stdout.once('data', () => server.stdin.end());
    server.stdin.write(`${JSON.stringify(call)}\n`);
    return new Promise((resolve) => server.once('close', resolve));
  }),
);
