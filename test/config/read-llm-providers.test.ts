import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config-file.ts';
import { readLlmProviders } from '../../src/config/read-llm-providers.ts';
import { parseToml } from '../../src/core/policy/toml.ts';
import type { PolicyError } from '../../src/core/policy/types.ts';

function read(text: string): { providers: unknown; faults: string[] } {
  const toml = parseToml(`[llm.providers${text}`);
  if (!toml.ok) throw new Error(toml.syntax.message);
  const errors: PolicyError[] = [];
  const llm = toml.table['llm'] as { readonly providers: typeof toml.table };
  const providers = readLlmProviders(llm.providers, { errors });
  const faults = errors.map(
    ({ path, message, hint }) => `${path.join('.')}: ${message}${hint === undefined ? '' : ` (${hint})`}`,
  );
  return { providers, faults };
}

const SECRET = 'abcdefghijklmnopqrst-_';
const URL = 'base_url = "https://a.example"';

describe('readLlmProviders', () => {
  it('reads all of a provider, and knows where the ones are that everybody knows', () => {
    const text = `.gate_1]
      dialect = "anthropic"
      base_url = "https://llm.example/team%20a/?key=k"
      secret = "${SECRET}"
      [llm.providers.anthropic]
      [llm.providers.openai]
      [llm.providers.azure]
      dialect = "openai"
      base_url = "https://a.example/openai/deployments/x?api-version=1"
      [llm.providers.gemini]`;
    expect(read(text)).toEqual({
      providers: [
        { name: 'gate_1', dialect: 'anthropic', baseUrl: 'https://llm.example/team%20a/?key=k', secret: SECRET },
        { name: 'anthropic', dialect: 'anthropic', baseUrl: 'https://api.anthropic.com', secret: undefined },
        { name: 'openai', dialect: 'openai', baseUrl: 'https://api.openai.com/v1', secret: undefined },
        { name: 'azure', dialect: 'openai', baseUrl: 'https://a.example/openai/deployments/x?api-version=1', secret: undefined },
        { name: 'gemini', dialect: 'gemini', baseUrl: 'https://generativelanguage.googleapis.com', secret: undefined },
      ],
      faults: [],
    });
  });

  it.each([
    [
      '.anthropic]\ndialect = "gemini"',
      /^llm\.providers\.anthropic\.dialect: .*dialect must be "anthropic", whose name the provider has \(give the provider another name\)/,
    ],
    ['.openai]\ndialect = "anthropic"', /^llm\.providers\.openai\.dialect: .* must be "openai", whose name .*another name/],
    [`.a]\ndialect = "openai-chat"\n${URL}`, /^llm\.providers\.a\.dialect: .*not supported by this version/],
    [`.a]\ndialect = "antropic"\n${URL}`, /must be "anthropic" or .*, not "antropic" \(did you mean "anthropic"\?\)/],
    [`.a]\ndialect = 1\n${URL}`, /^llm\.providers\.a\.dialect: .* must be "anthropic" or .*, not an integer/],
    [`.a]\n${URL}`, /^llm\.providers\.a: llm\.providers\.a needs a dialect/],
    ['.a]\ndialect = "anthropic"', /^llm\.providers\.a: llm\.providers\.a needs a base_url/],
    ['.anthropic]\nbase_url = 1', /base_url must be a URL, not an integer/],
    ['.anthropic]\nbase_url = "http://llm.example"', /base_url must start with https:\/\/ unless it is on this machine/],
    ['.anthropic]\nbase_url = "https://me:hunter2@a.example"', /base_url must not contain a user name/],
    ['.anthropic]\nbase_url = "https://a.example/#hunter2"', /base_url must not have a fragment/],
    ['.anthropic]\nsecret = "hunter2"', /^llm\.providers\.anthropic\.secret: .*22 to 128 letters/],
    ['.anthropic]\nsecret = 2', /secret must be 22 to 128 letters.*, not an integer/],
    [
      '.anthropic]\nbaseurl = "https://a.example"',
      /unknown key "baseurl" in \[llm\.providers\.anthropic\] \(did you mean "base_url"/,
    ],
    [`."a/b"]\ndialect = "anthropic"\n${URL}`, /a provider's name must be/],
    [`.".."]\ndialect = "anthropic"\n${URL}`, /a provider's name must be/],
    [`."ä"]\ndialect = "anthropic"\n${URL}`, /a provider's name must be/],
    [']\nanthropic = "https://a.example"', /^llm\.providers\.anthropic: llm\.providers\.anthropic must be a table, not a string/],
  ])('%j', (text, fault, second?: string) => {
    const { faults } = read(text);
    expect(faults[0]).toMatch(fault);
    expect(faults[1] ?? '').toMatch(second ?? /^$/);
    expect(faults.join()).not.toContain('hunter2');
  });

  it('a list is refused', () => {
    const errors: PolicyError[] = [];
    expect(readLlmProviders([], { errors })).toEqual([]);
    expect(errors).toMatchObject([{ path: ['llm', 'providers'], message: expect.stringContaining('a table of tables') }]);
  });
});

describe('a fault', () => {
  it('has its line and column', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'clawai-llm-'));
    const file = join(folder, 'config.toml');
    writeFileSync(file, 'mode = "enforce"\n\n[llm.providers.anthropic]\n  base_url = "http://llm.example"\n');
    const machine = { flag: file, env: {}, platform: 'linux', home: '/nonexistent' } as const;
    const thrown: unknown = await loadConfig(machine).catch((error: unknown) => error);
    rmSync(folder, { recursive: true });
    expect(thrown).toMatchObject({ code: 'config_invalid', faults: [{ place: { line: 4, column: 3 } }] });
  });
});
