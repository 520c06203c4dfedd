import { randomBytes } from 'node:crypto';
import { createHash, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { writeAtomically } from '../../host/atomic-write.ts';
import type { Listener } from '../../transport/http/listener.ts';
import type { Counters } from '../../transport/mcp-http/counters.ts';
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
  { name: 'clawai_requests_total', type: 'counter', help: 'Requests for a remote server.', of: (counters) => counters.requests },
  {
    name: 'clawai_answered_total',
    type: 'counter',
    help: 'Requests that clawai answered itself: denied, refused, not readable.',
    of: (counters) => counters.answered,
  },
  {
    name: 'clawai_failed_total',
    type: 'counter',
    help: 'Requests whose server could not be reached, or gave no answer that can be used.',
    of: (counters) => counters.failed,
  },
  { name: 'clawai_streams', type: 'gauge', help: 'Streams of events that are open.', of: (counters) => counters.streams },
];

/** All counters, in the text format of Prometheus (version 0.0.4). */
export function formatMetrics(routes: RemoteRoutes, { connections }: Listener): string {
  const lines = METRICS.flatMap(({ name, type, help, of }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...sumByServer(routes, of).map(([server, count]) => `${name}{server="${escapeLabel(server)}"} ${count}`),
  ]);
  lines.push(
    '# HELP clawai_connections Connections of clients.',
    '# TYPE clawai_connections gauge',
    `clawai_connections ${connections}`,
  );
  return `${lines.join('\n')}\n`;
}

/** Several clients may know a server by one name. */
function sumByServer(routes: RemoteRoutes, of: Metric['of']): readonly (readonly [string, number])[] {
  const sums = new Map<string, number>();
  for (const { server, route } of routes.routes()) {
    sums.set(server.name, (sums.get(server.name) ?? 0) + of(route.parts.counters));
  }
  return [...sums];
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
