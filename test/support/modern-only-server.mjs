// A server that speaks only MCP 2026-07-28, over stdio or, with --http, at the port that it prints.
//   node modern-only-server.mjs [--http]
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { acceptedContent, createMcpHandler, fromJsonSchema, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const text = (property) =>
  fromJsonSchema({ type: 'object', properties: { [property]: { type: 'string' } }, required: [property] });
const say = (words) => ({ content: [{ type: 'text', text: words }] });
const nothing = fromJsonSchema({ type: 'object' });

const { promise: released, resolve: release } = Promise.withResolvers();

function create() {
  const server = new McpServer({ name: 'modern-only', version: '1.0.0' }, { instructions: 'For tests.' });
  for (const name of ['shout', 'forbidden']) {
    server.registerTool(name, { description: 'Answers in capitals.', inputSchema: text('text') }, async (args) =>
      say(args.text.toUpperCase()),
    );
  }
  server.registerTool('greet', { description: 'Asks for a name.', inputSchema: text('word') }, async ({ word }, { mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, 'who');
    if (mcpReq.inputResponses !== undefined) return say(`${word}, ${given?.name ?? 'nobody'} (${mcpReq.requestState()})`);
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    return inputRequired({
      inputRequests: { who: inputRequired.elicit({ message: 'Who are you?', requestedSchema }) },
      requestState: 'state-1',
    });
  });
  server.registerTool('think', { description: 'Asks a model.', inputSchema: nothing }, async (_args, { mcpReq }) => {
    const thought = mcpReq.inputResponses?.thought;
    if (thought !== undefined) return say(`It thinks ${thought.content.text}`);
    const messages = [{ role: 'user', content: { type: 'text', text: 'What is the capital?' } }];
    return inputRequired({ inputRequests: { thought: inputRequired.createMessage({ messages, maxTokens: 10 }) } });
  });
  server.registerTool('wait', { description: 'Reports progress.', inputSchema: nothing }, async (_args, { mcpReq }) => {
    const { _meta: meta } = mcpReq;
    const params = { progressToken: meta?.progressToken, progress: 1, total: 2 };
    await mcpReq.notify({ method: 'notifications/progress', params });
    // SDK 1 forgets its listener with the answer, so that comes only when the progress has.
    await released;
    return say('waited');
  });
  server.registerTool('release', { description: 'Ends the waiting.', inputSchema: nothing }, async () => {
    release();
    return say('released');
  });
  server.registerTool('hang', { description: 'Waits to be cancelled.', inputSchema: nothing }, async (_args, { mcpReq }) => {
    await setTimeout(60_000, undefined, { signal: mcpReq.signal }).catch(() => process.stderr.write('hang was cancelled\n'));
    return say('hung');
  });
  server.registerTool('grow', { description: 'Adds a tool.', inputSchema: nothing }, async () => {
    server.registerTool('grown', { description: 'Was added.', inputSchema: nothing }, async () => say('grown'));
    return say('grew');
  });
  server.registerResource('open', 'doc://open', { mimeType: 'text/plain' }, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'this is open' }],
  }));
  server.registerPrompt('open', { description: 'The prompt.', argsSchema: text('text') }, async (args) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `open: ${args.text}` } }],
  }));
  return server;
}

function serveHttp() {
  const handler = createMcpHandler(create, { legacy: 'reject' });
  const listener = createServer(async (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
      method: incoming.method,
      headers: Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
      signal: gone.signal,
      ...(incoming.method === 'POST' && { body: Readable.toWeb(incoming), duplex: 'half' }),
    });
    const response = await handler.fetch(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body === null) outgoing.end();
    else Readable.fromWeb(response.body).pipe(outgoing);
  });
  listener.listen(0, '127.0.0.1', () => process.stdout.write(`${listener.address().port}\n`));
}

if (process.argv[2] === '--http') serveHttp();
else serveStdio(create, { legacy: 'reject' });
