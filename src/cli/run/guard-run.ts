import type { IncomingMessage } from 'node:http';
import { homedir } from 'node:os';
import type { Config } from '../../config/config.ts';
import { findPolicy } from '../../config/policy-file.ts';
import { loadStartPolicy } from '../../config/start-policy.ts';
import { ClawaiError } from '../../errors.ts';
import type { RequestCounts } from '../../gate/ports/records.ts';
import { createSecret } from '../../remote/remote-state.ts';
import { providerUrl, type ServedProvider } from '../../remote/served-provider.ts';
import { givenSession } from '../../session/session.ts';
import { type Listener, type ListenerOptions, startListener } from '../../transport/http/listener.ts';
import { refuse } from '../../transport/http/respond.ts';
import type { Target } from '../../transport/http/target.ts';
import { lazyImport } from '../proxy/lazy-import.ts';
import { isForLlm, mayBeSocket } from '../serve/llm-target.ts';
import type { Guard } from '../serve/llm-routes.ts';
import { type AgentProvider, agentProviders, CODEX_PROVIDERS, codexProviders } from './agent-providers.ts';
import { readCodexStart } from './codex-route.ts';
import { findUnseenModels } from './unseen-model.ts';

interface GuardRunOptions {
  readonly config: Config;
  /** The policy as it was typed. */
  readonly policy: string | undefined;
  readonly session: string;
  /** The agent's command, with all its words. */
  readonly words: readonly string[];
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Tells the person who runs us, in one line. */
  readonly warn: (line: string) => void;
}

interface GuardedRun {
  /** Variables that lead the agent to us. */
  readonly env: Readonly<Record<string, string>>;
  /** The agent's command, with the arguments that lead it to us. */
  readonly words: readonly string[];
  /** Cuts open requests after the agent has ended. Resolves to the counts of its requests to models when all is on record. */
  close(): Promise<RequestCounts>;
}

/**
 * Stands in front of the LLM providers of an agent that is about to start. Requests are taken by the time this resolves.
 *
 * @throws ClawaiError where the policy can't be read or has a fault, or where the agent's LLM provider has no usable URL: then the agent must not start
 */
export async function guardRun({ config, policy, session, words, env, warn }: GuardRunOptions): Promise<GuardedRun> {
  const home = homedir();
  const cwd = process.cwd();
  const found = findPolicy({ flag: policy, env, platform: process.platform, home });
  const start = await loadStartPolicy({ found, stateDir: config.stateDir, place: { cwd, home } });
  const isObserving = config.mode === 'observe';
  const leading = agentProviders(config.llm, { words, cwd, home, env }).map(({ provider, ...how }) => ({
    ...how,
    provider: toServed(provider, createSecret()),
  }));
  const codex = readCodexStart({ words, cwd, home, env });
  const secret = createSecret();
  const ofCodex = codex.kind === 'led' ? codexProviders(config.llm, codex.route).map((each) => toServed(each, secret)) : [];
  if (isObserving) warn('only observing: every call is decided and recorded, and none is denied');
  if (start.kind === 'shipped') warn(`there is no policy at ${start.file}, so the shipped default decides`);
  const variables = leading.map(({ variable }) => variable);
  for (const line of findUnseenModels({ words, cwd, home, env, leading: variables, codex })) warn(line);
  // The guard is loaded while the agent starts, which takes longer; requests wait for it.
  const guard = Promise.withResolvers<Guard>();
  guard.promise.catch((error: unknown) => warn(`nothing that the model says gets through: ${String(error)}`));
  const { bodyTimeout } = config.limits;
  const listener = await begin({ warn, bodyTimeout }, (request, response, target) => {
    guard.promise
      .then((ready) => ready.handle(request, response, ofCodex.length > 0 ? toLogin(request, target) : target))
      .catch(() => refuse(response, 500, 'clawai failed to handle this request'));
  });
  const options = { config, start, isObserving, cwd, session: givenSession(session), warn };
  lazyImport(() => import('../serve/llm-routes.ts'))
    .then(({ openGuard }) => {
      const providers = leading.map(({ provider }) => provider);
      return openGuard([...providers, ...ofCodex], options);
    })
    .then(guard.resolve, guard.reject);
  const urls = leading.map(({ provider, variable, pathEnd }) => [variable, providerUrl(listener.origin, provider) + pathEnd]);
  const [byKey] = ofCodex;
  return {
    words: codex.kind === 'led' && byKey !== undefined ? codex.route.lead(providerUrl(listener.origin, byKey)) : words,
    env: { ...Object.fromEntries(urls), ...withoutProxyOnLoopback(env) },
    async close() {
      await listener.close(0);
      const ready = await guard.promise.catch(() => undefined);
      await ready?.close();
      return ready?.requests() ?? { checked: 0, refused: 0, unchecked: 0 };
    },
  };
}

function toServed(provider: AgentProvider['provider'], secret: string): ServedProvider {
  return { ...provider, secret, group: `llm:${provider.name}` };
}

/** A token of OpenAI's login; keys look otherwise. */
const LOGIN_TOKEN = /^Bearer eyJ[\w-]*\./i;

/** Sends what Codex asks with the login of ChatGPT to the provider that has it: it may log in while it runs. */
function toLogin({ headers }: IncomingMessage, target: Target): Target {
  const hasLogin = headers['chatgpt-account-id'] !== undefined || LOGIN_TOKEN.test(headers.authorization ?? '');
  const [first = '', name, ...others] = target.segments;
  if (!hasLogin || name !== CODEX_PROVIDERS.key) return target;
  return { ...target, segments: [first, CODEX_PROVIDERS.login, ...others] };
}

async function begin(
  { warn, bodyTimeout }: Pick<ListenerOptions, 'warn'> & { readonly bodyTimeout: number },
  handle: ListenerOptions['handle'],
): Promise<Listener> {
  try {
    return await startListener({
      host: '127.0.0.1',
      port: 0,
      hosts: [],
      warn,
      limits: { bodyTimeout },
      mayUpgrade: mayBeSocket,
      handle: (request, response, target) => {
        if (isForLlm(target)) handle(request, response, target);
        else refuse(response, 404, 'there is nothing here');
      },
    });
  } catch (error) {
    throw new ClawaiError(`cannot listen on 127.0.0.1: ${error instanceof Error ? error.message : String(error)}`, {
      code: 'listen_failed',
      hint: 'with --no-llm the agent starts without clawai in front of its LLM',
      cause: error,
    });
  }
}

/** Variables by which agents send all their requests through a proxy, which could not reach us. */
const PROXIES = ['http_proxy', 'https_proxy', 'all_proxy'];

const OURS = '127.0.0.1';

/** Variables that keep an agent's requests to us out of its proxy; none if no proxy is set, or it leaves us out already. */
export function withoutProxyOnLoopback(env: Readonly<NodeJS.ProcessEnv>): Readonly<Record<string, string>> {
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  if (!PROXIES.some((name) => isSet(name) || isSet(name.toUpperCase()))) return {};
  const said = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  const names = said.split(/[\s,]+/).filter((name) => name !== '');
  if (names.includes('*') || names.includes(OURS)) return {};
  const value = [...names, OURS].join(',');
  return { NO_PROXY: value, no_proxy: value };
}
