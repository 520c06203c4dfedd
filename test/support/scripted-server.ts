import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A message as it came; what is no JSON is empty. */
export interface SeenMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: Readonly<Record<string, unknown>> };
}

/** A request that reached the server. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly message: SeenMessage;
}

export type Script = (request: SeenRequest, response: ServerResponse) => void;

/** A remote server that does what the test says, honest or not, and remembers what reached it. */
export class ScriptedServer {
  readonly url: string;
  /** What reached it, apart from the lists that clawai asks for by itself. */
  readonly seen: SeenRequest[] = [];
  /** How it answers calls; all else it answers as a server of the legacy era without sessions. */
  script: Script = answerOk;
  /** Names of the tools that it lists. */
  tools: readonly string[] = ['t'];
  readonly #close: () => Promise<void>;

  private constructor(url: string, close: () => Promise<void>) {
    this.url = url;
    this.#close = close;
  }

  static async start({
    port = 0,
    tls,
  }: { readonly port?: number; readonly tls?: { readonly key: Buffer; readonly cert: Buffer } } = {}): Promise<ScriptedServer> {
    const holder: { server?: ScriptedServer } = {};
    const listener: RequestListener = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('error', () => {});
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const { method = '', url = '', headers } = request;
        holder.server?.handle({ method, url, headers, text, message: parse(text) }, response);
      });
    };
    const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
    await new Promise<void>((settle) => server.listen(port, '127.0.0.1', settle));
    const scheme = tls === undefined ? 'http' : 'https';
    const close = async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((settle) => server.close(settle));
    };
    holder.server = new ScriptedServer(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, close);
    return holder.server;
  }

  /** Ids of the calls that reached it, in order. */
  reached(): unknown[] {
    return this.seen.map(({ message }) => message.id);
  }

  stop(): Promise<void> {
    return this.#close();
  }

  handle(request: SeenRequest, response: ServerResponse): void {
    const { message } = request;
    if (isByClawai(message)) {
      answerListing(request, response, this.tools);
      return;
    }
    this.seen.push(request);
    this.script(request, response);
  }
}

/** What a tool says that was called with `text`, or without. */
export const answerOk: Script = ({ message }, response) => {
  const text = String(message.params?.arguments?.['text'] ?? 'ok');
  if (message.id === undefined) response.writeHead(202).end();
  else sendJson(response, { jsonrpc: '2.0', id: message.id, result: { content: [{ type: 'text', text }] } });
};

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function isByClawai({ id, method }: SeenMessage): boolean {
  return (typeof id === 'string' && id.startsWith('clawai-')) || method === 'notifications/initialized';
}

function answerListing({ message: { id, method } }: SeenRequest, response: ServerResponse, names: readonly string[]): void {
  const serverInfo = { name: 'scripted', version: '1' };
  if (method === 'initialize') {
    sendJson(response, {
      jsonrpc: '2.0',
      id,
      result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo },
    });
  } else if (method === 'tools/list') sendJson(response, { jsonrpc: '2.0', id, result: { tools: names.map(toTool) } });
  else if (id === undefined) response.writeHead(202).end();
  else sendJson(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'not here' } });
}

function toTool(name: string): object {
  return { name, description: 'Says what it is told.', inputSchema: { type: 'object' } };
}

function parse(text: string): SeenMessage {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    // No message.
    return {};
  }
}
