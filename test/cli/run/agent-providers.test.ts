import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentProviders, codexProviders } from '../../../src/cli/run/agent-providers.ts';
import type { AgentPlace } from '../../../src/cli/run/claude-settings.ts';
import type { CodexRoute } from '../../../src/cli/run/codex-route.ts';
import type { LlmProvider } from '../../../src/config/config.ts';

function choose(url: string | undefined, ...providers: readonly LlmProvider[]): string {
  const env = url === undefined ? {} : { ANTHROPIC_BASE_URL: url };
  const [chosen] = agentProviders({ mode: 'embedded', providers }, at(['agent'], env));
  const anthropic = { name: 'anthropic', dialect: 'anthropic', baseUrl: expect.any(String) };
  expect(chosen).toEqual({ provider: anthropic, variable: 'ANTHROPIC_BASE_URL', pathEnd: '' });
  return chosen?.provider.baseUrl ?? '';
}

function provider(name: string): LlmProvider {
  return { name, dialect: 'anthropic', baseUrl: `https://${name}.example`, secret: 'x'.repeat(22) };
}

function at(words: readonly string[], env: NodeJS.ProcessEnv): AgentPlace {
  return { words, env, cwd: '/nowhere', home: '/nowhere' };
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
    const chosen = agentProviders({ mode: 'embedded', providers: [] }, at(['agent'], env));
    expect(chosen.slice(1)).toEqual([
      { provider: { name: 'gemini', dialect: 'gemini', baseUrl }, variable: 'GOOGLE_GEMINI_BASE_URL', pathEnd: '' },
    ]);
  });

  it.each([
    [['codex'], false],
    [['npx', '@openai/codex'], false],
    [['sh', '-c', 'cd x; codex exec'], false],
    [['python3', 'agent.py', 'codex'], true],
    [['node', 'agent.mjs', '--model', 'claude'], true],
    [['uv', 'run', 'aider', '--model', 'claude'], true],
    [['bash', '-c', 'python3 agent.py claude'], true],
  ])('%j may ask OpenAI: %s', (words, does) => {
    const chosen = agentProviders({ mode: 'embedded', providers: [] }, at(words, { OPENAI_API_KEY: 'k' }));
    expect(chosen.some(({ variable }) => variable === 'OPENAI_BASE_URL')).toBe(does);
  });

  it('an agent that has no key for Gemini is not led there: its login would not count any more', () => {
    expect(agentProviders({ mode: 'embedded', providers: [] }, at(['agent'], { GEMINI_API_KEY: ' ' }))).toHaveLength(1);
  });

  it('an agent is led to Gemini where the config declares it', () => {
    const declared: LlmProvider = { name: 'gemini', dialect: 'gemini', baseUrl: 'https://g.example', secret: 'x'.repeat(22) };
    const [, gemini] = agentProviders({ mode: 'embedded', providers: [declared] }, at(['agent'], {}));
    expect(gemini?.provider.baseUrl).toBe('https://g.example');
  });

  describe('OpenAI', () => {
    const openai = (env: NodeJS.ProcessEnv, ...providers: readonly LlmProvider[]) =>
      agentProviders({ mode: 'embedded', providers }, at(['agent'], env)).find(({ variable }) => variable === 'OPENAI_BASE_URL');

    it.each<[string, NodeJS.ProcessEnv, string, string]>([
      ['a key', { OPENAI_API_KEY: 'k' }, 'https://api.openai.com', '/v1'],
      ['a URL', { OPENAI_BASE_URL: ' http://a.example/api/v1/ ' }, 'http://a.example/api', '/v1'],
      ['a URL with a query', { OPENAI_BASE_URL: 'https://a.example/v1?x=/v1' }, 'https://a.example?x=/v1', '/v1'],
      ['a URL that ends otherwise', { OPENAI_BASE_URL: 'https://a.example/x/' }, 'https://a.example/x/', ''],
      ['a URL that ends so by chance', { OPENAI_BASE_URL: 'https://a.example/xv1' }, 'https://a.example/xv1', ''],
    ])('is led to us where there is %s', (_what, env, baseUrl, pathEnd) => {
      expect(openai(env)).toEqual({
        provider: { name: 'openai', dialect: 'openai', baseUrl },
        variable: 'OPENAI_BASE_URL',
        pathEnd,
      });
    });

    it.each([['claude'], ['/opt/bin/Claude.exe'], ['codex'], ['gemini'], ['npx', '-y', '@openai/codex@latest']])(
      'is left alone where the agent is %s %s',
      (...command) => {
        const found = agentProviders({ mode: 'embedded', providers: [] }, at(command, { OPENAI_API_KEY: 'k' }));
        expect(found.map(({ variable }) => variable)).toEqual(['ANTHROPIC_BASE_URL']);
      },
    );

    it('is led to us where it is declared, and left alone where nothing says that it is used', () => {
      const declared = { ...provider('openai'), dialect: 'openai' } as const;
      expect(openai({}, declared)?.provider.baseUrl).toBe('https://openai.example');
      expect(openai({ OPENAI_API_KEY: ' ', OPENAI_BASE_URL: '' }, provider('other'))).toBeUndefined();
    });
  });
});

describe('an agent with variables of its own', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'clawai-own-'));
  });
  afterEach(() => rmSync(home, { recursive: true }));

  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  };
  const led = (words: readonly string[], env: NodeJS.ProcessEnv = {}, ...providers: readonly LlmProvider[]): readonly string[] =>
    agentProviders({ mode: 'embedded', providers }, { words, env, cwd: join(home, 'project'), home })
      .filter(({ variable }) => variable !== 'ANTHROPIC_BASE_URL')
      .map(({ provider: { name, baseUrl }, variable, pathEnd }) => `${variable} ${name} ${baseUrl} ${pathEnd}`);

  it('goose is led by the hosts of both', () => {
    expect(led(['goose', 'session'])).toEqual([
      'ANTHROPIC_HOST goose-anthropic https://api.anthropic.com ',
      'OPENAI_HOST goose-openai https://api.openai.com ',
    ]);
    write('.config/goose/config.yaml', "GOOSE_PROVIDER: openai\nOPENAI_HOST: 'https://gate.example/x'\nANTHROPIC_HOST: ~\n");
    expect(led(['env', 'A=b', 'goose'], { ANTHROPIC_HOST: 'https://mine.example' })).toEqual([
      'ANTHROPIC_HOST goose-anthropic https://mine.example ',
      'OPENAI_HOST goose-openai https://gate.example/x ',
    ]);
    expect(led(['goose'], { OPENAI_BASE_PATH: 'v1/responses', OPENAI_HOST: 'https://b.example' }, provider('anthropic'))).toEqual(
      ['ANTHROPIC_HOST goose-anthropic https://anthropic.example ', 'OPENAI_HOST goose-openai https://b.example '],
    );
  });

  it('but not where it asks at a path of its own', () => {
    write('settings/config/config.yaml', 'OPENAI_BASE_PATH: v3/compat/chat/completions\n');
    expect(led(['goose'], { GOOSE_PATH_ROOT: join(home, 'settings') })).toEqual([expect.stringContaining('ANTHROPIC_HOST')]);
    expect(led(['goose'], { OPENAI_BASE_PATH: '/v1/chat/completions' })).toEqual([expect.stringContaining('ANTHROPIC_HOST')]);
  });

  it('Crush is led by its endpoints, and opencode by those of the SDKs, with a key elsewhere', () => {
    expect(led(['crush'], { OPENAI_API_ENDPOINT: 'https://gate.example/v1', OPENAI_API_KEY: 'k' })).toEqual([
      'ANTHROPIC_API_ENDPOINT crush-anthropic https://api.anthropic.com ',
      'OPENAI_API_ENDPOINT crush-openai https://gate.example /v1',
    ]);
    expect(led(['opencode'])).toEqual(['OPENAI_BASE_URL openai https://api.openai.com /v1']);
    expect(led(['claude'])).toEqual([]);
  });

  it('Qwen Code is led to where its settings lead it', () => {
    const env = { OPENAI_API_KEY: 'k' };
    expect(led(['qwen'], env)).toEqual(['OPENAI_BASE_URL openai https://api.openai.com /v1']);
    expect(led(['qwen'])).toEqual([]);
    write('.qwen/settings.json', '{"security": {"auth": {"baseUrl": "https://settings.example/v1"}}}');
    expect(led(['qwen'])).toEqual(['OPENAI_BASE_URL openai https://settings.example /v1']);
    write('.qwen/.env', 'OPENAI_BASE_URL=https://env.example/v1\n');
    expect(led(['qwen'])).toEqual(['OPENAI_BASE_URL openai https://env.example /v1']);
    expect(led(['qwen'], { OPENAI_BASE_URL: 'https://mine.example/v1' })).toEqual([
      'OPENAI_BASE_URL openai https://mine.example /v1',
    ]);
    write('.qwen/.env', 'OPENAI_BASE_URL=https://me:hunter2@env.example/v1\n');
    expect(() => led(['qwen'])).toThrow(expect.objectContaining({ message: expect.not.stringContaining('hunter2') }));
  });
});

describe('codexProviders', () => {
  const ask = (before: CodexRoute['before'], ...providers: readonly LlmProvider[]): readonly string[] =>
    codexProviders({ mode: 'embedded', providers }, { before, lead: () => [] }).map(({ name, baseUrl }) => `${name} ${baseUrl}`);
  const declared = (name: string): LlmProvider => ({ ...provider(name), dialect: 'openai' });

  it('are the standard ones of a key and of a login', () => {
    expect(ask(undefined)).toEqual(['openai https://api.openai.com/v1', 'chatgpt https://chatgpt.com/backend-api/codex']);
  });

  it('are where its settings lead, with either', () => {
    const before = { url: 'https://gate.example/v1', from: 'a file' };
    expect(ask(before)).toEqual(['openai https://gate.example/v1', 'chatgpt https://gate.example/v1']);
    expect(ask(before, declared('openai'))).toEqual(['openai https://openai.example', 'chatgpt https://gate.example/v1']);
  });

  it('are the declared ones of these names', () => {
    expect(ask(undefined, declared('openai'), declared('chatgpt'))).toEqual([
      'openai https://openai.example',
      'chatgpt https://chatgpt.example',
    ]);
  });

  it('are none where the setting is no URL, and that is not repeated', () => {
    expect(() => ask({ url: 'ftp://hunter2.example', from: '-c: openai_base_url' })).toThrow(
      expect.objectContaining({ code: 'usage', message: '-c: openai_base_url must start with https:// or http://' }),
    );
  });
});

describe('the provider that the user has Copilot CLI ask', () => {
  const ask = (env: NodeJS.ProcessEnv): unknown =>
    agentProviders({ mode: 'embedded', providers: [] }, at(['copilot'], env)).find(
      ({ variable }) => variable === 'COPILOT_PROVIDER_BASE_URL',
    );

  it.each([
    [{}, 'https://gate.example/v1', 'openai', 'https://gate.example', '/v1'],
    [{ COPILOT_PROVIDER_TYPE: 'azure' }, 'https://x.openai.azure.com', 'openai', 'https://x.openai.azure.com', ''],
    [{ COPILOT_PROVIDER_TYPE: 'Anthropic' }, ' https://gate.example/a ', 'anthropic', 'https://gate.example/a', ''],
  ])('with %j at %s speaks %s', (env, url, dialect, baseUrl, pathEnd) => {
    expect(ask({ ...env, COPILOT_PROVIDER_BASE_URL: url })).toEqual({
      provider: { name: 'copilot', dialect, baseUrl },
      variable: 'COPILOT_PROVIDER_BASE_URL',
      pathEnd,
    });
  });

  it('is none where there is none', () => {
    expect(ask({ COPILOT_PROVIDER_BASE_URL: ' ' })).toBeUndefined();
    expect(() => ask({ COPILOT_PROVIDER_BASE_URL: 'ftp://hunter2.example' })).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.not.stringContaining('hunter2') }),
    );
  });
});
