// Stands for a client: starts the command lines in its argument (JSON) as servers, at once, and prints all that they print.
import { spawn } from 'node:child_process';

const commands = JSON.parse(process.argv[2]);
await Promise.all(
  commands.map(([command, ...args]) => {
    const server = spawn(command, args, { stdio: ['pipe', 'inherit', 'inherit'] });
    return new Promise((resolve) => server.once('close', resolve));
  }),
);
