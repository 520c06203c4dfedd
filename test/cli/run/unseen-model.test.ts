import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentProviders } from '../../../src/cli/run/agent-providers.ts';
import type { CodexStart } from '../../../src/cli/run/codex-route.ts';
import { findUnseenModels } from '../../../src/cli/run/unseen-model.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-unseen-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, value: unknown): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
}

const NO_CODEX: CodexStart = { kind: 'none' };

function find(words: readonly string[], env: NodeJS.ProcessEnv = {}, leadsGemini = true, codex = NO_CODEX): readonly string[] {
  const leading = ['ANTHROPIC_BASE_URL', ...(leadsGemini ? ['GOOGLE_GEMINI_BASE_URL'] : [])];
  return findUnseenModels({ words, cwd: join(folder, 'project'), home: join(folder, 'home'), env, leading, codex });
}

it.each([
  ['copilot'],
  ['/opt/bin/copilot'],
  ['goose', 'session'],
  ['npx', '@charmland/crush'],
  ['cursor-agent'],
  ['droid'],
  ['env', 'A=b', 'amp'],
  ['sh', '-c', 'cd x; amp -x hi'],
  ['npx', '@github/copilot'],
])('what the model of %s %s %s says does not come by', (...words) => {
  expect(find(words)).toEqual([expect.stringContaining('is not checked, since it uses')]);
});

it('Copilot CLI with a provider of the user is led to us', () => {
  const place = { words: ['copilot'], cwd: folder, home: folder, env: {}, codex: NO_CODEX };
  expect(findUnseenModels({ ...place, leading: ['COPILOT_PROVIDER_BASE_URL'] })).toEqual([]);
});

it('a Codex that is not led to us is told of', () => {
  expect(find(['codex'], {}, true, { kind: 'unled', why: '--oss leads Codex elsewhere' })).toEqual([
    "this agent's model is not checked, since --oss leads Codex elsewhere: only its wrapped servers are guarded",
  ]);
});

it.each([['claude'], ['codex'], ['opencode'], ['node', 'x.mjs'], ['my-codex'], ['sh', '-c', 'true']])(
  '%s %s %s is led to us, or nobody knows',
  (...words) => {
    expect(find(words)).toEqual([]);
  },
);

it('variables that some programs prefer to ours are told of, but where the agent is known', () => {
  const env = { OPENAI_API_BASE: 'x', AZURE_OPENAI_ENDPOINT: 'y', OPENAI_HOST: '' };
  expect(find(['python3', 'agent.py'], env)).toEqual([
    'OPENAI_API_BASE and AZURE_OPENAI_ENDPOINT are set, which lead some programs past clawai: it does not check the models that they use',
  ]);
  expect(find(['env', '-u', 'OPENAI_API_BASE', 'x'], { OPENAI_API_BASE: 'x' })).toEqual([]);
  expect(find(['claude'], env)).toEqual([]);
});

describe('Claude Code', () => {
  it.each([
    ['CLAUDE_CODE_USE_BEDROCK', '1', 'Amazon Bedrock'],
    ['CLAUDE_CODE_USE_VERTEX', 'true', 'Google Vertex AI'],
    ['CLAUDE_CODE_USE_FOUNDRY', 'yes', 'Microsoft Foundry'],
    ['CLAUDE_CODE_USE_ANTHROPIC_AWS', 'TRUE', 'Anthropic at AWS'],
    ['CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD', 'on', 'Anthropic at Google Cloud'],
  ])('that asks a cloud by %s=%s is told of', (name, value, cloud) => {
    const told = [`${name} is set, so Claude Code uses ${cloud}: clawai does not check that model`];
    // Nobody knows what a script starts.
    for (const words of [['claude'], ['./start.sh']]) expect(find(words, { [name]: value })).toEqual(told);
    expect(find(['claude'], { [name]: '0' })).toEqual([]);
    expect(find(['copilot'], { [name]: value })).toHaveLength(1);
    const file = write('project/.claude/settings.json', { env: { [name]: value } });
    for (const words of [
      ['claude'],
      ['env', 'A=b', 'claude'],
      ['npx', '-y', '@anthropic-ai/claude-code'],
      ['bash', '-lc', 'claude -p x'],
    ])
      expect(find(words)).toEqual([told[0]?.replace(`${name} is set`, `${file} sets ${name}`)]);
    expect(find(['./start.sh'])).toEqual([]);
    // Settings count more than the environment.
    write('project/.claude/settings.json', { env: { [name]: '0' } });
    expect(find(['claude'], { [name]: value })).toEqual([]);
  });

  it('that may ask a cloud that nobody knows yet is told of', () => {
    for (const name of ['CLAUDE_CODE_USE_GATEWAY', 'CLAUDE_CODE_USE_NEW_CLOUD']) {
      const told = expect.stringContaining(`${name} is set, so Claude Code may use a provider other than Anthropic`);
      expect(find(['claude'], { [name]: 'eu', ANTHROPIC_BASE_URL: 'https://x.example' })).toEqual([told]);
    }
    const harmless = ['COWORK_PLUGINS', 'NATIVE_FILE_SEARCH', 'POWERSHELL_TOOL'].map((name) => [`CLAUDE_CODE_USE_${name}`, '1']);
    expect(find(['claude'], Object.fromEntries(harmless))).toEqual([]);
  });

  it('that has another address in its settings is told of', () => {
    expect(find(['claude'], { ANTHROPIC_BASE_URL: 'http://x' })).toEqual([]);
    const file = write('home/.claude/settings.json', { env: { ANTHROPIC_BASE_URL: 'https://elsewhere.example' } });
    expect(find(['claude'])).toEqual([expect.stringContaining(`${file} sets ANTHROPIC_BASE_URL, which overrides`)]);
    expect(find(['copilot'])).toHaveLength(1);
  });
});

describe('variables that the command itself sets', () => {
  const bedrock = [expect.stringMatching(/^CLAUDE_CODE_USE_BEDROCK is set/)];
  const lost = [expect.stringMatching(/^the command overrides or drops ANTHROPIC_BASE_URL/)];

  it.each([
    [['env', 'CLAUDE_CODE_USE_BEDROCK=1', 'claude'], bedrock],
    [['env', 'CLAUDE_CODE_USE_BEDROCK=1', './start.sh'], bedrock],
    [['sh', '-c', 'export CLAUDE_CODE_USE_BEDROCK="1"; claude'], bedrock],
    [['sh', '-c', 'ANTHROPIC_BASE_URL=https://x.example claude'], lost],
    [['env', '-u', 'ANTHROPIC_BASE_URL', 'claude'], lost],
    [['env', '-u', 'ANTHROPIC_BASE_URL', './start.sh'], lost],
    [['sudo', 'claude'], lost],
    [
      ['env', '-i', 'gemini'],
      [expect.stringMatching(/^the command overrides or drops GOOGLE_GEMINI_BASE_URL/), expect.anything()],
    ],
    [['env', '-i', 'copilot'], [expect.stringContaining('is not checked, since it uses')]],
    [['env', 'CLAUDE_CODE_USE_BEDROCK=0', 'A=b', 'claude'], []],
    [['claude', '-p', 'CLAUDE_CODE_USE_BEDROCK=1'], []],
  ])('in %j are told of', (words, told) => {
    expect(find(words)).toEqual(told);
  });

  it('take away what would lead it elsewhere, and say where its settings are', () => {
    expect(find(['env', '-u', 'CLAUDE_CODE_USE_BEDROCK', 'claude'], { CLAUDE_CODE_USE_BEDROCK: '1' })).toEqual([]);
    const file = write('own/.claude.json', { env: { CLAUDE_CODE_USE_BEDROCK: 1 } });
    for (const words of [
      ['env', `CLAUDE_CONFIG_DIR=${dirname(file)}`, 'claude'],
      ['env', `HOME=${dirname(file)}`, 'claude'],
      ['sh', '-c', `claude --settings ${file}`],
    ])
      expect(find(words)).toEqual([expect.stringMatching(/(?:\.claude\.json|--settings) sets CLAUDE_CODE_USE_BEDROCK/)]);
  });
});

describe('Gemini CLI', () => {
  it.each([
    ['GOOGLE_GENAI_USE_VERTEXAI=true', true, "makes Gemini's programs use Vertex AI"],
    ['GOOGLE_GENAI_USE_GCA=1', true, "makes Gemini's programs use a login at Google's"],
    ['GOOGLE_GEMINI_BASE_URL=https://x.example', false, 'sets GOOGLE_GEMINI_BASE_URL'],
  ])('that finds %s in a file .env is told of', (line, isLed, told) => {
    const file = write('.env', `${line}\n`);
    expect(find(['gemini'], {}, isLed)).toEqual([expect.stringContaining(`${file} ${told}`)]);
    expect(find(['claude'], {}, isLed)).toEqual([]);
    if (isLed)
      expect(find(['gemini'], { [line.split('=')[0] ?? '']: 'no' })).toEqual([expect.stringContaining('without a terminal')]);
  });

  it('that logs in otherwise than with a key is told of', () => {
    const key = { GEMINI_API_KEY: 'k' };
    const file = write('home/.gemini/settings.json', { security: { auth: { selectedType: 'oauth-personal' } } });
    expect(find(['gemini'], key)).toEqual([expect.stringContaining(`${file} makes Gemini CLI use a login at Google's`)]);
    expect(find(['claude'])).toEqual([]);
    write('home/.gemini/settings.json', { security: { auth: { selectedType: 'gemini-api-key' } } });
    expect(find(['gemini'], key)).toEqual([]);
    expect(find(['gemini'], {}, false)).toEqual([expect.stringContaining('GEMINI_API_KEY is not set')]);
    for (const words of [['gemini'], ['./start.sh']]) {
      expect(find(words, { GOOGLE_GENAI_USE_VERTEXAI: 'true' })).toEqual([expect.stringContaining('Vertex AI')]);
      expect(find(words, { GOOGLE_GENAI_USE_GCA: 'true' })).toEqual([expect.stringContaining("a login at Google's")]);
    }
  });

  it('that would fail without a terminal is told of, unless the user has set a base URL', () => {
    const file = join(folder, 'home', '.gemini', 'settings.json');
    expect(find(['gemini'])).toEqual([expect.stringContaining(`selectedType is in ${file}: "gemini-api-key"`)]);
    expect(find(['gemini'], { GOOGLE_GEMINI_BASE_URL: 'https://gateway.example' })).toEqual([]);
  });
});

describe('an agent that is led to us at some providers', () => {
  const led = (words: readonly string[], env: NodeJS.ProcessEnv = {}): readonly string[] => {
    const place = { words, cwd: join(folder, 'project'), home: join(folder, 'home'), env };
    const leading = agentProviders({ mode: 'embedded', providers: [] }, place).map(({ variable }) => variable);
    return findUnseenModels({ ...place, leading, codex: NO_CODEX });
  };

  it.each([
    [['crush'], 'Crush'],
    [['npx', 'opencode-ai'], 'opencode'],
  ])('%j is told of', (words, name) => {
    expect(led(words)).toEqual([
      `clawai checks the model of ${name} only at Anthropic and OpenAI with an API key, and not if its settings name another address`,
    ]);
  });

  it.each<[string, NodeJS.ProcessEnv, string, string | undefined]>([
    ['', {}, '', 'what its settings, ANTHROPIC_HOST or OPENAI_HOST name'],
    ['', { GOOSE_PROVIDER: 'anthropic' }, '', undefined],
    ['GOOSE_PROVIDER: openai\nOPENAI_HOST: ~\n', {}, '', undefined],
    ['active_provider: "openai" # x\n', {}, '', undefined],
    ['active_provider: openrouter\n', {}, '', 'openrouter'],
    ['active_provider: openrouter\n', { GOOSE_PROVIDER: 'openai' }, '', undefined],
    ['GOOSE_PROVIDER: openai\n', {}, 'run --provider databricks', 'databricks'],
    ['GOOSE_PROVIDER: openai\nGOOSE_PLANNER_PROVIDER: ollama\n', {}, 'run --provider=openai', 'ollama'],
    ['GOOSE_PROVIDER: openai\nOPENAI_BASE_PATH: api/chat\n', {}, '', 'openai'],
    ['GOOSE_PROVIDER: anthropic\nOPENAI_BASE_PATH: api/chat\n', {}, '', undefined],
  ])('goose with the settings %j, %j and %j asks %s past us', (config, env, args, asked) => {
    write('home/.config/goose/config.yaml', config);
    const line = `this agent's model is not checked, since it uses ${asked ?? ''}: only its wrapped servers are guarded`;
    expect(led(['goose', ...args.split(' ').filter((word) => word !== '')], env)).toEqual(asked === undefined ? [] : [line]);
  });

  it('a command that undoes it is told of', () => {
    expect(led(['env', 'OPENAI_HOST=https://x', 'GOOSE_PROVIDER=openai', 'goose'])).toContainEqual(
      expect.stringContaining('overrides or drops OPENAI_HOST'),
    );
    expect(led(['env', 'GOOSE_PROVIDER=groq', 'goose'])).toEqual([expect.stringContaining('it uses groq')]);
  });

  it('Qwen Code is led unless its settings choose for themselves', () => {
    const env = { OPENAI_API_KEY: 'k' };
    expect(led(['qwen'], env)).toEqual([]);
    expect(led(['qwen'])).toEqual(['OPENAI_API_KEY is not set: clawai does not check the model of Qwen Code']);
    write('home/.qwen/.env', 'OPENAI_API_KEY=k');
    expect(led(['qwen'])).toEqual([]);
    const file = write('home/.qwen/settings.json', '{"security": {"auth": {"selectedType": "openai"}}} // x');
    expect(led(['qwen'], env)).toEqual([]);
    write('home/.qwen/settings.json', { security: { auth: { selectedType: 'qwen-oauth' } } });
    expect(led(['qwen'], env)).toEqual([
      `${file} sets the login "qwen-oauth", so Qwen Code may use another address: clawai does not check that model`,
    ]);
    const project = write('project/.qwen/settings.json', { modelProviders: {} });
    expect(led(['npx', '@qwen-code/qwen-code'], env)).toEqual([expect.stringContaining(`${project} sets modelProviders`)]);
  });
});
