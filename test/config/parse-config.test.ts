import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../../src/config/config.ts';
import { parseConfig, type ConfigResult } from '../../src/config/parse-config.ts';

const MACHINE = { env: {}, platform: 'linux', home: '/home/u' } as const;
const DEFAULTS = defaultConfig(MACHINE);

function parse(text: string): ConfigResult {
  return parseConfig(text, { file: '/c.toml', home: '/home/u', defaults: DEFAULTS });
}

/** Each fault as `path: message (hint)`. */
function faultsOf(text: string): string[] {
  const result = parse(text);
  if (result.ok || 'syntax' in result) throw new Error('not refused as meaning nothing');
  return result.errors.map(({ path, message, hint }) => `${path.join('.')}: ${message}${hint === undefined ? '' : ` (${hint})`}`);
}

describe('an empty config', () => {
  it.each(['', '\uFEFF', '# nothing\n', '[limits]\n[audit]\n'])('%j is the defaults', (text) => {
    expect(parse(text)).toEqual({ ok: true, config: { ...DEFAULTS, file: '/c.toml' } });
  });

  it('has the documented values', () => {
    expect(DEFAULTS).toEqual({
      mode: 'enforce',
      onError: 'deny',
      stateDir: '/home/u/.local/state/clawai',
      listen: { host: '127.0.0.1', port: 8787 },
      serve: { tls: undefined, tokenFile: undefined, hosts: [] },
      servers: [],
      login: { keychain: true },
      llm: { mode: 'embedded', providers: [], bodies: { areStored: false, retain: 2_592_000_000 } },
      limits: { message: 33_554_432, depth: 128, frame: 16_777_216, bodyTimeout: 30_000 },
      audit: { sync: 'normal', retain: 7_776_000_000, maxSize: 1_073_741_824, jsonl: undefined },
      webhooks: [],
      file: undefined,
      fromFile: new Set(),
    });
  });
});

describe('every setting', () => {
  const text = `
    mode = "observe"
    on_error = "allow"
    state_dir = "/var/lib/clawai"
    listen = "[::1]:0"
    [limits]
    message = "1 MiB"
    depth = 64
    frame = "1 MiB"
    body_timeout = "2m"
    [serve]
    tls_cert = "~/cert.pem"
    tls_key = "/etc/key.pem"
    token_file = "~/token"
    hosts = ["Clawai.corp.example"]
    [[servers]]
    id = "docs"
    url = "https://docs.example/mcp"
    [login]
    keychain = false
    [llm]
    mode = "disabled"
    store_bodies = true
    retain = "2h"
    [llm.providers.anthropic]
    [audit]
    sync = "full"
    retain = "1h"
    max_size = 2097152
    jsonl = "~/events.jsonl"
    [webhook.phone]
    url_file = "~/ntfy-url"
    form = "ntfy"
    events = ["questions"]
  `;

  it('is read, in bytes and milliseconds', () => {
    const result = parse(text);
    expect(result).toMatchObject({
      ok: true,
      config: {
        mode: 'observe',
        onError: 'allow',
        stateDir: '/var/lib/clawai',
        listen: { host: '::1', port: 0 },
        serve: {
          tls: { cert: '/home/u/cert.pem', key: '/etc/key.pem' },
          tokenFile: '/home/u/token',
          hosts: ['clawai.corp.example'],
        },
        servers: [{ id: 'docs', url: 'https://docs.example/mcp', secret: undefined, headers: {}, tlsFingerprint: undefined }],
        login: { keychain: false },
        llm: {
          mode: 'disabled',
          providers: [{ name: 'anthropic', dialect: 'anthropic', baseUrl: 'https://api.anthropic.com', secret: undefined }],
          bodies: { areStored: true, retain: 7_200_000 },
        },
        limits: { message: 1_048_576, depth: 64, frame: 1_048_576, bodyTimeout: 120_000 },
        audit: { sync: 'full', retain: 3_600_000, maxSize: 2_097_152, jsonl: '/home/u/events.jsonl' },
        webhooks: [
          {
            name: 'phone',
            url: { in: 'file', file: '/home/u/ntfy-url' },
            form: 'ntfy',
            secret: undefined,
            events: ['questions'],
            minSeverity: 'high',
          },
        ],
        file: '/c.toml',
      },
    });
  });

  it('is known to come from the file', () => {
    const result = parse(text);
    expect(result.ok && [...result.config.fromFile].toSorted()).toEqual([
      'audit.jsonl',
      'audit.max_size',
      'audit.retain',
      'audit.sync',
      'limits.body_timeout',
      'limits.depth',
      'limits.frame',
      'limits.message',
      'listen',
      'llm.mode',
      'llm.providers',
      'llm.retain',
      'llm.store_bodies',
      'login.keychain',
      'mode',
      'on_error',
      'serve.hosts',
      'serve.tls_cert',
      'serve.tls_key',
      'serve.token_file',
      'servers',
      'state_dir',
      'webhook',
    ]);
  });

  it('leaves the others as they are', () => {
    const result = parse('limits.depth = 200');
    expect(result).toEqual({
      ok: true,
      config: { ...DEFAULTS, limits: { ...DEFAULTS.limits, depth: 200 }, file: '/c.toml', fromFile: new Set(['limits.depth']) },
    });
  });
});

describe('bodies of what goes to models', () => {
  it.each([
    ['', false],
    ['llm.mode = "embedded"', false],
    ['llm.mode = "mcp-only"', true],
    ['llm.mode = "mcp-only"\nllm.store_bodies = false', false],
    ['llm.store_bodies = true', true],
  ])('%j: stored %s, for a month', (text, areStored) => {
    const result = parse(text);
    expect(result.ok && result.config.llm.bodies).toEqual({ areStored, retain: 30 * 24 * 60 * 60 * 1000 });
  });
});

describe('places', () => {
  it.each([
    ['state_dir = "~"', '/home/u'],
    ['state_dir = "~/x"', '/home/u/x'],
  ])('%s', (text, stateDir) => {
    expect(parse(text)).toMatchObject({ ok: true, config: { stateDir } });
  });

  it.each([
    ['audit.jsonl = true', '/home/u/.local/state/clawai/events.jsonl'],
    ['audit.jsonl = true\nstate_dir = "/s"', '/s/events.jsonl'],
    ['audit.jsonl = false', undefined],
    ['audit.jsonl = "/var/log/e.jsonl"', '/var/log/e.jsonl'],
  ])('%j', (text, jsonl) => {
    const result = parse(text);
    expect(result.ok && result.config.audit.jsonl).toBe(jsonl);
  });
});

describe('bounds', () => {
  it.each([
    ['limits.message = 65536', true],
    ['limits.message = "64 KiB"', true],
    ['limits.message = 65535', 'limits.message: limits.message must be at least 64 KiB'],
    ['limits.message = "256 MiB"', true],
    ['limits.message = 268435457', 'limits.message: limits.message must be at most 256 MiB'],
    ['limits.message = 9223372036854775807', 'limits.message: limits.message must be at most 256 MiB'],
    ['limits.message = -1', 'limits.message: limits.message must be at least 64 KiB'],
    ['limits.frame = "64 KiB"', true],
    ['limits.frame = 65535', 'limits.frame: limits.frame must be at least 64 KiB'],
    ['limits.frame = "64 MiB"', true],
    ['limits.frame = 67108865', 'limits.frame: limits.frame must be at most 64 MiB'],
    ['limits.body_timeout = "250ms"', true],
    ['limits.body_timeout = "249ms"', 'limits.body_timeout: limits.body_timeout must be at least 250ms'],
    ['limits.body_timeout = "61m"', 'limits.body_timeout: limits.body_timeout must be at most 1h'],
    ['limits.depth = 16', true],
    ['limits.depth = 15', 'limits.depth: limits.depth must be at least 16'],
    ['limits.depth = 512', true],
    ['limits.depth = 513', 'limits.depth: limits.depth must be at most 512'],
    ['audit.retain = "1h"', true],
    ['audit.retain = "59m"', 'audit.retain: audit.retain must be at least 1h'],
    ['audit.retain = "36501d"', 'audit.retain: audit.retain must be at most 36500d'],
    ['audit.max_size = "1 MiB"', true],
    ['audit.max_size = "1023 KiB"', 'audit.max_size: audit.max_size must be at least 1 MiB'],
    ['audit.max_size = "1.5 TiB"', 'audit.max_size: audit.max_size must be at most 1 TiB'],
  ])('%s', (text, expected) => {
    if (expected === true) expect(parse(text).ok).toBe(true);
    else expect(faultsOf(text)).toEqual([expected]);
  });
});

describe('what other machines can reach', () => {
  const fault = 'listen: an address that other machines can reach needs tls_cert, tls_key and token_file in [serve]';
  const all = '[serve]\ntls_cert = "/c"\ntls_key = "/k"\ntoken_file = "/t"';
  it.each([
    ['listen = "0.0.0.0:1"', 'tls_cert and tls_key and token_file'],
    ['listen = "[::]:1"', 'tls_cert and tls_key and token_file'],
    ['listen = "[::ffff:127.0.0.1]:1"', 'tls_cert and tls_key and token_file'],
    ['listen = "clawai.example:1"\n[serve]\ntoken_file = "/t"', 'tls_cert and tls_key'],
    ['listen = "10.0.0.1:1"\n[serve]\ntls_cert = "/c"\ntls_key = "/k"', 'token_file'],
  ])('%j', (text, missing) => {
    expect(faultsOf(text)).toEqual([`${fault} (set ${missing}, or listen at 127.0.0.1)`]);
  });

  it.each(['0.0.0.0:1', '[::]:443', 'clawai.example:8787'])('%s is for whoever says them all', (listen) => {
    expect(parse(`listen = "${listen}"\n${all}`).ok).toBe(true);
  });

  it.each(['127.0.0.1:1', '127.9.9.9:1', '127.1:1', '[::1]:1', 'localhost:1', 'LOCALHOST:1'])('%s is none', (listen) => {
    expect(parse(`listen = "${listen}"`).ok).toBe(true);
  });

  it.each([
    ['serve.tls_cert = "/c"', 'serve.tls_cert: serve.tls_cert needs serve.tls_key, the key of the certificate'],
    ['serve.tls_key = "/k"', 'serve.tls_key: serve.tls_key needs serve.tls_cert, the certificate of the key'],
    [
      'serve = { tls_key = "/k", tls_cert = "c" }',
      'serve.tls_cert: serve.tls_cert must be an absolute path, not "c" (~ stands for your home directory)',
    ],
    ['serve.hosts = "a"', 'serve.hosts: serve.hosts must be a list of host names, not a string'],
    [
      'serve.hosts = ["a:1"]',
      'serve.hosts.0: serve.hosts must have host names like "clawai.example.com", not "a:1" (without a port)',
    ],
    ['serve = 1', 'serve: serve must be a table, not an integer'],
    ['serve.token = "t"', 'serve.token: unknown key "token" in [serve] (known keys: tls_cert, tls_key, token_file, hosts)'],
  ])('%s', (text, expected) => {
    expect(faultsOf(text)).toEqual([expected]);
  });
});

describe('what is refused', () => {
  const notYet = 'is not supported by this version of clawai, so it is refused rather than ignored';
  it.each([
    ['mode = "observ"', 'mode: mode must be "enforce" or "observe", not "observ" (did you mean "observe"?)'],
    ['mode = "Enforce"', 'mode: mode must be "enforce" or "observe", not "Enforce" (did you mean "enforce"?)'],
    ['mode = "off"', 'mode: mode must be "enforce" or "observe", not "off"'],
    ['mode = true', 'mode: mode must be "enforce" or "observe", not a boolean'],
    ['on_error = "prompt"', 'on_error: on_error must be "deny" or "allow", not "prompt"'],
    ['moed = "observe"', 'moed: unknown key "moed" in the config (did you mean "mode"?)'],
    [
      '__proto__ = 1',
      '__proto__: unknown key "__proto__" in the config (known keys: mode, on_error, state_dir, listen, serve, servers, login, llm, limits, audit, webhook)',
    ],
    ['[approval]\ntimeout = "45s"', 'approval: unknown key "approval" in the config (it belongs in the policy)'],
    ['[audit]\nmaxsize = 1', 'audit.maxsize: unknown key "maxsize" in [audit] (did you mean "max_size"?)'],
    ['[limits]\nsize = 1', 'limits.size: unknown key "size" in [limits] (known keys: message, depth, frame, body_timeout)'],
    ['limits = 3', 'limits: limits must be a table, not an integer'],
    ['[[audit]]', 'audit: audit must be a table, not a list'],
    ['state_dir = "state"', 'state_dir: state_dir must be an absolute path, not "state" (~ stands for your home directory)'],
    ['state_dir = ""', 'state_dir: state_dir must be an absolute path, not "" (~ stands for your home directory)'],
    [
      'state_dir = "~other/x"',
      'state_dir: state_dir must be an absolute path, not "~other/x" (~ stands for your home directory)',
    ],
    [
      'state_dir = "/a\\u0000b"',
      'state_dir: state_dir must be an absolute path, not "/a\\u0000b" (~ stands for your home directory)',
    ],
    ['state_dir = 1', 'state_dir: state_dir must be a path, not an integer'],
    [
      'audit.jsonl = "e.jsonl"',
      'audit.jsonl: audit.jsonl must be an absolute path, not "e.jsonl" (~ stands for your home directory)',
    ],
    ['audit.jsonl = 1', 'audit.jsonl: audit.jsonl must be true, false or a path, not an integer'],
    ['limits.message = "32 MB"', 'limits.message: unknown unit "MB" of a size (units: B, KiB, MiB, GiB, TiB, as in "32 MiB")'],
    ['limits.message = 1e400', 'limits.message: limits.message must be a size like "32 MiB" or a number of bytes, not a number'],
    [
      'limits.message = 2024-01-01',
      'limits.message: limits.message must be a size like "32 MiB" or a number of bytes, not a date or time',
    ],
    ['limits.depth = "128"', 'limits.depth: limits.depth must be an integer, not a string'],
    ['limits.depth = 64.5', 'limits.depth: limits.depth must be an integer, not a number'],
    ['audit.retain = 90', 'audit.retain: audit.retain must be a duration like "90d", not an integer'],
    ['audit.retain = "ninety"', 'audit.retain: "ninety" is no duration (units: ms, s, m, h, d, w, as in "90d")'],
    ['audit.log = "all"', `audit.log: "log" ${notYet} (leave it out: decisions and listings are what is recorded)`],
    ['llm.mode = "proxy"', 'llm.mode: llm.mode must be "embedded" or "mcp-only" or "disabled", not "proxy"'],
    ['store = "sqlite"', `store: "store" ${notYet} (leave it out: there is no other store than SQLite)`],
    ['llm = 1', 'llm: llm must be a table, not an integer'],
    ['llm.store_bodies = "yes"', 'llm.store_bodies: llm.store_bodies must be true or false, not a string'],
    ['llm.retain = true', 'llm.retain: llm.retain must be a duration like "90d", not a boolean'],
    ...['server_patterns', 'network'].map((key) => [`${key} = 1`, `${key}: "${key}" ${notYet}`]),
  ])('%s', (text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  it('an address, whose password is not repeated', () => {
    expect(faultsOf('store = "postgres://user:hunter2@host/db"').join('')).not.toContain('hunter2');
    expect(faultsOf('llm.mode = "https://user:hunter2@host/"')).toEqual([
      'llm.mode: llm.mode must be "embedded" or "mcp-only" or "disabled", not "https://…"',
    ]);
  });

  it('all of it at once', () => {
    expect(faultsOf('mode = 1\nwebhook = 1\nlimits.depth = 1\naudit.retain = 1\nx = 1')).toHaveLength(5);
  });
});

it('says where text is no TOML', () => {
  expect(parse('mode = "observe"\nmode = "enforce"')).toMatchObject({ ok: false, syntax: { line: 2 } });
});

it('takes any text for what it is: never a bug, never faulty without a fault', () => {
  const words = ['mode', 'limits', 'depth', 'audit', '.', ' = ', '"', '[', ']', '{', '}', '\n', '1', 'true', '~', ','];
  const nearly = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((parts) => parts.join(''));
  const texts = fc.sample(fc.oneof(fc.string(), nearly), 500);
  const silent = texts.map(parse).filter((result) => !result.ok && 'errors' in result && result.errors.length === 0);
  expect(silent).toEqual([]);
});
