// A tiny MCP server on stdio that `clawai doctor --live` puts behind clawai, to see what reaches it. It notes each message in a file,
// which nobody between can touch:  node canary-server.mjs FILE
// No dependencies: it has to run wherever clawai does.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , file] = process.argv;
const NO_SUCH_METHOD = -32_601;

const TOOLS = ['canary_sing', 'canary_trap'].map((name) => ({
  name,
  description: 'Answers with the text that it was given.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
}));

const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'clawai-canary', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: TOOLS }),
  'tools/call': ({ name, arguments: args }) => ({ content: [{ type: 'text', text: `${name} heard ${args.text}` }] }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  appendFileSync(file, `${JSON.stringify({ method, tool: params?.name, text: params?.arguments?.text })}\n`);
  if (id === undefined) continue;
  const answer = ANSWERS[method];
  const outcome =
    answer === undefined ? { error: { code: NO_SUCH_METHOD, message: `no ${method}` } } : { result: answer(params) };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
}
