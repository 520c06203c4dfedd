import { type Machine, stateDirectory } from '../host/directories.ts';
import type { ListenAddress } from './listen-address.ts';

/** The LLM APIs that a provider may speak. Each is the name of the provider that made it as well, whose URL is what its SDK has as base URL. */
export const LLM_DIALECTS = [
  { dialect: 'anthropic', url: 'https://api.anthropic.com' },
  { dialect: 'openai', url: 'https://api.openai.com/v1' },
  { dialect: 'gemini', url: 'https://generativelanguage.googleapis.com' },
] as const;

export type LlmDialect = (typeof LLM_DIALECTS)[number]['dialect'];

/** How clawai runs, every setting resolved. What is allowed is not here but in the policy. */
export interface Config {
  /** `observe`: decide and record, and let everything pass. */
  readonly mode: 'enforce' | 'observe';
  /** What becomes of a call that can't be decided or recorded. */
  readonly onError: 'deny' | 'allow';
  /** Absolute path of the folder in which clawai keeps what it remembers. */
  readonly stateDir: string;
  /** Where `clawai serve` takes requests. */
  readonly listen: ListenAddress;
  readonly serve: {
    /** Absolute paths of a certificate and its key, as PEM; undefined: no TLS, which only this machine may see. */
    readonly tls: { readonly cert: string; readonly key: string } | undefined;
    /** Absolute path of the file with the token that requests from other machines need. */
    readonly tokenFile: string | undefined;
    /** Names, in small letters, that requests may give as their host besides those of `listen`. */
    readonly hosts: readonly string[];
  };
  /** Remote servers that the user declares, in their order. */
  readonly servers: readonly DeclaredServer[];
  readonly llm: {
    /** What is done to what goes to LLM providers: `embedded` looks at what models call, `disabled` does nothing. */
    readonly mode: 'embedded' | 'disabled';
    /** LLM providers that the user declares, in their order. */
    readonly providers: readonly LlmProvider[];
    /** What is asked of them and what they answer, without secrets: whether it is kept, and for how many milliseconds. */
    readonly bodies?: { readonly areStored: boolean; readonly retain: number };
  };
  readonly limits: {
    /** Bytes that a message may have. */
    readonly message: number;
    /** Objects and arrays that may lie inside each other in a message. */
    readonly depth: number;
    /** Bytes that one event of a stream may have. */
    readonly frame: number;
    /** Milliseconds that the body of a request may bring nothing. */
    readonly bodyTimeout: number;
  };
  readonly audit: {
    /** What an event that was recorded survives: `normal` the end of any process, `full` also that of the machine. */
    readonly sync: 'normal' | 'full';
    /** Milliseconds for which events are kept. */
    readonly retain: number;
    /** Bytes that the events may take. */
    readonly maxSize: number;
    /** Absolute path of a file that gets each event as a JSON line; undefined: none. */
    readonly jsonl: string | undefined;
  };
  /** The file that was read; undefined where there is none, and all settings are the defaults. */
  readonly file: string | undefined;
  /** The settings that the file makes; all others are the defaults. */
  readonly fromFile: ReadonlySet<Setting>;
}

/** A remote server out of `[[servers]]`. */
export interface DeclaredServer {
  /** Its name in the policy and in its URL; unique. */
  readonly id: string;
  /** Where it is reached without clawai: http or https, as it was written. */
  readonly url: string;
  /** The last part of its URL at `clawai serve`; undefined: one is generated. */
  readonly secret: string | undefined;
  /** Go with every request to it; names as they were written. */
  readonly headers: Readonly<Record<string, string>>;
  /** `sha256:` and 64 small hexadecimal digits, of the key that its certificate must have. */
  readonly tlsFingerprint: string | undefined;
}

/** An LLM provider out of `[llm.providers]`. */
export interface LlmProvider {
  /** Part of its URL; unique, and of letters that stay as they are in one. */
  readonly name: string;
  /** The API that it speaks. */
  readonly dialect: LlmDialect;
  /** Where it is reached without clawai, as it was written: the base URL of the API's SDK. It may have a path and a query. */
  readonly baseUrl: string;
  /** As that of a declared server. */
  readonly secret: string | undefined;
}

/** A setting by its place in the file. */
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
  | 'limits.message'
  | 'limits.depth'
  | 'limits.frame'
  | 'limits.body_timeout'
  | 'audit.sync'
  | 'audit.retain'
  | 'audit.max_size'
  | 'audit.jsonl';

const MIB = 1024 * 1024;
const DAY = 24 * 60 * 60 * 1000;

/** The config of a user who wrote none. */
export function defaultConfig(machine: Machine): Config {
  return {
    mode: 'enforce',
    onError: 'deny',
    stateDir: stateDirectory(machine),
    listen: { host: '127.0.0.1', port: 8787 },
    serve: { tls: undefined, tokenFile: undefined, hosts: [] },
    servers: [],
    llm: { mode: 'embedded', providers: [], bodies: { areStored: false, retain: 30 * DAY } },
    // More than SDK clients take, which give up at 10 MiB; deeper than any schema that a person writes.
    limits: { message: 32 * MIB, depth: 128, frame: 16 * MIB, bodyTimeout: 30_000 },
    audit: { sync: 'normal', retain: 90 * DAY, maxSize: 1024 * MIB, jsonl: undefined },
    file: undefined,
    fromFile: new Set(),
  };
}
