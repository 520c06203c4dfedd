import type { Config, LlmProvider } from '../../config/config.ts';
import { readRemoteUrl } from '../../config/remote-url.ts';
import { ClawaiError } from '../../errors.ts';

const DEFAULT_URL = 'https://api.anthropic.com';

/**
 * Where an agent's requests to Anthropic's API are to go: to the provider of that name, else to where they would go without us.
 *
 * @throws ClawaiError `usage` where that is no URL that can be asked. The message never repeats it
 */
export function chooseAnthropic(
  { providers }: Config['llm'],
  env: Readonly<NodeJS.ProcessEnv>,
): Pick<LlmProvider, 'name' | 'dialect' | 'baseUrl'> {
  const known = { name: 'anthropic', dialect: 'anthropic' } as const;
  const declared = providers.find(({ name }) => name === known.name);
  if (declared !== undefined) return { ...known, baseUrl: declared.baseUrl };
  // As SDKs read it. Without TLS the provider's key is sent as openly as it would be without us.
  const said = env['ANTHROPIC_BASE_URL']?.trim() ?? '';
  if (said === '') return { ...known, baseUrl: DEFAULT_URL };
  const read = readRemoteUrl(said);
  if (read.ok) return { ...known, baseUrl: read.url };
  throw new ClawaiError(`ANTHROPIC_BASE_URL ${read.problem.replace('mcp.example.com/mcp', 'llm.example.com')}`, {
    code: 'usage',
    hint: 'correct it, or declare [llm.providers.anthropic] in config.toml',
  });
}
