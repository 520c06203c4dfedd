import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { formatToken } from '../../../core/dlp/tokens.ts';
import { SoughtValues } from './sought-values.ts';

/** Most values that a session remembers; the oldest that no client was given go first. */
export const MOST_TOKENS = 10_000;

export interface Secret {
  readonly kind: string;
  readonly value: string;
}

interface RestoredSecret extends Secret {
  /** The value in JSON within JSON, in JSON, and in a text. */
  readonly forms: ReadonlySet<string>;
}

/**
 * The tokens of one session. The same secret always has the same token, also after a restart; other sessions have others. The values are
 * in memory alone: after a restart they are learned again from the next request.
 */
export class SessionTokens {
  /** Prepared once, which takes longer than a hash does. */
  readonly #key: KeyObject;
  /** Tokens by kind and value: the same secrets come again in each request. */
  readonly #formatted = new Map<string, string>();
  readonly #waiting = new Map<string, Secret>();
  readonly #restored = new Map<string, RestoredSecret>();
  readonly #sought = new SoughtValues();

  /** @param key secret bytes of the session */
  constructor(key: Uint8Array) {
    this.#key = createSecretKey(key);
  }

  tokenOf(kind: string, value: string): string {
    const secret = `${kind}\0${value}`;
    let token = this.#formatted.get(secret);
    if (token === undefined) {
      token = formatToken(kind, createHmac('sha256', this.#key).update(secret).digest());
      if (this.#formatted.size >= MOST_TOKENS) this.#formatted.clear();
      this.#formatted.set(secret, token);
    }
    return token;
  }

  learn(token: string, { kind, value }: Secret): void {
    if (this.#waiting.has(token) || this.#restored.has(token)) return;
    this.#waiting.set(token, { kind, value });
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size + this.#restored.size > MOST_TOKENS && oldest !== undefined) this.#waiting.delete(oldest);
  }

  /**
   * Returns the value of a token, for the client: from then on it is looked for wherever it stands, since the client sends it back without
   * what told that it is a secret. It stays known as long as the session lasts, whatever other clients send.
   *
   * @param token in its usual spelling
   */
  restore(token: string): string | undefined {
    const restored = this.#restored.get(token);
    if (restored !== undefined) return restored.value;
    const secret = this.#waiting.get(token);
    if (secret === undefined) return undefined;
    const { kind, value } = secret;
    this.#waiting.delete(token);
    const once = JSON.stringify(value).slice(1, -1);
    const forms = new Set([JSON.stringify(once).slice(1, -1), once, value]);
    this.#restored.set(token, { kind, value, forms });
    this.#sought.add(value, kind);
    return value;
  }

  /** The secrets that the client was given, by token, in the order in which it was. */
  get restored(): ReadonlyMap<string, RestoredSecret> {
    return this.#restored;
  }

  /** Their values. */
  get sought(): SoughtValues {
    return this.#sought;
  }
}
