import { type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Interceptor } from '../../src/gate/interceptor.ts';
import type { GateSetup, Ports } from '../../src/gate/ports/ports.ts';
import { Rounds } from '../../src/gate/rounds.ts';
import { Upstream } from '../../src/transport/http/upstream.ts';
import { TranslatedServers } from '../../src/transport/bridge/translated-servers.ts';
import { createCounters } from '../../src/transport/http/counters.ts';
import { CallerGates } from '../../src/transport/mcp-http/gates.ts';
import type { Credentials } from '../../src/transport/mcp-http/route-parts.ts';
import { RemoteRoute } from '../../src/transport/mcp-http/remote-route.ts';
import { testSetup } from './gate.ts';

/** What the remote server was sent. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface RunningRoute {
  /** Of the route, for clients. */
  readonly url: string;
  readonly route: RemoteRoute;
  readonly arrived: Arrived[];
  readonly warnings: string[];
  /** Posts one message or batch, with what is usual in headers, and those. */
  post(message: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  close(): Promise<void>;
}

export interface RouteOptions {
  readonly policy?: string;
  readonly ports?: Partial<Ports>;
  readonly setup?: Partial<GateSetup>;
  /** Of the remote server's URL. */
  readonly path?: string;
  readonly limits?: { readonly message: number; readonly frame: number };
  readonly credentials?: Credentials;
  readonly isModernOnly?: boolean;
  /** The clock of the translated conversations. */
  readonly now?: () => number;
  /** The remote server. */
  readonly answer: (arrived: Arrived, response: ServerResponse) => void;
}

/** A remote server, and in front of it, on a port of its own, the route to it. */
export async function runRoute(options: RouteOptions): Promise<RunningRoute> {
  const { policy = '[defaults]\naction = "allow"', ports, setup, path = '/mcp', answer } = options;
  const arrived: Arrived[] = [];
  const warnings: string[] = [];
  const remote = createServer((request, response) => {
    void readText(request).then((body) => {
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      arrived.push(one);
      answer(one, response);
    });
  });
  const origin = await listen(remote);
  const warn = (line: string): unknown => warnings.push(line);
  const upstream = new Upstream({ url: new URL(origin) });
  const limits = options.limits ?? { message: 1 << 20, frame: 1 << 20 };
  const now = (): number => performance.now();
  const route = new RemoteRoute({
    name: 'files',
    upstream,
    eras: new TranslatedServers({
      name: 'files',
      url: new URL(origin),
      upstream,
      credentials: options.credentials,
      limits: { ...limits, depth: 64 },
      secret: 'secret-of-the-route',
      isModernOnly: options.isModernOnly === true,
      now: options.now ?? now,
      warn,
    }),
    origin,
    path,
    headers: {},
    credentials: options.credentials,
    gates: new CallerGates({
      callerOf: () => 'somebody',
      create: () => new Interceptor(testSetup(policy, { warn, ...ports }, setup)),
      now,
    }),
    rounds: new Rounds(),
    limits,
    counters: createCounters(),
    onFault: (fault) => warn(fault.message),
    warn,
  });
  const front = createServer((request, response) => {
    const [asked = '', query] = (request.url ?? '').split('?');
    const [, token] = /^\/~\/([^/]+)$/.exec(asked) ?? [];
    if (token !== undefined) route.handleMessage(request, response, token);
    else route.handle(request, response, query === undefined ? '' : `?${query}`);
  });
  const url = `${await listen(front)}/`;
  return {
    url,
    route,
    arrived,
    warnings,
    post: (message, headers = {}) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        body: typeof message === 'string' ? message : JSON.stringify(message),
      }),
    async close() {
      await route.close();
      for (const server of [front, remote]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}
