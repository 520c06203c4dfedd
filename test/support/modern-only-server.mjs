import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
const text = fromJsonSchema({ type: 'object', properties: { text: { type: 'string' } }, required: ['text'] });
serveStdio(() => {
  const server = new McpServer({ name: 'modern-only', version: '1.0.0' }, { instructions: 'For tests.' });
  server.registerTool('shout', { description: 'x', inputSchema: text }, async (a) => ({ content: [{ type: 'text', text: a.text.toUpperCase() }] }));
  return server;
}, { legacy: 'reject' });
