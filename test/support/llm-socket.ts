import { Rounds } from '../../src/gate/rounds.ts';
import type { CallRecord, DeniedResultRecord, RequestCounts } from '../../src/gate/ports/records.ts';
import { openaiApi } from '../../src/protocol/llm/openai/api.ts';
import { createCounters, type Counters } from '../../src/transport/http/counters.ts';
import { startListener } from '../../src/transport/http/listener.ts';
import { Upstream } from '../../src/transport/http/upstream.ts';
import { LlmGuard } from '../../src/transport/llm/llm-guard.ts';
import { LlmRoute } from '../../src/transport/llm/llm-route.ts';
import { createModelGate, type LlmOptions } from './llm-route.ts';
import { SocketClient } from './web-socket.ts';

export interface RunningSocket {
  readonly url: string;
  readonly records: CallRecord[];
  readonly deniedResults: DeniedResultRecord[];
  readonly warnings: string[];
  readonly counters: Counters;
  readonly isBusy: () => boolean;
  readonly requests: () => RequestCounts;
  open(headers?: Readonly<Record<string, string>>): Promise<SocketClient>;
  /** @param graceMs milliseconds that open connections get */
  close(graceMs?: number): Promise<void>;
}

/** The route to a provider of OpenAI's APIs, on a listener of its own. @param origin the provider's */
export async function runSocket(
  origin: string,
  {
    policy = '',
    limits,
    keepAlive,
    tlsFingerprint,
    ...more
  }: Omit<Partial<LlmOptions>, 'answer'> & { readonly tlsFingerprint?: string } = {},
): Promise<RunningSocket> {
  const { gate, records, deniedResults, warnings } = createModelGate(policy, more);
  const guard = new LlmGuard({ gate });
  const counters = createCounters();
  let requests = 0;
  const route = new LlmRoute({
    name: 'openai',
    api: openaiApi,
    upstream: new Upstream({ url: new URL(origin), ...(tlsFingerprint === undefined ? {} : { tlsFingerprint }) }),
    path: more.path ?? '/v1',
    query: more.query ?? '',
    guards: more.isUnguarded === true ? undefined : { of: () => guard },
    rounds: new Rounds(),
    limits: limits ?? { message: 1 << 24, frame: 1 << 24 },
    ...(keepAlive === undefined ? {} : { keepAlive }),
    counters,
    requestId: () => `r.${++requests}`,
    onFault: ({ message }) => warnings.push(message),
    warn: (line) => warnings.push(line),
  });
  const listener = await startListener({
    host: '127.0.0.1',
    port: 0,
    hosts: [],
    mayUpgrade: () => true,
    warn: (line) => warnings.push(line),
    handle: (request, response, { path, query }) => route.handle(request, response, { rest: path, query }),
  });
  const url = `${listener.origin}/responses`;
  return {
    url,
    records,
    deniedResults,
    warnings,
    counters,
    isBusy: () => guard.isBusy,
    requests: () => route.requests.report(),
    open: (headers) => SocketClient.open(url, headers),
    async close(graceMs = 0) {
      await listener.close(graceMs);
      route.close();
      await gate.finish();
    },
  };
}
