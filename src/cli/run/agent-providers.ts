import { usageError } from '../command.ts';
import { type Config, LLM_DIALECTS, type LlmDialect, type LlmProvider } from '../../config/config.ts';
import { readRemoteUrl } from '../../config/addresses.ts';

import type { AgentPlace } from './claude-settings.ts';
import type { CodexRoute } from './codex-route.ts';
import { valueInSettings } from './own-addresses.ts';
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
  /** The only agent that reads the variable. It may have its key elsewhere. */
  readonly onlyFor?: string;
  /** The address without a variable, if it is not the one that SDKs have. */
  readonly standard?: string;
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
    notFor: new Set(['claude', 'codex', 'crush', 'gemini', 'goose', 'opencode']),
    pathEnd: '/v1',
  },
  { dialect: 'anthropic', variable: 'ANTHROPIC_HOST', keys: [], onlyFor: 'goose', pathEnd: '' },
  // goose puts the version in front of each path itself.
  { dialect: 'openai', variable: 'OPENAI_HOST', keys: [], onlyFor: 'goose', pathEnd: '', standard: 'https://api.openai.com' },
  { dialect: 'anthropic', variable: 'ANTHROPIC_API_ENDPOINT', keys: [], onlyFor: 'crush', pathEnd: '' },
  { dialect: 'openai', variable: 'OPENAI_API_ENDPOINT', keys: [], onlyFor: 'crush', pathEnd: '/v1' },
  // opencode has its keys in a file, too.
  { dialect: 'openai', variable: 'OPENAI_BASE_URL', keys: [], onlyFor: 'opencode', pathEnd: '/v1' },
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
 * @param place the agent's command, as it was typed, and where its settings are
 * @throws ClawaiError `usage` where that is no URL that can be asked. The message never repeats it
 */
export function agentProviders({ providers }: Config['llm'], place: AgentPlace): readonly AgentProvider[] {
  const { env, words } = place;
  const [program, ...others] = surelyStarted(words);
  const agent = others.length === 0 ? program : undefined;
  const isSet = (name: string): boolean => (env[name]?.trim() ?? '') !== '';
  const led = KNOWN_PROVIDERS.flatMap((known): AgentProvider[] => {
    const { dialect, variable, keys, notFor, onlyFor } = known;
    if (agent !== undefined && notFor?.has(agent) === true) return [];
    if (onlyFor !== undefined && (agent !== onlyFor || hasOwnPath(variable, place))) return [];
    const declared = providers.find(({ name }) => name === dialect)?.baseUrl;
    const own = isSet(variable) ? undefined : valueInSettings(agent, variable, place);
    const hasKey = [variable, ...keys].some(isSet) || keys.some((key) => valueInSettings(agent, key, place) !== undefined);
    if (declared === undefined && own === undefined && keys.length > 0 && !hasKey) return [];
    const url = declared ?? (own === undefined ? urlBefore(known, env) : readUrl(own.value, { from: own.file, name: dialect }));
    const { provider, ...how } = toAgentProvider(known, url);
    const name = onlyFor === undefined || variable === 'OPENAI_BASE_URL' ? dialect : `${onlyFor}-${dialect}`;
    return [{ ...how, provider: { ...provider, name } }];
  });
  return isSet(COPILOT_URL) ? [...led, copilotProvider(env)] : led;
}

/** Tells whether goose asks OpenAI's API at a path of its own, where we could not tell what it asks. */
function hasOwnPath(variable: string, place: AgentPlace): boolean {
  if (variable !== 'OPENAI_HOST') return false;
  const name = 'OPENAI_BASE_PATH';
  const path = place.env[name] ?? valueInSettings('goose', name, place)?.value ?? '';
  return path !== '' && !/^v1\/(?:chat\/completions|responses)$/.test(path);
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
function urlBefore({ dialect, variable, standard }: KnownProvider, env: Readonly<NodeJS.ProcessEnv>): string {
  // SDKs trim it too.
  const said = env[variable]?.trim() ?? '';
  return said === '' ? (standard ?? standardUrl(dialect)) : readUrl(said, { from: variable, name: dialect });
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
