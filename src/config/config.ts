import { type Machine, stateDirectory } from '../host/directories.ts';
import type { ListenAddress } from './addresses.ts';
import type { Webhook } from './read-webhooks.ts';

/** The LLM APIs that a provider may speak. Each is also the name of its maker's provider, whose URL is the base URL of its SDK. */
export const LLM_DIALECTS = [
  { dialect: 'anthropic', url: 'https://api.anthropic.com' },
  { dialect: 'openai', url: 'https://api.openai.com/v1' },
  { dialect: 'gemini', url: 'https://generativelanguage.googleapis.com' },
] as const;

export type LlmDialect = (typeof LLM_DIALECTS)[number]['dialect'];

/** The settings of clawai, all resolved. The policy says what is allowed. */
export interface Config {
  /** `observe` decides and records, and lets everything pass. */
  readonly mode: 'enforce' | 'observe';
  /** The outcome of a call that can't be decided or recorded. */
  readonly onError: 'deny' | 'allow';
  /** Absolute path of the folder for clawai's state. */
  readonly stateDir: string;
  /** The address of `clawai serve`. */
  readonly listen: ListenAddress;
  readonly serve: {
    /** Absolute paths of a certificate and its key, as PEM. Undefined: no TLS, which is only for this machine. */
    readonly tls: { readonly cert: string; readonly key: string } | undefined;
    /** Absolute path of the file with the token that requests from other machines need. */
    readonly tokenFile: string | undefined;
    /** Host names, in lower case, that requests may use besides those of `listen`. */
    readonly hosts: readonly string[];
  };
  /** Remote servers that the user declares, in order. */
  readonly servers: readonly DeclaredServer[];
  readonly llm: {
    /** `embedded` checks what models call, `disabled` ignores traffic to LLM providers. */
    readonly mode: 'embedded' | 'mcp-only' | 'disabled';
    /** LLM providers that the user declares, in order. */
    readonly providers: readonly LlmProvider[];
    /** Storage of request and answer bodies, without secrets; `retain` in milliseconds. */
    readonly bodies?: { readonly areStored: boolean; readonly retain: number };
  };
  readonly login: {
    /** True if tokens go into the system's keychain where there is one; otherwise they go into a file in `stateDir`. */
    readonly keychain: boolean;
  };
  readonly limits: {
    /** Most bytes of a message. */
    readonly message: number;
    /** Most levels of nested objects and arrays in a message. */
    readonly depth: number;
    /** Most bytes of one event of a stream. */
    readonly frame: number;
    /** Milliseconds after which the body of a request times out if no bytes come. */
    readonly bodyTimeout: number;
  };
  readonly audit: {
    /** The durability of a recorded event: with `normal` it survives the end of any process, with `full` also that of the machine. */
    readonly sync: 'normal' | 'full';
    /** Milliseconds for which events are kept. */
    readonly retain: number;
    /** Most bytes that the events may take. */
    readonly maxSize: number;
    /** Absolute path of a file that gets each event as a JSON line; undefined for none. */
    readonly jsonl: string | undefined;
  };
  /** The webhooks that tell people what happens. */
  readonly webhooks: readonly Webhook[];
  /** The file that was read; undefined if there is none, so that all settings are defaults. */
  readonly file: string | undefined;
  /** The settings that the file contains; all others are defaults. */
  readonly fromFile: ReadonlySet<Setting>;
}

/** A remote server of `[[servers]]`. */
export interface DeclaredServer {
  /** Its name in the policy and in its URL; unique. */
  readonly id: string;
  /** The server's own URL, http or https, as it was written. */
  readonly url: string;
  /** The last part of its URL at `clawai serve`; undefined if one is generated. */
  readonly secret: string | undefined;
  /** Headers added to every request to it; names as they were written. */
  readonly headers: Readonly<Record<string, string>>;
  /** `managed`: clawai logs in to it, by `clawai login`, and sends its own tokens. */
  readonly auth?: 'managed' | undefined;
  /** Its clients speak no MCP before 2026-07-28, so `clawai serve` translates for them if the server is older. */
  readonly isModernOnly?: boolean | undefined;
  /** `sha256:` and 64 lower-case hexadecimal digits, the fingerprint of the key that its certificate must have. */
  readonly tlsFingerprint: string | undefined;
}

/** An LLM provider of `[llm.providers]`. */
export interface LlmProvider {
  /** A part of its URL; unique, and only of characters that a URL keeps unescaped. */
  readonly name: string;
  /** The API that it offers. */
  readonly dialect: LlmDialect;
  /** The provider's own URL, as it was written: the base URL of the API's SDK. It may have a path and a query. */
  readonly baseUrl: string;
  /** Like the secret of a declared server. */
  readonly secret: string | undefined;
}

/** A setting, named by its path in the file. */
export type Setting =
  | 'mode'
  | 'on_error'
  | 'state_dir'
  | 'listen'
  | 'serve.tls_cert'
  | 'serve.tls_key'
  | 'serve.token_file'
  | 'serve.hosts'
  | 'servers'
  | 'llm.mode'
  | 'llm.providers'
  | 'llm.store_bodies'
  | 'llm.retain'
  | 'login.keychain'
  | 'limits.message'
  | 'limits.depth'
  | 'limits.frame'
  | 'limits.body_timeout'
  | 'audit.sync'
  | 'audit.retain'
  | 'audit.max_size'
  | 'audit.jsonl'
  | 'webhook';

const MIB = 1024 * 1024;
const DAY = 24 * 60 * 60 * 1000;

/** Returns the config of a user who wrote none. */
export function defaultConfig(machine: Machine): Config {
  return {
    mode: 'enforce',
    onError: 'deny',
    stateDir: stateDirectory(machine),
    listen: { host: '127.0.0.1', port: 8787 },
    serve: { tls: undefined, tokenFile: undefined, hosts: [] },
    servers: [],
    login: { keychain: true },
    llm: { mode: 'embedded', providers: [], bodies: { areStored: false, retain: 30 * DAY } },
    // The size exceeds what SDK clients accept (10 MiB); the depth exceeds any hand-written schema.
    limits: { message: 32 * MIB, depth: 128, frame: 16 * MIB, bodyTimeout: 30_000 },
    audit: { sync: 'normal', retain: 90 * DAY, maxSize: 1024 * MIB, jsonl: undefined },
    webhooks: [],
    file: undefined,
    fromFile: new Set(),
  };
}
