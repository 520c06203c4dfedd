import { type AgentPlace, readClaudeVariables } from './claude-settings.ts';
import { readGeminiLogin } from './gemini-login.ts';
import { agentsIn } from './program-of.ts';

/** Who is asked by agents that no variable leads to us, or that ask in words that we don't know, by the names of their programs. */
const ASKED: ReadonlyMap<string, string> = new Map([
  ['codex', "OpenAI's Responses API"],
  ['copilot', 'GitHub, or what COPILOT_PROVIDER_BASE_URL names'],
  ['cursor-agent', "Cursor's servers"],
]);

/** Variables that have Claude Code ask somebody else than Anthropic. */
const CLAUDE_CLOUDS = [
  ['CLAUDE_CODE_USE_BEDROCK', 'Amazon Bedrock'],
  ['CLAUDE_CODE_USE_MANTLE', 'Amazon Bedrock'],
  ['CLAUDE_CODE_USE_VERTEX', 'Google Vertex AI'],
  ['CLAUDE_CODE_USE_FOUNDRY', 'Microsoft Foundry'],
] as const;

/** As Claude Code and Gemini CLI read a variable. */
const YES = /^(?:1|true|yes|on)$/i;

/** How Gemini CLI asks Google in the words of another API than Gemini's, by its settings. */
const GEMINI_LOGINS: ReadonlyMap<string | undefined, string> = new Map([
  ['oauth-personal', "a login at Google's"],
  ['login_with_google', "a login at Google's"],
  ['cloud-shell', 'the login of Cloud Shell'],
  ['compute-default-credentials', 'the login of its machine'],
  ['vertex-ai', 'Vertex AI'],
]);

/** @param leadsGemini the environment leads agents that ask Gemini to us */
export interface UnseenOptions extends AgentPlace {
  readonly leadsGemini: boolean;
}

/**
 * What is known, before an agent starts, of how its model will not come by here: one line each, for the person who starts it. None for an agent
 * that is led to us, or that nobody knows.
 */
export function findUnseenModels(options: UnseenOptions): readonly string[] {
  const agents = agentsIn(options.words);
  const others = [...agents].flatMap((agent) => {
    const asked = ASKED.get(agent);
    return asked === undefined
      ? []
      : `what the model of this agent calls is not looked at, since it asks ${asked}: only its servers that are wrapped are guarded`;
  });
  // Nobody knows what a program of another name starts.
  const maybe = (agent: string): boolean => agents.size === 0 || agents.has(agent);
  return [
    ...others,
    ...(maybe('claude') ? ofClaude(options, agents.has('claude')) : []),
    ...(maybe('gemini') ? ofGemini(options, agents.has('gemini')) : []),
  ];
}

function ofClaude(place: AgentPlace, isKnown: boolean): readonly string[] {
  const variable = readClaudeVariables(place);
  const redirect = isKnown ? variable('ANTHROPIC_BASE_URL')?.file : undefined;
  const clouds = CLAUDE_CLOUDS.flatMap(([name, cloud]) => {
    const found = isKnown ? variable(name) : { value: place.env[name] ?? '', file: undefined };
    if (found === undefined || !YES.test(found.value.trim())) return [];
    const who = found.file === undefined ? `${name} is set` : `${found.file} sets ${name}`;
    return `${who}, so that Claude Code asks ${cloud}: what its model calls there is not looked at`;
  });
  return [
    ...(redirect === undefined
      ? []
      : [`${redirect} sets ANTHROPIC_BASE_URL, which counts more than what is set here: what the model calls is not looked at`]),
    ...clouds,
  ];
}

function ofGemini({ leadsGemini, ...place }: UnseenOptions, isKnown: boolean): readonly string[] {
  const { env } = place;
  const isSet = (name: string): boolean => YES.test(env[name]?.trim() ?? '');
  const byVariable = isSet('GOOGLE_GENAI_USE_VERTEXAI')
    ? 'Vertex AI'
    : isSet('GOOGLE_GENAI_USE_GCA')
      ? "a login at Google's"
      : undefined;
  const { type, file } = readGeminiLogin(place);
  const bySettings = isKnown ? GEMINI_LOGINS.get(type) : undefined;
  if (bySettings !== undefined)
    return [
      `${file} has Gemini CLI use ${bySettings}: what its model calls is not looked at, as it would be with a key (GEMINI_API_KEY)`,
    ];
  if (byVariable !== undefined)
    return [`the environment has Gemini's programs use ${byVariable}: what their model calls is not looked at`];
  if (!isKnown) return [];
  if (!leadsGemini) return ['there is no GEMINI_API_KEY in the environment: what the model of Gemini CLI calls is not looked at'];
  if (type !== undefined || (env['GOOGLE_GEMINI_BASE_URL'] ?? '').trim() !== '') return [];
  return [
    `without a terminal, Gemini CLI fails through clawai unless security.auth.selectedType is in ${file}: "gemini-api-key"`,
  ];
}
