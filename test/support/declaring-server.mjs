// A server that declares the tools in a JSON file, its first argument. Each start leaves a line in the file of its second argument. With
// ASKING set, it first asks its client for a model's answer and a person's, and waits for both; with SLOW, it waits so many milliseconds;
// with DIES, it ends when it is asked for prompts; with ENDLESS, its list has always one more page; with FORKS, it leaves a child behind.
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [toolsFile, startsFile] = process.argv.slice(2);
if (startsFile !== undefined) appendFileSync(startsFile, `${process.pid} ${process.env.MARK ?? ''} ${process.cwd()}\n`);

if (process.env.FORKS !== undefined) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  child.unref();
  appendFileSync(startsFile, `${child.pid} child\n`);
}

const open = new Set();
let greeting;

function say(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function answer({ id, method }) {
  if (method === 'initialize') {
    const result = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, ...(process.env.DIES !== undefined && { prompts: {} }) },
      serverInfo: { name: 'declaring', version: '1' },
    };
    return say({ id, result });
  }
  if (method === 'prompts/list') process.exit(7);
  return say({ id, result: { nextCursor: process.env.ENDLESS, tools: JSON.parse(readFileSync(toolsFile, 'utf8')) } });
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === undefined) {
    open.delete(message.id);
    if (open.size === 0 && greeting !== undefined) answer(greeting);
    return;
  }
  if (message.id === undefined) return;
  if (message.method !== 'initialize' || process.env.ASKING === undefined) {
    setTimeout(answer, Number(process.env.SLOW ?? 0), message);
    return;
  }
  greeting = message;
  for (const method of ['sampling/createMessage', 'elicitation/create', 'roots/list']) {
    open.add(method);
    say({ id: method, method, params: {} });
  }
});
