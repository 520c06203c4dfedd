// A server that speaks both eras, with one of everything that is decided.
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const text = fromJsonSchema({ type: 'object', properties: { text: { type: 'string' } }, required: ['text'] });

serveStdio(() => {
  const server = new McpServer({ name: 'dual-era', version: '1.0.0' }, { instructions: 'For tests.' });
  for (const name of ['shout', 'forbidden']) {
    server.registerTool(name, { description: `Answers in capitals (${name}).`, inputSchema: text }, async (args) => ({
      content: [{ type: 'text', text: args.text.toUpperCase() }],
    }));
  }
  for (const name of ['open', 'secret']) {
    server.registerResource(name, `doc://${name}`, { mimeType: 'text/plain' }, async (uri) => ({
      contents: [{ uri: uri.href, mimeType: 'text/plain', text: `this is ${name}` }],
    }));
    server.registerPrompt(name, { description: `The ${name} prompt.`, argsSchema: text }, async (args) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `${name}: ${args.text}` } }],
    }));
  }
  return server;
});
