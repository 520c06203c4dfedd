// A server that lists COUNT tools, and other ones from its third list on.
import { listOf } from './listed-tools.mjs';

const COUNT = Number(process.argv[2] ?? 500);
let lists = 0;

const listed = [listOf(COUNT), listOf(COUNT, 'Now in another way. ')];

let rest = '';
process.stdin.on('data', (chunk) => {
  const texts = (rest + chunk).split('\n');
  rest = texts.pop();
  for (const text of texts) {
    const { id, method } = JSON.parse(text);
    const result =
      method === 'tools/list'
        ? listed[lists++ < 2 ? 0 : 1]
        : '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"l","version":"1"}}';
    if (id !== undefined) process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":${result}}\n`);
  }
});
