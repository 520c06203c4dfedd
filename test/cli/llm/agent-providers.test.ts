import { describe, expect, it } from 'vitest';
import { agentProviders } from '../../../src/cli/llm/agent-providers.ts';
import type { LlmProvider } from '../../../src/config/config.ts';

function choose(url: string | undefined, ...providers: readonly LlmProvider[]): string {
  const env = url === undefined ? {} : { ANTHROPIC_BASE_URL: url };
  const [chosen] = agentProviders({ mode: 'embedded', providers }, env);
  const anthropic = { name: 'anthropic', dialect: 'anthropic', baseUrl: expect.any(String) };
  expect(chosen).toEqual({ provider: anthropic, variable: 'ANTHROPIC_BASE_URL', pathEnd: '' });
  return chosen?.provider.baseUrl ?? '';
}

function provider(name: string): LlmProvider {
  return { name, dialect: 'anthropic', baseUrl: `https://${name}.example`, secret: 'x'.repeat(22) };
}

describe('agentProviders', () => {
  it.each([
    ['nothing is said', undefined, 'https://api.anthropic.com'],
    ['the variable is empty', ' ', 'https://api.anthropic.com'],
    ['the variable has one', ' http://gateway.corp.example:8080/a/?k=v ', 'http://gateway.corp.example:8080/a/?k=v'],
  ])('where %s', (_where, url, chosen) => {
    expect(choose(url)).toBe(chosen);
    expect(choose(url, provider('other'))).toBe(chosen);
  });

  it('where the config has one, it counts before the variable, whatever that says', () => {
    expect(choose('not a URL', provider('other'), provider('anthropic'))).toBe('https://anthropic.example');
  });

  it.each([
    'gateway.example/hunter2',
    'https://me:hunter2@gateway.example',
    'ftp://hunter2.example',
    'https://a.example/#hunter2',
  ])('%s is refused and not repeated', (url) => {
    expect(() => choose(url)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.not.stringContaining('hunter2') }),
    );
  });

  it.each([
    [{ GEMINI_API_KEY: 'k' }, 'https://generativelanguage.googleapis.com'],
    [{ GOOGLE_API_KEY: 'k' }, 'https://generativelanguage.googleapis.com'],
    [{ GOOGLE_GEMINI_BASE_URL: ' https://gateway.example/g ' }, 'https://gateway.example/g'],
    [{ GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:1' }, 'http://127.0.0.1:1'],
  ])('an agent with %j may use Gemini', (env, baseUrl) => {
    const chosen = agentProviders({ mode: 'embedded', providers: [] }, env);
    expect(chosen.slice(1)).toEqual([
      { provider: { name: 'gemini', dialect: 'gemini', baseUrl }, variable: 'GOOGLE_GEMINI_BASE_URL', pathEnd: '' },
    ]);
  });

  it('an agent that has no key for Gemini is not led there: its login would not count any more', () => {
    expect(agentProviders({ mode: 'embedded', providers: [] }, { GEMINI_API_KEY: ' ' })).toHaveLength(1);
  });

  it('an agent is led to Gemini where the config declares it', () => {
    const declared: LlmProvider = { name: 'gemini', dialect: 'gemini', baseUrl: 'https://g.example', secret: 'x'.repeat(22) };
    const [, gemini] = agentProviders({ mode: 'embedded', providers: [declared] }, {});
    expect(gemini?.provider.baseUrl).toBe('https://g.example');
  });
});
