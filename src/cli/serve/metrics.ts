import { randomBytes } from 'node:crypto';
import { createHash, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { writeAtomically } from '../../host/atomic-write.ts';
import type { Listener } from '../../transport/http/listener.ts';
import type { Counters } from '../../transport/mcp-http/counters.ts';
import type { LlmRoutes } from '../llm/llm-routes.ts';
import type { RemoteRoutes } from './remote-routes.ts';

/** Characters that a token has at least; one of fewer was cut. */
const SHORTEST = 32;

/** The token that reading the metrics needs: they name the user's servers, and other users of the machine can reach our port. */
export function readOrMakeMetricsToken(stateDir: string): string {
  const file = join(stateDir, 'metrics-token');
  try {
    const token = readFileSync(file, 'utf8').trim();
    if (token.length >= SHORTEST) return token;
  } catch {
    // There is none yet, or none that we may read; then writing says what is wrong.
  }
  const token = randomBytes(24).toString('base64url');
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  writeAtomically(file, Buffer.from(`${token}\n`), { mode: 0o600 });
  return token;
}

/** Does a request bring the token, as `Authorization: Bearer TOKEN`? */
export function mayReadMetrics({ headers }: IncomingMessage, token: string): boolean {
  const given = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token));
}

interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly of: (counters: Counters) => number;
}

const METRICS: readonly Metric[] = [
  { name: 'requests_total', type: 'counter', help: 'Requests for', of: (counters) => counters.requests },
  {
    name: 'answered_total',
    type: 'counter',
    help: 'Requests that clawai answered itself: denied, refused, not readable; for',
    of: (counters) => counters.answered,
  },
  {
    name: 'failed_total',
    type: 'counter',
    help: 'Requests that could not be asked, or got no answer that can be used; for',
    of: (counters) => counters.failed,
  },
  { name: 'streams', type: 'gauge', help: 'Streams of events that are open; of', of: (counters) => counters.streams },
];

/** What is counted, under its name. */
interface Counted {
  readonly name: string;
  readonly counters: Counters;
}

export interface MetricsSource {
  readonly servers: ReturnType<RemoteRoutes['routes']>;
  readonly providers: ReturnType<LlmRoutes['routes']>;
  readonly listener: Pick<Listener, 'connections'>;
}

/** All counters, in the text format of Prometheus (version 0.0.4). */
export function formatMetrics({ servers, providers, listener: { connections } }: MetricsSource): string {
  const ofServers = servers.map(({ server, route }) => ({ name: server.name, counters: route.parts.counters }));
  const ofProviders = providers.map(({ provider, route }) => ({ name: provider.name, counters: route.parts.counters }));
  const lines = [
    ...METRICS.flatMap((metric) => linesOf(metric, ofServers, { prefix: 'clawai', label: 'server', noun: 'a remote server' })),
    // None of these is there where no provider is declared.
    ...(ofProviders.length === 0 ? [] : METRICS).flatMap((metric) =>
      linesOf(metric, ofProviders, { prefix: 'clawai_llm', label: 'provider', noun: 'an LLM provider' }),
    ),
    '# HELP clawai_connections Connections of clients.',
    '# TYPE clawai_connections gauge',
    `clawai_connections ${connections}`,
  ];
  return `${lines.join('\n')}\n`;
}

interface Kind {
  readonly prefix: string;
  readonly label: string;
  readonly noun: string;
}

function linesOf(
  { name, type, help, of }: Metric,
  counted: readonly Counted[],
  { prefix, label, noun }: Kind,
): readonly string[] {
  return [
    `# HELP ${prefix}_${name} ${help} ${noun}.`,
    `# TYPE ${prefix}_${name} ${type}`,
    ...sumByName(counted, of).map(([known, count]) => `${prefix}_${name}{${label}="${escapeLabel(known)}"} ${count}`),
  ];
}

/** Several clients may know a server by one name. */
function sumByName(counted: readonly Counted[], of: Metric['of']): readonly (readonly [string, number])[] {
  const sums = new Map<string, number>();
  for (const { name, counters } of counted) sums.set(name, (sums.get(name) ?? 0) + of(counters));
  return [...sums];
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
