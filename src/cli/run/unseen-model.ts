import {
  type AgentPlace,
  type FoundVariable,
  readClaudeVariables,
  readGeminiLogin,
  readGeminiVariables,
} from './claude-settings.ts';
import { COPILOT_URL } from './agent-providers.ts';
import { gooseProviders, qwenElsewhere } from './own-addresses.ts';
import type { CodexStart } from './codex-route.ts';
import { launchEnvironment, openScripts, agentsIn, launchWords } from './program-of.ts';

/** The service that an agent asks past us, by program name: no variable leads it to us, or we don't know its API. */
const ASKED: ReadonlyMap<string, string> = new Map([
  ['amp', "Amp's servers"],
  ['auggie', "Augment's servers"],
  ['copilot', 'GitHub'],
  ['crush', 'what its settings name'],
  ['cursor-agent', "Cursor's servers"],
  ['droid', "Factory's servers, or what its settings name"],
  ['goose', 'what its settings, ANTHROPIC_HOST or OPENAI_HOST name'],
  ['kiro-cli', "Amazon's servers"],
]);

/** The names of agents that are led to us at some providers only, with the variables that do it. */
const PARTLY: ReadonlyMap<string, readonly [name: string, variables: readonly string[]]> = new Map([
  ['crush', ['Crush', ['ANTHROPIC_API_ENDPOINT', 'OPENAI_API_ENDPOINT']]],
  ['opencode', ['opencode', ['ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL']]],
]);

/** The variables by which goose is led to us, by its providers. */
const GOOSE_LED: ReadonlyMap<string, string> = new Map([
  ['anthropic', 'ANTHROPIC_HOST'],
  ['openai', 'OPENAI_HOST'],
]);

/** Variables that have Claude Code ask somebody else than Anthropic. Others that begin alike may do so too, as new ones have done. */
const CLAUDE_CLOUDS: ReadonlyMap<string, string> = new Map([
  ['CLAUDE_CODE_USE_ANTHROPIC_AWS', 'Anthropic at AWS'],
  ['CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD', 'Anthropic at Google Cloud'],
  ['CLAUDE_CODE_USE_BEDROCK', 'Amazon Bedrock'],
  ['CLAUDE_CODE_USE_FOUNDRY', 'Microsoft Foundry'],
  ['CLAUDE_CODE_USE_MANTLE', 'Amazon Bedrock'],
  ['CLAUDE_CODE_USE_VERTEX', 'Google Vertex AI'],
]);
const CLAUDE_MAY_USE = /^CLAUDE_CODE_USE_(?!(?:COWORK_PLUGINS|NATIVE_FILE_SEARCH|POWERSHELL_TOOL)$)/;

/** Values that Claude Code reads as no. All others count as yes, since it may read them so one day. */
const NO = /^(?:0|false|no|off)?$/i;

/** Values that Gemini CLI reads as yes. */
const YES = /^(?:1|true|yes|on)$/i;

/** Logins of Gemini CLI that use another API than Gemini's, by their names in its settings. */
const GEMINI_LOGINS: ReadonlyMap<string | undefined, string> = new Map([
  ['oauth-personal', "a login at Google's"],
  ['login_with_google', "a login at Google's"],
  ['cloud-shell', 'the login of Cloud Shell'],
  ['compute-default-credentials', 'the login of its machine'],
  ['vertex-ai', 'Vertex AI'],
]);

/** Variables that lead to a model in some programs and count more than those that lead to us, or lead to one that we don't stand in front of. */
const ELSEWHERE: readonly string[] = [
  // LangChain and LiteLLM.
  'ANTHROPIC_API_BASE',
  'ANTHROPIC_API_URL',
  'AZURE_API_BASE',
  'GEMINI_API_BASE',
  'LITELLM_PROXY_API_BASE',
  'OPENAI_API_BASE',
  // goose.
  'ANTHROPIC_HOST',
  'GOOGLE_HOST',
  'OPENAI_HOST',
  // The SDKs of the clouds.
  'ANTHROPIC_BEDROCK_BASE_URL',
  'ANTHROPIC_VERTEX_BASE_URL',
  'AZURE_OPENAI_ENDPOINT',
  'GOOGLE_VERTEX_BASE_URL',
];

/** Variables that lead to us what known agents ask, and the agents. */
const LEADING: Readonly<Record<string, readonly string[]>> = {
  ANTHROPIC_API_ENDPOINT: ['crush'],
  ANTHROPIC_BASE_URL: ['claude', 'opencode'],
  ANTHROPIC_HOST: ['goose'],
  GOOGLE_GEMINI_BASE_URL: ['gemini'],
  OPENAI_API_ENDPOINT: ['crush'],
  OPENAI_BASE_URL: ['opencode', 'qwen'],
  OPENAI_HOST: ['goose'],
};

const GEMINI_VARIABLES = [
  ['GOOGLE_GENAI_USE_VERTEXAI', 'Vertex AI'],
  ['GOOGLE_GENAI_USE_GCA', "a login at Google's"],
] as const;

export interface UnseenOptions extends AgentPlace {
  /** Variables that are set to lead the agent to us. */
  readonly leading: readonly string[];
  readonly codex: CodexStart;
}

/**
 * Warns, before an agent starts, that its model will not come by here: one line each, for the person who starts it. None for an agent
 * that is led to us, or that nobody knows.
 */
export function findUnseenModels({ leading, codex, ...typed }: UnseenOptions): readonly string[] {
  const given = { ...typed, words: openScripts(typed.words, typed) };
  const agents = agentsIn(given.words);
  // A program of another name may start any agent.
  const maybe = (...of: readonly string[]): boolean => agents.size === 0 || of.some((agent) => agents.has(agent));
  const led = launchEnvironment(given.words, { ...given.env, ...Object.fromEntries(leading.map((name) => [name, US])) });
  const lost = leading.filter((name) => led[name] !== US && maybe(...(LEADING[name] ?? [])));
  const env = launchEnvironment(given.words, given.env);
  const told = launchWords(given.words);
  const place = { ...given, env, home: env['HOME'] ?? given.home, words: told.length === 0 ? given.words : told };
  const others = [...agents].flatMap((agent) => {
    const [name = '', variables = []] = PARTLY.get(agent) ?? [];
    if (variables.length > 0 && variables.every((variable) => leading.includes(variable)))
      return `clawai checks the model of ${name} only at Anthropic and OpenAI with an API key, and not if its settings name another address`;
    if (agent === 'goose') return ofGoose({ ...place, leading });
    if (agent === 'qwen') return ofQwen({ ...place, leading });
    const asked = agent === 'copilot' && leading.includes(COPILOT_URL) ? undefined : ASKED.get(agent);
    return asked === undefined ? [] : notChecked(`it uses ${asked}`);
  });
  return [
    ...others,
    ...(codex.kind === 'unled' ? [notChecked(codex.why)] : []),
    ...(codex.kind === 'led' && codex.warning !== undefined ? [codex.warning] : []),
    ...(lost.length === 0
      ? []
      : [`the command overrides or drops ${lost.join(' and ')}: clawai does not check models that are reached by it`]),
    ...(agents.size === 0 ? ofVariables(env) : []),
    ...(maybe('claude') ? ofClaude(place, agents.has('claude')) : []),
    ...(maybe('gemini') ? ofGemini(place, agents.has('gemini'), leading.includes('GOOGLE_GEMINI_BASE_URL')) : []),
  ];
}

function ofGoose({ leading, ...place }: AgentPlace & Pick<UnseenOptions, 'leading'>): readonly string[] {
  const providers = [...gooseProviders(place)];
  const unled = providers.filter((name) => !leading.includes(GOOSE_LED.get(name) ?? ''));
  if (providers.length > 0 && unled.length === 0) return [];
  return [notChecked(`it uses ${unled.length === 0 ? (ASKED.get('goose') ?? '') : unled.join(' and ')}`)];
}

function ofQwen({ leading, ...place }: AgentPlace & Pick<UnseenOptions, 'leading'>): readonly string[] {
  const elsewhere = qwenElsewhere(place);
  if (elsewhere !== undefined) return [`${elsewhere}, so Qwen Code may use another address: clawai does not check that model`];
  return leading.includes('OPENAI_BASE_URL') ? [] : ['OPENAI_API_KEY is not set: clawai does not check the model of Qwen Code'];
}

function notChecked(why: string): string {
  return `this agent's model is not checked, since ${why}: only its wrapped servers are guarded`;
}

/** Stands for our URL. */
const US = 'clawai';

function ofVariables(env: AgentPlace['env']): readonly string[] {
  const set = ELSEWHERE.filter((name) => (env[name] ?? '') !== '');
  if (set.length === 0) return [];
  const are = set.length === 1 ? 'is set, which leads' : 'are set, which lead';
  return [`${set.join(' and ')} ${are} some programs past clawai: it does not check the models that they use`];
}

function ofClaude(place: AgentPlace, isKnown: boolean): readonly string[] {
  const variables = readClaudeVariables(place);
  const counting = [...variables].flatMap(([name, found]): [string, FoundVariable][] => {
    const value = isKnown ? found : { value: place.env[name] ?? '', file: undefined };
    return CLAUDE_MAY_USE.test(name) && !NO.test(value.value.trim()) ? [[name, value]] : [];
  });
  const redirect = isKnown ? variables.get('ANTHROPIC_BASE_URL')?.file : undefined;
  return [
    ...(redirect === undefined
      ? []
      : [`${redirect} sets ANTHROPIC_BASE_URL, which overrides the value set here: clawai does not check this model`]),
    ...counting.map(([name, { file }]) => {
      const who = file === undefined ? `${name} is set` : `${file} sets ${name}`;
      const cloud = CLAUDE_CLOUDS.get(name);
      const asks = cloud === undefined ? 'may use a provider other than Anthropic' : `uses ${cloud}`;
      return `${who}, so Claude Code ${asks}: clawai does not check that model`;
    }),
  ];
}

function ofGemini(place: AgentPlace, isKnown: boolean, isLed: boolean): readonly string[] {
  const { env } = place;
  const own = isKnown ? readGeminiVariables(place) : { file: '', values: {} };
  const variables: AgentPlace['env'] = { ...own.values, ...env };
  const isSet = (name: string): boolean => YES.test(variables[name]?.trim() ?? '');
  const whoSets = (name: string): string => (env[name] === undefined ? own.file : 'the environment');
  const byVariable = GEMINI_VARIABLES.find(([name]) => isSet(name));
  const { type, file } = readGeminiLogin(place);
  const bySettings = isKnown ? GEMINI_LOGINS.get(type) : undefined;
  if (bySettings !== undefined)
    return [
      `${file} makes Gemini CLI use ${bySettings}: clawai does not check that model. It does with an API key (GEMINI_API_KEY)`,
    ];
  if (byVariable !== undefined) {
    const [name, login] = byVariable;
    return [`${whoSets(name)} makes Gemini's programs use ${login}: clawai does not check that model`];
  }
  if (!isKnown) return [];
  if (!isLed) {
    const elsewhere = 'GOOGLE_GEMINI_BASE_URL';
    return own.values[elsewhere] === undefined
      ? ['GEMINI_API_KEY is not set: clawai does not check the model of Gemini CLI']
      : [`${own.file} sets ${elsewhere}: clawai does not check the model of Gemini CLI. It does if you set GEMINI_API_KEY`];
  }
  if (type !== undefined || (env['GOOGLE_GEMINI_BASE_URL'] ?? '').trim() !== '') return [];
  return [
    `without a terminal, Gemini CLI fails through clawai unless security.auth.selectedType is in ${file}: "gemini-api-key"`,
  ];
}
