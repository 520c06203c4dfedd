// A server whose definitions are in a JSON file that is read for each answer, so that they change whenever a test likes.
//   node changing-server.mjs FILE [WORD…]
// FILE: { "tools": [[…page one…], […page two…]], "prompts": …, "resources": …, "resourceTemplates": …, "instructions": "…", "result": {…}, "texts": {…} }
// `results` and `errors` have whole results and errors of calls of a name, and of methods without one; `sends` the messages that go before them.
// `greeting` is added to the answer to `initialize`.
// A page's cursor is its number. `result` is added to every list; `texts` has what calls of a name answer. What reaches it is written to FILE.reached, a line each.
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [file] = process.argv.slice(2);
const MEMBERS = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  appendFileSync(`${file}.reached`, `${method} ${params?.name ?? params?.uri ?? ''}\n`);
  if (id !== undefined) process.stdout.write(`${answer(id, method, params)}\n`);
});

function answer(id, method, params) {
  const declared = JSON.parse(readFileSync(file, 'utf8'));
  const member = MEMBERS[method];
  const name = params?.name ?? params?.uri ?? method;
  for (const message of declared.sends?.[name] ?? []) process.stdout.write(`${JSON.stringify(message)}\n`);
  const error = declared.errors?.[name];
  if (error !== undefined) return JSON.stringify({ jsonrpc: '2.0', id, error });
  if (member !== undefined && declared.raw?.[member] !== undefined) {
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${declared.raw[member]}}`;
  }
  return JSON.stringify({ jsonrpc: '2.0', id, result: result(declared, method, params) });
}

function result({ instructions, greeting, result: more, ...declared }, method, params) {
  const member = MEMBERS[method];
  if (method === 'initialize') {
    const capabilities = { tools: { listChanged: true }, prompts: {}, resources: {} };
    return {
      protocolVersion: '2025-11-25',
      capabilities,
      serverInfo: { name: 'changing', version: '1' },
      instructions,
      ...greeting,
    };
  }
  if (member === undefined) {
    const given = declared.results?.[params?.name ?? params?.uri ?? method];
    if (given !== undefined) return given;
    return { content: [{ type: 'text', text: declared.texts?.[params?.name ?? params?.uri] ?? `${method} done` }] };
  }
  const pages = declared[member] ?? [[]];
  const at = Number(params?.cursor ?? 0);
  return { [member]: pages[at] ?? [], ...(at + 1 < pages.length && { nextCursor: String(at + 1) }), ...more };
}
