// Stands for an agent's program that has a server of its own, started over stdio, and remote ones: by the SDK, as agents do.
//   node crossing-agent.mjs {"command": […], "urls": {"chat": "http://…"}, "told": {"NAME": "value"}}
// Calls what it is told, a line `SERVER TOOL [VALUE]` each; `local` is the one that it starts. Prints each answer's text as a line of JSON.
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

for await (const line of createInterface({ input: process.stdin })) {
  const [server, name, value] = line.split(' ');
  const client = await clientOf(server);
  const result = await client.callTool({ name, arguments: value === undefined ? {} : { body: value } });
  process.stdout.write(`${JSON.stringify(result.content[0].text)}\n`);
}
await Promise.all([...clients.values()].map((client) => client.close()));
