import { usageError } from '../command.ts';
import { type Config, LLM_DIALECTS, type LlmDialect, type LlmProvider } from '../../config/config.ts';
import { readRemoteUrl } from '../../config/addresses.ts';

import type { CodexRoute } from './codex-route.ts';
import { surelyStarted } from './program-of.ts';

/** A provider that agents are led to by a variable of their environment. */
interface KnownProvider {
  /** The API of the provider, and its name. */
  readonly dialect: LlmDialect;
  /** The variable that agents read its base URL from. */
  readonly variable: string;
  /** Variables of which one is set where an agent uses the provider; none: it may use it in any case. */
  readonly keys: readonly string[];
  /** Agents that never use it, or not in the words that we know, by the names of their programs. Of others nobody knows. */
  readonly notFor?: ReadonlySet<string>;
  /** End of the path of its base URL, which agents count on; empty where they count on none. */
  readonly pathEnd: '' | `/${string}`;
}

const KNOWN_PROVIDERS: readonly KnownProvider[] = [
  // People log in to Claude Code, which then has no key in its environment.
  { dialect: 'anthropic', variable: 'ANTHROPIC_BASE_URL', keys: [], pathEnd: '' },
  {
    dialect: 'openai',
    variable: 'OPENAI_BASE_URL',
    keys: ['OPENAI_API_KEY'],
    // Codex does not read the variable. Programs that these agents run may well ask OpenAI.
    notFor: new Set(['claude', 'codex', 'gemini']),
    pathEnd: '/v1',
  },
  // Gemini CLI wants a key and no login if the variable is set.
  { dialect: 'gemini', variable: 'GOOGLE_GEMINI_BASE_URL', keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'], pathEnd: '' },
];

/** A provider that an agent's requests go to, and the variable that leads the agent to us. */
export interface AgentProvider {
  readonly provider: Pick<LlmProvider, 'name' | 'dialect' | 'baseUrl'>;
  readonly variable: string;
  /** The end of the URL that replaces the base URL; empty, or with a slash in front. */
  readonly pathEnd: string;
}

/**
 * The providers that an agent may use. Its requests are to go to the declared provider of that name, else to where they would go without us.
 *
 * @param words the agent's command, as it was typed
 * @throws ClawaiError `usage` where that is no URL that can be asked. The message never repeats it
 */
export function agentProviders(
  { providers }: Config['llm'],
  env: Readonly<NodeJS.ProcessEnv>,
  words: readonly string[],
): readonly AgentProvider[] {
  const [program, ...others] = surelyStarted(words);
  const isSet = (name: string): boolean => (env[name]?.trim() ?? '') !== '';
  const led = KNOWN_PROVIDERS.flatMap((known): AgentProvider[] => {
    const { dialect, variable, keys, notFor } = known;
    if (program !== undefined && others.length === 0 && notFor?.has(program) === true) return [];
    const declared = providers.find(({ name }) => name === dialect)?.baseUrl;
    if (declared === undefined && keys.length > 0 && ![variable, ...keys].some(isSet)) return [];
    return [toAgentProvider(known, declared ?? urlBefore(known, env))];
  });
  return isSet(COPILOT_URL) ? [...led, copilotProvider(env)] : led;
}

/** The variable by which Copilot CLI asks another provider than GitHub. */
export const COPILOT_URL = 'COPILOT_PROVIDER_BASE_URL';

/** The provider that the user has Copilot CLI ask. Which API it has, another variable says. */
function copilotProvider(env: Readonly<NodeJS.ProcessEnv>): AgentProvider {
  const isAnthropic = env['COPILOT_PROVIDER_TYPE']?.trim().toLowerCase() === 'anthropic';
  const name = 'copilot';
  const url = readUrl(env[COPILOT_URL]?.trim() ?? '', { from: COPILOT_URL });
  const known = {
    dialect: isAnthropic ? 'anthropic' : 'openai',
    variable: COPILOT_URL,
    pathEnd: isAnthropic ? '' : '/v1',
  } as const;
  const { provider, ...how } = toAgentProvider(known, url);
  return { ...how, provider: { ...provider, name } };
}

/** The base URL that the agent would use without us. */
function urlBefore({ dialect, variable }: KnownProvider, env: Readonly<NodeJS.ProcessEnv>): string {
  // SDKs trim it too.
  const said = env[variable]?.trim() ?? '';
  return said === '' ? standardUrl(dialect) : readUrl(said, { from: variable, name: dialect });
}

function standardUrl(dialect: LlmDialect): string {
  return LLM_DIALECTS.find((known) => known.dialect === dialect)?.url ?? '';
}

/** @param from what says the URL; @param name the provider that may be declared instead */
function readUrl(url: string, { from, name }: { readonly from: string; readonly name?: string }): string {
  // Without TLS the provider's key is sent as openly as it would be without us.
  const read = readRemoteUrl(url);
  if (read.ok) return read.url;
  throw usageError(
    `${from} ${read.problem.replace('mcp.example.com/mcp', 'llm.example.com')}`,
    name === undefined ? 'correct it' : `correct it, or declare [llm.providers.${name}] in config.toml`,
  );
}

/** Codex's provider with a key, and with the login of ChatGPT, which its requests tell. */
export const CODEX_PROVIDERS = { key: 'openai', login: 'chatgpt' } as const;

/** The address that Codex asks with the login of ChatGPT. */
const CHATGPT = 'https://chatgpt.com/backend-api/codex';

/**
 * The providers that Codex's requests go to: the declared ones of these names, else where its settings lead, else the standard ones.
 *
 * @throws ClawaiError `usage` where that is no URL that can be asked. The message never repeats it
 */
export function codexProviders({ providers }: Config['llm'], { before }: CodexRoute): readonly AgentProvider['provider'][] {
  const { key, login } = CODEX_PROVIDERS;
  return [key, login].map((name) => {
    const declared = providers.find((each) => each.name === name && each.dialect === 'openai')?.baseUrl;
    const standard = name === login ? CHATGPT : standardUrl('openai');
    const baseUrl = declared ?? (before === undefined ? standard : readUrl(before.url, { from: before.from, name }));
    return { name, dialect: 'openai', baseUrl };
  });
}

/** Moves the path end that agents expect from the provider's base URL to the URL they are told. */
function toAgentProvider({ dialect, variable, pathEnd }: Omit<KnownProvider, 'keys'>, url: string): AgentProvider {
  const parts = /^([^?#]*?)\/*(\?.*)?$/s.exec(url);
  const [, path = url, query = ''] = parts ?? [];
  const hasEnd = pathEnd !== '' && path.endsWith(pathEnd);
  const baseUrl = hasEnd ? path.slice(0, -pathEnd.length) + query : url;
  return { provider: { name: dialect, dialect, baseUrl }, variable, pathEnd: hasEnd ? pathEnd : '' };
}
