// A remote MCP server that costs as little as Node lets it: what it takes is not what is measured.
//   node upstream.mjs
// Prints its port. A POST is answered with JSON, or, where the header `x-bench-events` says how many, with a stream of so many
// notifications and the answer, `x-bench-together` of them in one piece. A GET is a stream on which nothing comes. At /sse it speaks HTTP+SSE:
// the same answers come by the GET, which the header ends. At /managed it wants a token, and at /many it lists
// 500 tools.
import { createServer } from 'node:http';
import { listOf } from '../listed-tools.mjs';

/** 150 bytes with the blank line. */
const EVENT = `event: message\ndata: ${JSON.stringify({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data: 'step done, going on'.padEnd(41, '.') },
})}\n\n`;
const STREAM = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
const SCHEMA = { type: 'object', properties: { text: { type: 'string' } } };
const MODERN = '2026-07-28';
const MANY = JSON.parse(listOf(500));

/** Streams of HTTP+SSE, by the address to which their clients post. */
const sessions = new Map();
let begun = 0;

const server = createServer((request, response) => {
  const { method, url, headers } = request;
  if (method === 'GET') {
    response.writeHead(200, STREAM);
    if (url === '/sse') openSession(response);
    else response.write(': open\n\n');
    return;
  }
  if (url === '/managed' && headers.authorization !== 'Bearer access-token') {
    response.writeHead(401, { 'content-length': 0 }).end();
    return;
  }
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => {
    const message = JSON.parse(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
    if (message.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const answer = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: toResult(message, { headers, url }) });
    const events = headers['x-bench-events'];
    const session = sessions.get(url);
    if (session !== undefined) {
      response.writeHead(202, { 'content-length': 0 }).end();
      if (events === undefined) session.write(`event: message\ndata: ${answer}\n\n`);
      else stream(session, Number(events), Number(headers['x-bench-together'] ?? 1), answer);
      return;
    }
    if (events !== undefined) {
      response.writeHead(200, STREAM);
      stream(response, Number(events), Number(headers['x-bench-together'] ?? 1), answer);
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) }).end(answer);
  });
});

function openSession(response) {
  const address = `/messages?sessionId=${++begun}`;
  sessions.set(address, response);
  response.on('close', () => sessions.delete(address));
  response.write(`event: endpoint\ndata: ${address}\n\n`);
}

function toResult({ method, params }, { headers, url }) {
  const modern = headers['mcp-protocol-version'] === MODERN ? { resultType: 'complete' } : {};
  if (method === 'tools/call') return { ...modern, content: [{ type: 'text', text: params.arguments.text }] };
  if (method === 'tools/list' && url === '/many') return { ...modern, ...MANY };
  if (method === 'tools/list') return { ...modern, tools: [{ name: 'echo', description: 'Says it again', inputSchema: SCHEMA }] };
  if (method !== 'initialize') return modern;
  return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'bench', version: '1' } };
}

/** Each event is a write of its own, as servers do it, unless several go together; waits where the connection is full. */
function stream(response, count, together, answer) {
  const many = EVENT.repeat(together);
  let left = count;
  const go = () => {
    while (left > 0) {
      const piece = left >= together ? many : EVENT.repeat(left);
      left -= Math.min(together, left);
      if (!response.write(piece) && !response.destroyed) {
        response.once('drain', go);
        return;
      }
    }
    response.end(`event: message\ndata: ${answer}\n\n`);
  };
  go();
}

server.keepAliveTimeout = 600_000;
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
