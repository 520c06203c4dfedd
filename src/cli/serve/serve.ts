import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../../config/config.ts';
import type { StartPolicy } from '../../config/start-policy.ts';
import { routeUrl } from '../../remote/remote-server.ts';
import { loadHooks } from '../../remote/served-hook.ts';
import { loadProviders } from '../../remote/served-provider.ts';
import { writeServeRecord } from '../../remote/serve-record.ts';
import { refuse } from '../../transport/http/respond.ts';
import type { Target } from '../../transport/http/target.ts';
import { accessOf, begin, listenOn } from './begin-listening.ts';
import { HookRoutes } from './hook-routes.ts';
import { handleLlm, LlmRoutes } from './llm-routes.ts';
import { DISABLED_LINE, isForLlm, mayBeSocket } from './llm-target.ts';
import { VERSION } from '../machine/version.ts';
import { GateMaker } from './gate-maker.ts';
import { ListingClient } from './listing-client.ts';
import { formatMetrics, mayReadMetrics, readOrMakeMetricsToken } from './metrics.ts';
import { RemoteRoutes } from './remote-routes.ts';
import { warn } from '../terminal/notes.ts';

/** Milliseconds that requests which are on their way get when we are stopped. */
const GRACE = 2000;

export interface ServeOptions {
  readonly config: Config;
  /** The address as it was typed, in place of the config's. */
  readonly listen: string | undefined;
  readonly start: StartPolicy;
  readonly isObserving: boolean;
  /** Print one line of JSON when ready. */
  readonly isJson: boolean;
}

/** Serves until a signal stops us. @throws ClawaiError where it can't begin */
export async function serve({ config, listen, start, isObserving, isJson }: ServeOptions): Promise<void> {
  const address = listenOn(config, listen);
  const access = accessOf(config, address);
  const stopped = untilStopped();
  const maker = new GateMaker({ config, start, isObserving, warn });
  const routes = new RemoteRoutes({ config, maker, warn });
  const llm = new LlmRoutes({ providers: loadProviders(config), config, maker, warn });
  const hooks = new HookRoutes({ hooks: loadHooks(config), config, maker, warn });
  const id = randomBytes(16).toString('hex');
  const metricsToken = readOrMakeMetricsToken(config.stateDir);
  const handle = (request: IncomingMessage, response: ServerResponse, target: Target): void => {
    const [first, name = '', secret = '', mark, token = '', ...more] = target.segments;
    const isMessage = mark === '~' && token !== '' && more.length === 0;
    if (first === 'mcp' && secret !== '' && (mark === undefined || isMessage)) {
      const route = routes.find(name, secret);
      if (route !== undefined && isMessage) route.handleMessage(request, response, token);
      else if (route !== undefined) route.handle(request, response, target.query);
      else refuse(response, 404, 'there is no such server here: clawai status shows the URLs that there are');
    } else if (isForLlm(target)) handleLlm(llm, { request, response, target });
    else if (first === 'hook') hooks.handle(request, response, target);
    else if (first === 'healthz' && name === '') {
      sendText(response, 'application/json', JSON.stringify({ status: 'ok', id, version: VERSION }));
    } else if (first === 'metrics' && name === '') {
      if (mayReadMetrics(request, metricsToken))
        sendText(
          response,
          'text/plain; version=0.0.4',
          formatMetrics({ servers: routes.routes(), providers: llm.routes(), listener }),
        );
      else refuse(response, 403, 'the metrics need their token, which is in metrics-token in the folder of the state');
    } else refuse(response, 404, 'there is nothing here');
  };
  const isOurs = ({ segments: [first, name = '', secret = ''] }: Target): boolean =>
    secret !== '' && (first === 'mcp' ? routes : first === 'hook' ? hooks : llm).find(name, secret) !== undefined;
  const listener = await begin({
    ...access,
    ...address,
    handle,
    isOurs,
    ...(config.llm.mode === 'disabled' ? {} : { mayUpgrade: mayBeSocket }),
    warn,
    limits: { bodyTimeout: config.limits.bodyTimeout },
  });
  const origin = localOrigin(listener.origin);
  const { tokenFile } = config.serve;
  const record = {
    pid: process.pid,
    started: new Date().toISOString(),
    id,
    url: origin,
    version: VERSION,
    ...(tokenFile === undefined ? {} : { tokenFile }),
  };
  const forget = writeServeRecord(config.stateDir, record);
  const headers = access.token === undefined ? {} : { 'x-clawai-token': access.token };
  const lists = new ListingClient({ routes, origin, headers, warn });
  try {
    sayReady({ routes, llm, hooks, origin, isJson });
    if (isObserving) warn('only observing: every call is decided and recorded, and none is denied');
    if (start.kind === 'shipped') warn(`there is no policy at ${start.file}, so the shipped default decides`);
    if (config.llm.mode === 'disabled' && llm.routes().length > 0) warn(DISABLED_LINE);
    lists.begin();
    await stopped;
  } finally {
    forget();
    lists.close();
    await listener.close(GRACE);
    await Promise.all([routes.close(), llm.close(), hooks.close()]);
    await maker.close();
  }
}

/** The origin at which this machine reaches a listener on all addresses. */
function localOrigin(origin: string): string {
  return origin.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

interface Ready {
  readonly routes: RemoteRoutes;
  readonly llm: LlmRoutes;
  readonly hooks: HookRoutes;
  readonly origin: string;
  readonly isJson: boolean;
}

function sayReady({ routes, llm, hooks, origin, isJson }: Ready): void {
  const servers = routes.servers().map((server) => ({ name: server.name, url: routeUrl(origin, server) }));
  const providers = llm.urls(origin);
  if (isJson) {
    process.stdout.write(`${JSON.stringify({ url: origin, servers, llm: providers, hooks: hooks.urls(origin) })}\n`);
    return;
  }
  const width = Math.max(0, ...[...servers, ...providers].map(({ name }) => name.length));
  process.stdout.write(`listening on ${origin}\n`);
  for (const { name, url } of [...servers, ...providers]) process.stdout.write(`  ${name.padEnd(width)}  ${url}\n`);
  if (servers.length === 0) process.stdout.write('no remote servers yet: clawai wrap --all finds those of your clients\n');
}

/** A second signal ends us as it would anybody. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

function sendText(response: ServerResponse, type: string, text: string): void {
  const body = Buffer.from(text);
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store', 'content-length': body.length }).end(body);
}
