import { describe, expect, it } from 'vitest';
import { CONFIG_TEMPLATE } from '../../src/cli/init/init-config.ts';
import { parseToml } from '../../src/core/policy/toml.ts';
import { CONFIG_SCHEMA } from '../../src/schemas/config-schema.ts';
import { schemaCheck } from '../support/schema-check.ts';
import { findDisagreement, keysIn, keysOf, undescribed } from '../support/schema-law.ts';
import { configFaults, writtenConfigs } from '../support/written-documents.ts';
import { writeToml } from '../support/write-toml.ts';

const BEYOND = [
  // What one place says of another.
  /^there are two servers with the id /,
  /^an address that other machines can reach needs /,
  /^tls_fingerprint needs a url with https/,
  /^webhook\.\S+ (?:needs one of url|has both )/,
  // What a text means.
  /must be at (?:least|most) /,
  /is no whole number of /,
  /must be an address like /,
  /must be a URL like /,
  /must not contain a user name /,
  /must start with https:\/\/ unless /,
  /^the header .* (?:is set by clawai|appears twice)/,
  // What other machines than this one take for a path.
  /must be an absolute path/,
];

/** Every setting, each with a value of its own. */
const EVERYTHING = `
mode = "observe"
on_error = "allow"
state_dir = "/var/lib/clawai"
listen = "[::1]:0"
[serve]
tls_cert = "~/cert.pem"
tls_key = "~/key.pem"
token_file = "~/token"
hosts = ["clawai.example.com"]
[[servers]]
id = "docs"
url = "https://mcp.example.com/mcp"
secret = "aaaaaaaaaaaaaaaaaaaaaaaa"
headers = { Authorization = "Bearer TOKEN" }
modern_only = true
tls_fingerprint = "sha256:${'a'.repeat(64)}"
[llm]
mode = "embedded"
store_bodies = true
retain = "7d"
[llm.providers.anthropic]
[llm.providers.openai]
base_url = "https://llm.example.com/v1"
[llm.providers.gemini]
dialect = "gemini"
[llm.providers.gateway]
dialect = "openai"
base_url = "http://127.0.0.1:1/v1"
secret = "aaaaaaaaaaaaaaaaaaaaaaaa"
[limits]
message = 1048576
depth = 64
frame = "1.5 MiB"
[audit]
sync = "full"
retain = "30d"
max_size = "2 GiB"
jsonl = "~/events.jsonl"
[webhook.team]
url = "https://hooks.example.com/clawai"
form = "json"
secret_file = "~/webhook-secret"
events = ["denials", "questions", "definitions", "alarms"]
min_severity = "critical"
[webhook.phone]
url_env = "NTFY_URL"
form = "ntfy"
secret_env = "NTFY_TOKEN"
[webhook.chat]
url_file = "/etc/clawai/slack-url"
form = "slack"
`;

const check = schemaCheck('config');
const template = CONFIG_TEMPLATE.replaceAll(/^#(?=[^\s:])/gm, '');
const configs = [EVERYTHING, template, ...writtenConfigs()];
const tables = configs.map((text) => {
  const parsed = parseToml(text);
  return parsed.ok ? parsed.table : { text };
});

describe('the schema of configs', () => {
  it.each(tables.map((table, index) => [configs[index]?.slice(0, 60), table]))('accepts %j', (_, table) => {
    expect(check(table)).toEqual([]);
  });

  it('is held against configs that have every key it knows', () => {
    expect(configFaults(EVERYTHING)).toEqual([]);
    const used = keysIn(tables);
    expect([...keysOf(CONFIG_SCHEMA)].filter((key) => !used.has(key))).toEqual([]);
    expect(tables.length).toBeGreaterThan(20);
  });

  it('says something of every key', () => {
    expect(undescribed(CONFIG_SCHEMA)).toEqual([]);
  });

  it('refuses what the parser refuses, and nothing else', () => {
    expect(
      findDisagreement({ documents: tables, write: writeToml, faults: configFaults, check, beyond: BEYOND }),
    ).toBeUndefined();
  });

  it('shows the defaults that count', () => {
    const { mode, state_dir: stateDir, listen } = CONFIG_SCHEMA.properties ?? {};
    expect([mode?.default, stateDir?.default, listen?.default]).toEqual(['enforce', '~/.local/state/clawai', '127.0.0.1:8787']);
  });
});
