import { createHmac } from 'node:crypto';
import type { Dlp } from '../../../core/policy/parse-dlp.ts';
import type { ModelApi, RequestPlace } from '../../../protocol/llm/model-api.ts';
import type { CallName } from '../../../protocol/llm/texts/shape.ts';
import type { PolicySource } from '../../ports/ports.ts';
import type { SecretsRecord, UnknownTokensRecord } from '../../ports/records.ts';
import type { ModelRequest } from '../call-targets.ts';
import type { AnswerSecrets, createSearch, LoadedSearch } from './load-search.ts';

/** The records about secrets, without their time and session. */
export type SecretsNews =
  | ({ readonly type: 'secrets' } & Omit<SecretsRecord, 'time' | 'session'>)
  | ({ readonly type: 'unknown_tokens' } & Omit<UnknownTokensRecord, 'time' | 'session'>);

export interface ModelSecretsOptions {
  readonly policy: Pick<PolicySource, 'current'>;
  /** True if nothing is replaced, whatever the policy says. */
  readonly isObserving: boolean;
  readonly session: () => string;
  /** Secret bytes that survive a restart. */
  readonly key: () => Uint8Array;
  /** Records something soon. */
  readonly record: (news: SecretsNews) => void;
}

/** The secrets in one session's requests to models, and in their answers. Nothing is loaded while the policy looks for none. */
export class ModelSecrets {
  readonly #options: ModelSecretsOptions;
  #load: Promise<typeof createSearch> | undefined;
  #search: { readonly dlp: Dlp; readonly loaded: LoadedSearch } | undefined;
  #tokens: LoadedSearch['tokens'] | undefined;

  constructor(options: ModelSecretsOptions) {
    this.#options = options;
  }

  /**
   * Replaces the secrets in a request, as the policy says, and records new ones.
   *
   * @param text valid JSON
   * @returns the same text if nothing is replaced
   */
  async edit(
    text: string,
    { api, place, request }: { readonly api: ModelApi; readonly place: RequestPlace; readonly request: ModelRequest },
  ): Promise<string> {
    const loaded = await this.#current();
    if (loaded === undefined) return text;
    const edited = loaded.requests.edit(text, loaded.texts[api.texts], place);
    for (const { kind, count, place: at } of edited.found)
      this.#options.record({
        type: 'secrets',
        dialect: request.dialect,
        request: request.id,
        kind,
        count,
        place: at,
        mode: loaded.requests.mode,
      });
    return edited.text;
  }

  /**
   * Returns what restores the tokens in the answer to a request; undefined if there can be none.
   *
   * @param serversOf finds the servers that a call may be for
   */
  async ofAnswer(
    request: Pick<ModelRequest, 'dialect' | 'id'>,
    { api, serversOf }: { readonly api: ModelApi; readonly serversOf: (call: CallName) => readonly string[] },
  ): Promise<AnswerSecrets | undefined> {
    const loaded = await this.#current();
    if (loaded?.requests.mode !== 'tokenize') return undefined;
    return loaded.restorer({
      texts: api.texts,
      createStream: (options) => api.createStream(options),
      serversOf,
      report: (problem, count) =>
        this.#options.record({ type: 'unknown_tokens', dialect: request.dialect, request: request.id, problem, count }),
    });
  }

  async #current(): Promise<LoadedSearch | undefined> {
    const { policy, isObserving, session, key } = this.#options;
    const { dlp } = policy.current().policy;
    if (!looksForSecrets(dlp)) return undefined;
    const known = this.#search;
    if (known?.dlp === dlp) return known.loaded;
    this.#load ??= import('./load-search.ts').then((module) => module.createSearch);
    const create = await this.#load;
    const loaded = create({
      dlp: isObserving ? { ...dlp, onRequest: 'alert' } : dlp,
      tokens: this.#tokens,
      // Another session has another key.
      key: () => createHmac('sha256', key()).update(`dlp tokens\0${session()}`).digest(),
    });
    this.#tokens = loaded.tokens;
    this.#search = { dlp, loaded };
    return loaded;
  }
}

function looksForSecrets({
  enabled,
  keys,
  privateKeys,
  cards,
  seedPhrases,
  ssn,
  iban,
  email,
  phone,
  cryptoAddresses,
  patterns,
}: Dlp): boolean {
  const kinds = [keys, privateKeys, cards, seedPhrases, ssn, iban, email, phone, cryptoAddresses];
  return enabled && (patterns.length > 0 || kinds.includes(true));
}
