import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CodexStart, readCodexStart } from '../../../src/cli/run/codex-route.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-codex-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function start(words: string | readonly string[], env: NodeJS.ProcessEnv = {}): CodexStart {
  const place = { words: typeof words === 'string' ? words.split(' ') : words, cwd: folder, home: join(folder, 'home'), env };
  return readCodexStart(place, { system: join(folder, 'system.toml'), managed: join(folder, 'managed.toml') });
}

function before(words: string | readonly string[], env?: NodeJS.ProcessEnv): string | undefined {
  const found = start(words, env);
  if (found.kind !== 'led') throw new Error(`it is ${found.kind}`);
  return found.route.before?.url;
}

const CONFIG = 'home/.codex/config.toml';

it('Codex without settings asks the standard address', () => {
  const found = start('codex exec hi');
  expect(found).toMatchObject({ kind: 'led', route: { before: undefined } });
  expect(found.kind === 'led' && found.route.lead('http://u')).toEqual([
    'codex',
    '-c',
    'openai_base_url="http://u"',
    'exec',
    'hi',
  ]);
});

it.each(['claude', 'node agent.mjs', 'sh -c true'])('%s is no Codex', (words) => {
  expect(start(words)).toEqual({ kind: 'none' });
});

it('the nearest setting of the address counts', () => {
  write('system.toml', 'openai_base_url = "https://system"');
  expect(before('codex')).toBe('https://system');
  write(CONFIG, 'openai_base_url = "https://user"\n[profiles.old]\nopenai_base_url = "https://old"');
  expect(before('codex')).toBe('https://user');
  expect(before('codex exec --ignore-user-config hi')).toBe('https://system');
  expect(before('codex -p old')).toBe('https://old');
  write('home/.codex/work.config.toml', 'openai_base_url = "https://work"');
  expect(before('codex exec --profile work hi')).toBe('https://work');
  expect(before('codex -p work -c openai_base_url=https://first -c openai_base_url="https://last"')).toBe('https://last');
});

it('the profile that the settings name counts', () => {
  write(CONFIG, 'profile = "old"\n[profiles.old]\nopenai_base_url = "https://old"');
  expect(before('codex')).toBe('https://old');
});

it('settings are where CODEX_HOME says, also where the command sets it', () => {
  write('own/config.toml', 'openai_base_url = "https://own"');
  expect(before('codex', { CODEX_HOME: 'own' })).toBe('https://own');
  expect(before(`env CODEX_HOME=${join(folder, 'own')} codex`)).toBe('https://own');
});

it('settings of a project, and what is no TOML, are not read', () => {
  write('.codex/config.toml', 'openai_base_url = "https://project"');
  write(CONFIG, 'openai_base_url = "https://user"\n[');
  expect(before('codex')).toBeUndefined();
});

it("the user's own provider is led by its own address", () => {
  const file = write(CONFIG, 'model_provider = "gate"\n[model_providers.gate]\nbase_url = "https://gate/v1"\nenv_key = "K"');
  const found = start('codex exec hi');
  expect(found).toMatchObject({
    kind: 'led',
    route: { before: { url: 'https://gate/v1', from: `${file}: model_providers.gate.base_url` } },
  });
  expect(found.kind === 'led' && found.route.lead('http://u')).toEqual([
    'codex',
    '-c',
    'model_providers.gate.base_url="http://u"',
    'exec',
    'hi',
  ]);
  expect(before('codex -c model_provider=openai')).toBeUndefined();
  expect(before(['codex', '-c', 'model_providers.gate={base_url="https://other"}'])).toBe('https://other');
});

it.each([
  ['codex --oss', '', '--oss leads Codex elsewhere'],
  ['codex --remote ws://x', '', '--remote leads Codex elsewhere'],
  ['codex -c model_provider=ollama', '', '-c leads Codex to the provider "ollama"'],
  ['codex', 'model_provider = "amazon-bedrock"', 'config.toml leads Codex to the provider "amazon-bedrock"'],
  ['sh -c codex', '', 'a shell, a script or another program starts Codex'],
  ['docker run x codex', '', 'a shell, a script or another program starts Codex'],
  ['flock --unknown codex codex', '', 'clawai cannot tell where its own argument belongs'],
  [
    'codex -c model_providers.x.name=y',
    'model_provider = "a.b"\n[model_providers."a.b"]\nbase_url = "https://gate"',
    '-c sets model_providers, and no argument can lead the provider "a.b" then',
  ],
])('%s with %j is not led', (words, config, why) => {
  if (config !== '') write(CONFIG, config);
  expect(start(words)).toEqual({ kind: 'unled', why: expect.stringContaining(why) });
});

it('an organisation may set what no argument changes', () => {
  write('managed.toml', 'model_provider = "corp"\n[model_providers.corp]\nbase_url = "https://corp"');
  expect(start('codex -c model_provider=openai')).toEqual({
    kind: 'unled',
    why: expect.stringMatching(/managed\.toml sets model_providers\.corp\.base_url for Codex$/),
  });
});

describe('a session that is resumed', () => {
  const ids = ['01a218f3-5521-7e82-b4d5-24f09527136c', '01a218f3-7d14-7940-8079-93bfed5eece7'] as const;
  beforeEach(() => {
    for (const [at, provider] of ['a.b', 'openai'].entries()) {
      const meta = { type: 'session_meta', payload: { id: ids[at], model_provider: provider, text: 'x'.repeat(20_000) } };
      write(`home/.codex/sessions/2026/11/2${at}/rollout-2026-11-2${at}-${ids[at]}.jsonl`, `${JSON.stringify(meta)}\n{}`);
    }
    write('home/.codex/sessions/2026/11/29/other.txt', '');
    mkdirSync(join(folder, 'home/.codex/sessions/2026/11/29/rollout-x.jsonl'));
  });

  const warning = (words: string): unknown => {
    const found = start(words);
    return found.kind === 'led' && found.warning;
  };

  it.each([`codex resume ${ids[0]}`, `codex exec resume ${ids[0]} more`, 'codex resume', 'codex fork'])(
    '%s may ask another provider',
    (words) => {
      expect(warning(words)).toBe(
        'a session that began with the provider "a.b" may ask that one past clawai: start it with -c model_provider=a.b',
      );
    },
  );

  it.each(['codex exec hi', `codex resume ${ids[1]}`, 'codex resume 01a218f3-0000-7e82-b4d5-24f09527136c'])(
    '%s asks ours',
    (words) => {
      expect(warning(words)).toBeUndefined();
    },
  );

  it('the last one counts where it is asked for', () => {
    rmSync(join(folder, 'home/.codex/sessions/2026/11/29'), { recursive: true });
    expect(warning('codex resume --last')).toBeUndefined();
    write('home/.codex/sessions/2026/11/30/rollout-2026-11-30-x.jsonl', '{"model_provider": "azure"}');
    expect(warning('codex resume --last')).toContain('"azure"');
  });
});
