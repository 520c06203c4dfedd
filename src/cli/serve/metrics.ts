import { randomBytes } from 'node:crypto';
import { createHash, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { writeAtomically } from '../../host/atomic-write.ts';
import type { Listener } from '../../transport/http/listener.ts';
import type { Counters } from '../../transport/http/counters.ts';
import type { Gates } from '../../transport/mcp-http/gates.ts';
import type { LlmRoutes } from './llm-routes.ts';
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
    // The token is missing or unreadable; then writing says what is wrong.
  }
  const token = randomBytes(24).toString('base64url');
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  writeAtomically(file, Buffer.from(`${token}\n`), { mode: 0o600 });
  return token;
}

/** Tells whether a request brings the token, as `Authorization: Bearer TOKEN`. */
export function mayReadMetrics({ headers }: IncomingMessage, token: string): boolean {
  const given = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token));
}

interface Metric<Parts> {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly of: (parts: Parts) => number;
}

const METRICS: readonly Metric<{ readonly counters: Counters }>[] = [
  { name: 'requests_total', type: 'counter', help: 'Requests for', of: ({ counters }) => counters.requests },
  {
    name: 'answered_total',
    type: 'counter',
    help: 'Requests that clawai answered itself: denied, refused, not readable; for',
    of: ({ counters }) => counters.answered,
  },
  {
    name: 'failed_total',
    type: 'counter',
    help: 'Requests that could not be asked, or got no answer that can be used; for',
    of: ({ counters }) => counters.failed,
  },
  { name: 'streams', type: 'gauge', help: 'Streams of events that are open; of', of: ({ counters }) => counters.streams },
];

/** Gauges that must not grow for ever. */
const GATE_METRICS: readonly Metric<{ readonly gates: Pick<Gates, 'sessions' | 'size'> }>[] = [
  { name: 'sessions', type: 'gauge', help: 'Sessions that are remembered; of', of: ({ gates }) => gates.sessions },
  {
    name: 'gates',
    type: 'gauge',
    help: 'Sessions and requests without one that are looked after; of',
    of: ({ gates }) => gates.size,
  },
];

/** Counted parts, under their name. */
interface Counted<Parts> {
  readonly name: string;
  readonly parts: Parts;
}

export interface MetricsSource {
  readonly servers: ReturnType<RemoteRoutes['routes']>;
  readonly providers: ReturnType<LlmRoutes['routes']>;
  readonly listener: Pick<Listener, 'connections'>;
}

/** All counters, in the text format of Prometheus (version 0.0.4). */
export function formatMetrics({ servers, providers, listener: { connections } }: MetricsSource): string {
  const ofServers = servers.map(({ server, route }) => ({ name: server.name, parts: route.parts }));
  const ofProviders = providers.map(({ provider, route }) => ({ name: provider.name, parts: route.parts }));
  const remote = { prefix: 'clawai', label: 'server', noun: 'a remote server' };
  const lines = [
    ...METRICS.flatMap((metric) => linesOf(metric, ofServers, remote)),
    ...GATE_METRICS.flatMap((metric) => linesOf(metric, ofServers, remote)),
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

function linesOf<Parts>(
  { name, type, help, of }: Metric<Parts>,
  counted: readonly Counted<Parts>[],
  { prefix, label, noun }: Kind,
): readonly string[] {
  return [
    `# HELP ${prefix}_${name} ${help} ${noun}.`,
    `# TYPE ${prefix}_${name} ${type}`,
    ...sumByName(counted, of).map(([known, count]) => `${prefix}_${name}{${label}="${escapeLabel(known)}"} ${count}`),
  ];
}

/** Several clients may know a server by one name. */
function sumByName<Parts>(counted: readonly Counted<Parts>[], of: Metric<Parts>['of']): readonly (readonly [string, number])[] {
  const sums = new Map<string, number>();
  for (const { name, parts } of counted) sums.set(name, (sums.get(name) ?? 0) + of(parts));
  return [...sums];
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
