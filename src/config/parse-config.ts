import { join } from 'node:path';
import { checkKeys, complain, complainOfType, type Faults, type KnownKeys } from '../core/policy/complaints.ts';
import { isTomlTable, parseToml, type TomlTable } from '../core/policy/toml.ts';
import type { PolicyError, PolicySyntaxError } from '../core/policy/types.ts';
import type { Config, Setting } from './config.ts';
import { readDeclaredServers } from './declared-servers.ts';
import { isLoopback, listenAddress } from './addresses.ts';
import { readLlmProviders } from './read-llm-providers.ts';
import { readWebhooks } from './read-webhooks.ts';
import {
  absolutePath,
  choice,
  duration,
  hostNames,
  integer,
  pathOrSwitch,
  size,
  type SettingReader,
  yesOrNo,
} from './setting-readers.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const HOUR = 60 * 60 * 1000;

/**
 * Lower bounds fit the smallest messages of any client and server. The largest message is half of what a V8 string can hold. Nesting is
 * bounded since functions that read arguments recurse for each level.
 */
const MESSAGE = { least: 64 * KIB, most: 256 * MIB };
const DEPTH = { least: 16, most: 512 };
const FRAME = { least: 64 * KIB, most: 64 * MIB };
const BODY_TIMEOUT = { least: 250, most: HOUR };
const RETAIN = { least: HOUR, most: 36_500 * 24 * HOUR };
const MAX_SIZE = { least: MIB, most: 1024 * 1024 * MIB };

/** Bounds of settings that are numbers, or sizes in bytes. */
export const CONFIG_BOUNDS = { message: MESSAGE, depth: DEPTH, frame: FRAME, maxSize: MAX_SIZE };

/** The tables of the file and their keys; `''` is the top level. A setting is refused until something reads it, since an ignored one would mislead. */
const TABLES = {
  '': {
    read: ['mode', 'on_error', 'state_dir', 'listen', 'serve', 'servers', 'login', 'llm', 'limits', 'audit', 'webhook'],
    unenforced: ['store', 'server_patterns', 'network'],
    hints: new Map([
      ['store', 'leave it out: there is no other store than SQLite'],
      ...['defaults', 'approval', 'rule'].map((key) => [key, 'it belongs in the policy'] as const),
    ]),
  },
  serve: { read: ['tls_cert', 'tls_key', 'token_file', 'hosts'] },
  login: { read: ['keychain'] },
  llm: { read: ['mode', 'providers', 'store_bodies', 'retain'] },
  limits: { read: ['message', 'depth', 'frame', 'body_timeout'] },
  audit: {
    read: ['sync', 'retain', 'max_size', 'jsonl'],
    unenforced: ['log'],
    hints: new Map([['log', 'leave it out: decisions and listings are what is recorded']]),
  },
} as const satisfies Readonly<Record<string, KnownKeys>>;

const LLM_MODE = choice(['embedded', 'mcp-only', 'disabled']);

export type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly syntax: PolicySyntaxError }
  | { readonly ok: false; readonly errors: readonly PolicyError[] };

export interface ParseConfigOptions {
  /** The source of the text, kept in the config. */
  readonly file: string;
  readonly home: string;
  /** The values of settings that the text lacks. */
  readonly defaults: Config;
}

/** Parses a config. It is as strict as for a policy: anything unknown is an error, and all errors are reported at once. */
export function parseConfig(text: string, { file, home, defaults }: ParseConfigOptions): ConfigResult {
  const toml = parseToml(text);
  if (!toml.ok) return { ok: false, syntax: toml.syntax };
  const to: Faults = { errors: [] };
  const fromFile = new Set<Setting>();
  const tables = {
    '': toml.table,
    serve: subtable('serve', toml.table, to),
    login: subtable('login', toml.table, to),
    llm: subtable('llm', toml.table, to),
    limits: subtable('limits', toml.table, to),
    audit: subtable('audit', toml.table, to),
  };
  for (const name of ['', 'serve', 'login', 'llm', 'limits', 'audit'] as const) {
    const where = name === '' ? 'the config' : `[${name}]`;
    checkKeys(to, name === '' ? [] : [name], tables[name], { ...TABLES[name], lacks: 'supported', where });
  }
  const read = <T>(setting: Setting, reader: SettingReader<T>, fallback: T): T => {
    const [table, key] = setting.includes('.') ? (setting.split('.') as [Subtable, string]) : (['', setting] as const);
    const value = tables[table][key];
    if (value === undefined) return fallback;
    fromFile.add(setting);
    return reader(value, table === '' ? [key] : [table, key], to) ?? fallback;
  };
  const { limits, audit, serve, login, llm } = defaults;
  const stateDir = read('state_dir', absolutePath(home), defaults.stateDir);
  const jsonl = read('audit.jsonl', pathOrSwitch(home), audit.jsonl ?? false);
  const llmMode = read('llm.mode', LLM_MODE, llm.mode);
  const config: Config = {
    mode: read('mode', choice(['enforce', 'observe']), defaults.mode),
    onError: read('on_error', choice(['deny', 'allow']), defaults.onError),
    stateDir,
    listen: read('listen', listenAddress, defaults.listen),
    serve: {
      tls: readTls(
        {
          cert: read('serve.tls_cert', absolutePath(home), serve.tls?.cert),
          key: read('serve.tls_key', absolutePath(home), serve.tls?.key),
        },
        tables.serve,
        to,
      ),
      tokenFile: read('serve.token_file', absolutePath(home), serve.tokenFile),
      hosts: read('serve.hosts', hostNames, serve.hosts),
    },
    servers: read('servers', (value) => readDeclaredServers(value, to), defaults.servers),
    login: { keychain: read('login.keychain', yesOrNo, login.keychain) },
    llm: {
      mode: llmMode,
      providers: read('llm.providers', (value) => readLlmProviders(value, to), llm.providers),
      bodies: {
        areStored: read('llm.store_bodies', yesOrNo, llmMode === 'mcp-only' || (llm.bodies?.areStored ?? false)),
        retain: read('llm.retain', duration(RETAIN), llm.bodies?.retain ?? RETAIN.most),
      },
    },
    limits: {
      message: read('limits.message', size(MESSAGE), limits.message),
      depth: read('limits.depth', integer(DEPTH), limits.depth),
      frame: read('limits.frame', size(FRAME), limits.frame),
      bodyTimeout: read('limits.body_timeout', duration(BODY_TIMEOUT), limits.bodyTimeout),
    },
    audit: {
      sync: read('audit.sync', choice(['normal', 'full']), audit.sync),
      retain: read('audit.retain', duration(RETAIN), audit.retain),
      maxSize: read('audit.max_size', size(MAX_SIZE), audit.maxSize),
      jsonl: typeof jsonl === 'string' ? jsonl : jsonl ? join(stateDir, 'events.jsonl') : undefined,
    },
    webhooks: read('webhook', (value) => readWebhooks(value, home, to), defaults.webhooks),
    file,
    fromFile,
  };
  if (to.errors.length === 0) checkReach(config, to);
  return to.errors.length > 0 ? { ok: false, errors: to.errors } : { ok: true, config };
}

type Subtable = Exclude<keyof typeof TABLES, ''>;

interface TlsPaths {
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

function readTls({ cert, key }: TlsPaths, table: TomlTable, to: Faults): Config['serve']['tls'] {
  if (cert !== undefined && key !== undefined) return { cert, key };
  const [isCert, isKey] = [table['tls_cert'] !== undefined, table['tls_key'] !== undefined];
  if (isCert && !isKey) complain(to, ['serve', 'tls_cert'], 'serve.tls_cert needs serve.tls_key, the key of the certificate');
  if (isKey && !isCert) complain(to, ['serve', 'tls_key'], 'serve.tls_key needs serve.tls_cert, the certificate of the key');
  return undefined;
}

/** Requires TLS and a token for an address that other machines can reach: every proxy on the way sees a URL's secret. */
function checkReach({ listen, serve }: Config, to: Faults): void {
  if (isLoopback(listen.host)) return;
  const missing = [
    ...(serve.tls === undefined ? ['tls_cert', 'tls_key'] : []),
    ...(serve.tokenFile === undefined ? ['token_file'] : []),
  ];
  if (missing.length === 0) return;
  const message = 'an address that other machines can reach needs tls_cert, tls_key and token_file in [serve]';
  complain(to, ['listen'], message, `set ${missing.join(' and ')}, or listen at 127.0.0.1`);
}

function subtable(name: Subtable, parent: TomlTable, to: Faults): TomlTable {
  const value = parent[name];
  if (isTomlTable(value)) return value;
  if (value !== undefined) complainOfType(to, [name], value, 'a table');
  return {};
}
