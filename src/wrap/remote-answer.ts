import type { LeftAlone } from '../remote/state-text.ts';
import { sha256 } from './files/state-folder.ts';
import type { FoundServer } from './read-servers.ts';

/** A question to a remote server before its entry is wrapped: would it still work behind clawai? */
export interface RemoteQuestion {
  /** Real path of the config, and the entry's JSON pointer in it (RFC 6901). */
  readonly file: string;
  readonly pointer: string;
  readonly server: string;
  readonly url: string;
  /** The headers that its client sends; undefined if only the client knows them, so that nobody else can ask. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** A hash of the URL and the headers' names: the answer holds for this entry only. */
  readonly entry: string;
}

/**
 * The result of asking. `login`: it wants a login, and `managed` as well, while clawai is to log in. `unreachable`: no MCP server answers.
 * `unknown`: it can't be told.
 */
export type RemoteAnswer =
  | { readonly kind: 'mcp' | 'login' }
  | { readonly kind: 'managed'; readonly note?: string | undefined }
  | { readonly kind: 'unreachable' | 'unknown'; readonly why?: string | undefined };

export type AnswerTo = (question: RemoteQuestion) => RemoteAnswer | undefined;

/** Matches a placeholder that only the client can fill in: `${…}`, `{env:…}`, `$NAME`, `%NAME%`. */
export const TEMPLATE = /[{}]|\$[A-Za-z_(]|%[A-Za-z_]\w{2,}%/;

/** Keys of entries by which a client sends headers that the entry does not contain literally. */
const HEADER_SOURCES = [
  'headersHelper',
  'requestInit',
  'bearer_token_env_var',
  'env_http_headers',
  'http_headers',
  'requestOptions',
  'apiKey',
];

export function toQuestion({ entry, pointer }: FoundServer, realFile: string): RemoteQuestion {
  const { url = '', name, keys, headers } = entry;
  const pairs = Object.entries(headers ?? {});
  const isKnown =
    !keys.some((key) => HEADER_SOURCES.includes(key) || (key === 'headers' && headers === undefined)) &&
    pairs.every((pair) => !pair.some((text) => TEMPLATE.test(text)));
  return {
    file: realFile,
    pointer,
    server: name,
    url,
    headers: isKnown ? (headers ?? {}) : undefined,
    entry: sha256(JSON.stringify([url, pairs.map(([header]) => header.toLowerCase()).toSorted()])),
  };
}

/** The consequence of an answer: a reason to leave the entry alone, or a note if it is wrapped. */
interface Judged {
  readonly refusal?: { readonly reason: SkipReason; readonly detail?: string | undefined } | undefined;
  readonly note?: string | undefined;
  readonly auth?: 'managed' | undefined;
}

/** @param isNamed true if somebody named this server; then an unreachable one is wrapped all the same */
export function judgeAnswer(answer: RemoteAnswer | undefined, isNamed: boolean): Judged {
  switch (answer?.kind) {
    case 'login':
      return { refusal: { reason: answer.kind } };
    case 'managed':
      return { auth: 'managed', note: answer.note };
    case 'unreachable':
      if (!isNamed) return { refusal: { reason: 'unreachable', detail: answer.why } };
      return { note: `clawai could not check that it works behind it: ${answer.why ?? 'it did not answer'}` };
    case 'unknown':
      return { note: `clawai could not check that it works behind it: ${answer.why ?? 'it was not asked'}` };
    default:
      return {};
  }
}

/** Returns what to store of an answer; undefined for nothing. */
export function toLeft({ file, pointer, entry }: RemoteQuestion, answer: RemoteAnswer | undefined): LeftAlone | undefined {
  const reason = judgeAnswer(answer, false).refusal?.reason;
  return reason === undefined ? undefined : { file, pointer, entry, reason };
}

/** Returns the stored answers. */
export function answersIn(left: readonly LeftAlone[]): AnswerTo {
  const known = new Map(left.map((one) => [`${one.file}\0${one.pointer}\0${one.entry}`, one.reason]));
  return ({ file, pointer, entry }) => {
    const kind = known.get(`${file}\0${pointer}\0${entry}`);
    return kind === 'login' || kind === 'unreachable' ? { kind } : undefined;
  };
}

/**
 * The reason why an entry is left alone. For remote servers:
 * - `serve-stopped`: `clawai serve` does not run
 * - `own-listener`: its URL leads to `clawai serve`, which knows no such server
 * - `transport`: it is neither streamable HTTP nor HTTP+SSE
 * - `templated-url`: its client fills in a part of its URL
 * - `url`, `name`: its URL is not supported, or its name can't be a part of a URL
 * - `oauth`: its client logs in to it for exactly that URL
 * - `login`: its server was asked, and wants a login
 * - `unreachable`: its server was asked, and did not answer as an MCP server
 *
 * - `shared-url`: a team shares its file, and its URL would lead to `clawai serve` of this machine
 *
 * For others:
 * - `machine-path`: it must start on every machine, but has a flag that names a file of this one
 * - `own-entry`: an entry of the user's own takes precedence, and is behind clawai
 * - `refused`: it is not copied, since its user told the client not to start it
 * - `brought`: it brings along flags or variables that choose what clawai enforces, and nobody has agreed to them
 * - `environment`: it is not copied, since its variables can give clawai another policy
 */
export type SkipReason =
  | 'serve-stopped'
  | 'own-listener'
  | 'transport'
  | 'templated-url'
  | 'url'
  | 'oauth'
  | 'login'
  | 'unreachable'
  | 'name'
  | 'managed'
  | 'malformed'
  | 'no-process'
  | 'clawai'
  | 'other-wrapper'
  | 'plugin-cache'
  | Sharing
  | 'shared-url'
  | 'machine-path'
  | 'own-entry'
  | 'brought'
  | 'environment'
  | 'refused'
  | 'allow-list';

/** A file that a team shares; `maybe-shared`: git can't rule out that it is under version control. */
export type Sharing = 'shared' | 'maybe-shared';
