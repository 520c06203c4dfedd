// An MCP server with one tool, `run_shell`, that runs `command` in a shell and answers with what it printed.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const lines = createInterface({ input: process.stdin });
let open = 0;
let isClosed = false;

lines.on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') {
    const { protocolVersion } = params;
    answer(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'shell', version: '1' } });
  } else if (method === 'tools/list') answer(id, { tools: [{ name: 'run_shell', inputSchema: { type: 'object' } }] });
  else if (method === 'tools/call') run(id, params.arguments.command);
  else answer(id, {});
});
lines.on('close', () => {
  isClosed = true;
  end();
});

function run(id, command) {
  open++;
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  child.on('close', (code) => {
    answer(id, { content: [{ type: 'text', text: `${text}exit ${code}` }] });
    open--;
    end();
  });
}

function answer(id, result) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}

function end() {
  if (isClosed && open === 0) process.exit(0);
}
