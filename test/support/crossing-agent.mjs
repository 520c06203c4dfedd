// Stands for an agent's program that has a server of its own, started over stdio, and remote ones: by the SDK, as agents do.
//   node crossing-agent.mjs {"command": […], "urls": {"chat": "http://…"}, "told": {"NAME": "value"}}
// Calls what it is told, a line `SERVER TOOL [VALUE]` each; `local` is the one that it starts, and `model MESSAGES` (JSON) asks its model. Prints each answer's text as a line of JSON.
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const { command, urls, told } = JSON.parse(process.argv[2]);
const clients = new Map();

async function clientOf(server) {
  const known = clients.get(server);
  if (known !== undefined) return known;
  const client = new Client({ name: 'agent', version: '1' });
  const [program, ...args] = command;
  const transport =
    server === 'local'
      ? new StdioClientTransport({ command: program, args, env: { ...process.env, ...told }, stderr: 'inherit' })
      : new StreamableHTTPClientTransport(new URL(urls[server]));
  await client.connect(transport);
  await client.listTools();
  clients.set(server, client);
  return client;
}

async function askModel(messages) {
  const body = JSON.stringify({ model: 'm', max_tokens: 9, messages });
  const url = `${urls.model || process.env['ANTHROPIC_BASE_URL']}/v1/messages`;
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return answer.text();
}

for await (const line of createInterface({ input: process.stdin })) {
  const [server, name, value] = line.split(' ');
  if (server === 'model') {
    process.stdout.write(`${JSON.stringify(await askModel(JSON.parse(line.slice('model '.length))))}\n`);
    continue;
  }
  const client = await clientOf(server);
  const result = await client.callTool({ name, arguments: value === undefined ? {} : { body: value } });
  process.stdout.write(`${JSON.stringify(result.content[0].text)}\n`);
}
await Promise.all([...clients.values()].map((client) => client.close()));
