import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How it answers; `hangs`: it does not. */
export type RemoteKind = 'mcp' | 'modern' | 'login' | 'http-sse' | 'hangs' | 'broken' | 'elsewhere' | 'page';

export interface RemoteStandIn {
  /** Its origin. */
  readonly url: string;
  /** What reached it: verb, path, headers and message. */
  readonly arrived: readonly Arrived[];
  readonly close: () => Promise<void>;
}

export interface Arrived {
  readonly verb: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly method: string | undefined;
}

type Answer = (asked: { readonly verb: string; readonly id: unknown }, response: ServerResponse) => void;

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

const ANSWERS: Readonly<Record<RemoteKind, Answer>> = {
  mcp({ id }, response) {
    const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'good', version: '1' } };
    json(response, 200, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': 'session-1' });
  },
  modern({ verb, id }, response) {
    if (verb === 'POST') json(response, 400, { jsonrpc: '2.0', id, error: { code: -32601, message: 'no handshake' } });
    else json(response, 405, { error: 'no' });
  },
  login(_asked, response) {
    json(response, 401, { error: 'no' }, { 'www-authenticate': 'Bearer resource_metadata="https://x.example/prm"' });
  },
  'http-sse'({ verb }, response) {
    if (verb !== 'GET') return void response.writeHead(404).end('Cannot POST /');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': hello\n\nevent: endpoint\ndata: /messages?sessionId=1\n\n');
  },
  hangs() {},
  broken(_asked, response) {
    json(response, 503, { error: 'later' });
  },
  elsewhere(_asked, response) {
    response.writeHead(307, { location: 'http://127.0.0.1:9/mcp' }).end();
  },
  page(_asked, response) {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>hello</h1>');
  },
};

/** Stands in for a remote server, as who greets it meets it. */
export async function startRemote(kind: RemoteKind): Promise<RemoteStandIn> {
  const arrived: Arrived[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (text += part));
    request.on('end', () => {
      const { method: verb = '', url: path, headers } = request;
      const { id, method } = JSON.parse(text === '' ? '{}' : text) as { id?: unknown; method?: string };
      arrived.push({ verb, path, headers, method });
      ANSWERS[kind]({ verb, id }, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
