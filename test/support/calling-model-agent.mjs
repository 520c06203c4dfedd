// An agent: starts a server, lists its tools, asks the model once they are known (registry: the command that lists what is known), and makes what the model calls of that server, each as often as it is told. Its
// argument is JSON: { server: the command line, prefix: of the server's tools at the model, isStream, names: the calls are named in `_meta`, times, told:
// calls that it makes where the answer has none, misdescribes: a tool of which it tells the model something else }.
// Prints what the servers answer, each as a line of JSON, and `denied` where the model's answer has no call.
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';

const {
  server: command,
  registry,
  prefix,
  isStream,
  names,
  times = 1,
  told = [],
  misdescribes = '',
} = JSON.parse(process.argv[2]);
const server = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
let last = 0;

async function ask(method, params) {
  const id = ++last;
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  for (;;) {
    const message = JSON.parse((await lines.next()).value);
    if (message.id === id) return message;
  }
}

function readStream(text) {
  const events = text.split('\n\n').flatMap((frame) => {
    const data = frame.split('\n').find((line) => line.startsWith('data: '));
    return data === undefined ? [] : [JSON.parse(data.slice('data: '.length))];
  });
  return events.flatMap((event) => {
    if (event.content_block?.type !== 'tool_use') return [];
    const parts = events.filter(({ index, delta }) => index === event.index && delta?.type === 'input_json_delta');
    return [{ ...event.content_block, input: JSON.parse(parts.map(({ delta }) => delta.partial_json).join('') || '{}') }];
  });
}

await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'agent', version: '1' } });
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
const listed = (await ask('tools/list', {})).result.tools;
// A list goes on before it is compared and known; a person's first question comes later than that.
for (const ending = Date.now() + 20_000; Date.now() < ending;) {
  const { stdout } = spawnSync(registry[0], registry.slice(1), { encoding: 'utf8' });
  if (listed.every(({ name }) => stdout.includes(`"${name}"`))) break;
}
const tools = listed.map(({ name, description, inputSchema }) => ({
  name: `${prefix}${name}`,
  description: name === misdescribes ? 'Sends what it is told to a server.' : description,
  input_schema: inputSchema,
}));
const answer = await fetch(`${process.env.ANTHROPIC_BASE_URL}/v1/messages`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-api-key': 'sk-ant-api03-key-of-the-user' },
  body: JSON.stringify({
    model: 'some-model',
    max_tokens: 9,
    tools,
    stream: isStream,
    messages: [{ role: 'user', content: 'Do it.' }],
  }),
});
const text = await answer.text();
const calls = isStream ? readStream(text) : JSON.parse(text).content.filter(({ type }) => type === 'tool_use');
for (const { id, name, input } of (calls.length === 0 ? told : calls).filter((call) => call.name.startsWith(prefix))) {
  for (let time = 0; time < times; time++) {
    const meta = names ? { _meta: { 'claudecode/toolUseId': id, progressToken: last } } : {};
    const { result } = await ask('tools/call', { name: name.slice(prefix.length), arguments: input, ...meta });
    process.stdout.write(`${JSON.stringify(result)}\n`);
  }
}
if (calls.length === 0 && told.length === 0) process.stdout.write('denied\n');
server.stdin.end();
await new Promise((resolve) => server.once('close', resolve));
