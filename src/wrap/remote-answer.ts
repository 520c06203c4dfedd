import type { LeftAlone } from '../remote/state-text.ts';
import { sha256 } from './files/state-folder.ts';
import type { FoundServer } from './read-servers.ts';

/** Something to ask a remote server before its entry is wrapped: does what works now still work then? */
export interface RemoteQuestion {
  /** Real path of the config, and where in it the entry is (RFC 6901). */
  readonly file: string;
  readonly pointer: string;
  readonly server: string;
  readonly url: string;
  /** What its client sends; undefined where only the client knows that, and so nobody else can ask. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Stands for the URL and the names of the headers: what was answered holds for this entry only. */
  readonly entry: string;
}

/** What came of asking. `unreachable`: nobody answers, or no MCP server. `unknown`: it can't be told. */
export type RemoteAnswer =
  | { readonly kind: 'mcp' | 'login' | 'http-sse' }
  | { readonly kind: 'unreachable' | 'unknown'; readonly why?: string | undefined };

export type AnswerTo = (question: RemoteQuestion) => RemoteAnswer | undefined;

/** Something that a client fills in, so that nobody else knows the value: `${…}`, `{env:…}`, `$NAME`, `%NAME%`. */
export const TEMPLATE = /[{}]|\$[A-Za-z_(]|%[A-Za-z_]\w{2,}%/;

/** Keys of entries by which a client sends headers that the entry does not have as they are. */
const HEADER_SOURCES = ['headersHelper', 'requestInit', 'bearer_token_env_var', 'env_http_headers', 'http_headers'];

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

/** What an answer means for the entry: why it is left alone, or what there is to know where it is wrapped. */
interface Judged {
  readonly refusal?: { readonly reason: SkipReason; readonly detail?: string | undefined } | undefined;
  readonly note?: string | undefined;
}

/** @param isNamed somebody asked for this very server, and so knows better than one that is not there today */
export function judgeAnswer(answer: RemoteAnswer | undefined, isNamed: boolean): Judged {
  switch (answer?.kind) {
    case 'login':
    case 'http-sse':
      return { refusal: { reason: answer.kind } };
    case 'unreachable':
      if (!isNamed) return { refusal: { reason: 'unreachable', detail: answer.why } };
      return { note: `clawai could not check that it works behind it: ${answer.why ?? 'it did not answer'}` };
    case 'unknown':
      return { note: `clawai could not check that it works behind it: ${answer.why ?? 'it was not asked'}` };
    default:
      return {};
  }
}

/** What is worth remembering of an answer; undefined where it is nothing. */
export function toLeft({ file, pointer, entry }: RemoteQuestion, answer: RemoteAnswer | undefined): LeftAlone | undefined {
  const reason = judgeAnswer(answer, false).refusal?.reason;
  return reason === undefined ? undefined : { file, pointer, entry, reason };
}

/** The answers that are remembered. */
export function answersIn(left: readonly LeftAlone[]): AnswerTo {
  const known = new Map(left.map((one) => [`${one.file}\0${one.pointer}\0${one.entry}`, one.reason]));
  return ({ file, pointer, entry }) => {
    const kind = known.get(`${file}\0${pointer}\0${entry}`);
    return kind === 'login' || kind === 'http-sse' || kind === 'unreachable' ? { kind } : undefined;
  };
}

/**
 * Why an entry is left as it is. Of remote servers:
 * - `serve-stopped`: nothing stands in front of them
 * - `own-listener`: its URL leads to `clawai serve`, which knows no such server
 * - `transport`: it is not streamable HTTP
 * - `templated-url`: its client fills in a part of its URL
 * - `url`, `name`: its URL is none that we reach, or its name can't be a part of one
 * - `oauth`: its client logs in to it for the URL that it has
 * - `login`, `http-sse`: its server was asked, and wants a login, or speaks the transport before streamable HTTP
 * - `unreachable`: its server was asked, and did not answer as an MCP server
 *
 * - `shared-url`: its file is one that a team shares, and its URL would lead to `clawai serve` of this machine
 *
 * Of others:
 * - `machine-path`: it is to start on every machine, and has a flag that names a file of this one
 * - `own-entry`: an entry of the user's own goes before it, and is behind clawai
 * - `refused`: no copy of it is made, since its user told the client not to start it
 * - `environment`: no copy of it is made, since what it sets can give clawai another policy
 */
export type SkipReason =
  | 'serve-stopped'
  | 'own-listener'
  | 'transport'
  | 'templated-url'
  | 'url'
  | 'oauth'
  | 'login'
  | 'http-sse'
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
  | 'environment'
  | 'refused'
  | 'allow-list';

/** A file that a team shares; `maybe-shared`: git does not say that it is not under version control. */
export type Sharing = 'shared' | 'maybe-shared';
