import { type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ModelGate } from '../../src/gate/model/model-gate.ts';
import type { GateSetup, Ports, Sink } from '../../src/gate/ports/ports.ts';
import type { CallRecord, DeniedResultRecord } from '../../src/gate/ports/records.ts';
import { Rounds } from '../../src/gate/rounds.ts';
import { anthropicApi } from '../../src/protocol/llm/anthropic/api.ts';
import type { ModelApi } from '../../src/protocol/llm/model-api.ts';
import { Upstream } from '../../src/transport/http/upstream.ts';
import { LlmGuard } from '../../src/transport/llm/llm-guard.ts';
import { LlmRoute } from '../../src/transport/llm/llm-route.ts';
import { type Counters, createCounters } from '../../src/transport/http/counters.ts';
import { testSetup } from './gate.ts';
import { createTestSink } from './sink.ts';

/** What the provider was sent. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface RunningLlm {
  /** Of the route, for clients; without a slash at its end. */
  readonly url: string;
  readonly asked: Asked[];
  readonly records: CallRecord[];
  readonly deniedResults: DeniedResultRecord[];
  readonly warnings: string[];
  readonly counters: Counters;
  /** How often a transaction of the store was begun, and ended. */
  readonly transactions: { begun: number; ended: number };
  /** Posts to `/v1/messages`, or another path. */
  post(body: unknown, headers?: Readonly<Record<string, string>>, path?: string): Promise<Response>;
  close(): Promise<void>;
}

export interface LlmOptions {
  /** Anthropic's unless told otherwise. */
  readonly api?: ModelApi;
  readonly policy?: string;
  readonly ports?: Partial<Ports>;
  readonly sink?: Partial<Sink>;
  readonly setup?: Partial<GateSetup>;
  /** Path and query of the provider's base URL. */
  readonly path?: string;
  readonly query?: string;
  readonly limits?: { readonly message: number; readonly frame: number };
  readonly keepAlive?: number;
  /** Nothing is looked at. */
  readonly isUnguarded?: boolean;
  /** The provider. */
  readonly answer: (asked: Asked, response: ServerResponse, request: IncomingMessage) => void;
  /** The provider, where it looks at a request before that is complete. */
  readonly early?: (request: IncomingMessage, response: ServerResponse) => void;
}

/** A policy that allows what no rule is about, and has nothing against tools that nobody listed. */
export const ALLOW = '[defaults]\naction = "allow"\nunmapped_tool = "allow"\n';

/** A rule that denies an agent's own tool. */
export function denyNative(tool: string, args = ''): string {
  return `\n[[rule]]\naction = "deny"\nserver = "native"\ntool = "${tool}"\n${args}\n`;
}

/** A model's gate under a policy in TOML. */
export function createModelGate(
  toml: string,
  { ports = {}, setup = {}, sink = {} }: Pick<LlmOptions, 'ports' | 'setup' | 'sink'> = {},
): {
  gate: ModelGate;
  records: CallRecord[];
  deniedResults: DeniedResultRecord[];
  warnings: string[];
  transactions: { begun: number; ended: number };
} {
  const stored = createTestSink();
  const warnings: string[] = [];
  const transactions = { begun: 0, ended: 0 };
  const parts = { ...stored.sink, ...sink };
  const counted: Sink = {
    ...parts,
    begin: () => {
      const has = parts.begin();
      if (has) transactions.begun++;
      return has;
    },
    commit: () => {
      transactions.ended++;
      parts.commit();
    },
    rollback: () => {
      if (transactions.ended < transactions.begun) transactions.ended++;
      parts.rollback();
    },
  };
  const all = testSetup(toml, { warn: (line) => warnings.push(line), ...ports, sink: counted }, setup);
  const { calls: records, deniedResults } = stored;
  return { gate: new ModelGate(all), records, deniedResults, warnings, transactions };
}

/** A provider, and in front of it, on a port of its own, the route to it. */
export async function runLlm(options: LlmOptions): Promise<RunningLlm> {
  const { api = anthropicApi, policy = ALLOW, path = '', query = '', answer, early, keepAlive } = options;
  const asked: Asked[] = [];
  const provider = createServer((request, response) => {
    if (early !== undefined) {
      early(request, response);
      return;
    }
    readBytes(request).then(
      (body) => {
        const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
        asked.push(one);
        answer(one, response, request);
      },
      () => {},
    );
  });
  const origin = await listen(provider);
  const { gate, records, deniedResults, warnings, transactions } = createModelGate(policy, options);
  const guard = new LlmGuard({ gate });
  const counters = createCounters();
  let requests = 0;
  const upstream = new Upstream({ url: new URL(origin) });
  const route = new LlmRoute({
    name: api.dialect,
    api,
    upstream,
    path,
    query,
    guards: options.isUnguarded === true ? undefined : { of: () => guard },
    rounds: new Rounds(),
    limits: options.limits ?? { message: 1 << 24, frame: 1 << 23 },
    ...(keepAlive === undefined ? {} : { keepAlive }),
    counters,
    requestId: () => `r.${++requests}`,
    onFault: ({ message }) => warnings.push(message),
    warn: (line) => warnings.push(line),
  });
  const front = createServer((request, response) => {
    const target = request.url ?? '';
    const at = target.indexOf('?');
    route.handle(request, response, {
      rest: at === -1 ? target : target.slice(0, at),
      query: at === -1 ? '' : target.slice(at),
    });
  });
  const url = await listen(front);
  return {
    url,
    asked,
    records,
    deniedResults,
    warnings,
    counters,
    transactions,
    post: (body, headers = {}, to = '/v1/messages') =>
      fetch(`${url}${to}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' || body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body),
      }),
    async close() {
      route.close();
      for (const server of [front, provider]) {
        server.closeAllConnections();
        server.close();
      }
      await gate.finish();
    },
  };
}

/** Answers with a stream of events. */
export function answerStream(response: ServerResponse, text: string | Buffer, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...headers }).end(text);
}

/** Answers with a body of JSON. */
export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** What came, and whether the answer had an end. */
export async function readUntilCut(answer: Response): Promise<{ text: string; isWhole: boolean }> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of answer.body ?? []) text += decoder.decode(chunk as Uint8Array, { stream: true });
    return { text, isWhole: true };
  } catch {
    return { text, isWhole: false };
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
