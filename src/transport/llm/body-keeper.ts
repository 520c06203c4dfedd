import type { SecretFinder } from '../../core/dlp/find-secrets.ts';
import { redactJson } from '../../core/dlp/redact-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { BodyRecord } from '../../gate/ports/records.ts';
import type { ModelStream } from '../../protocol/llm/dialect.ts';
import type { ModelApi } from '../../protocol/llm/model-api.ts';
import { EventSum } from './event-sum.ts';
import { parseBeginning } from './parse-beginning.ts';

/** Members that contain the conversation in the APIs, oldest message first. */
const CONVERSATIONS = ['messages', 'input', 'contents'] as const;

/**
 * Most characters: of a body that is parsed as a whole, of the parsed beginning of a longer one, and of the kept newest messages of a
 * request. The stored JSON has its own bounds. One step takes some milliseconds at most.
 */
const MOST = { parsed: 1024 * 1024, beginning: 128 * 1024, newest: 64 * 1024 } as const;
const BOUNDS = { json: 128 * 1024, read: 192 * 1024, string: 8192 } as const;

/** Least characters of an unterminated string that is kept: so many more than are stored that no secret is cut in two. */
const LEAST_STRING = 2 * BOUNDS.string;

/** Most bodies in the queue, and most characters of them; further ones are dropped. */
const WAITING = { bodies: 64, characters: 32 * 1024 * 1024 } as const;

/** A queued body: its text, or its parsed form. */
interface Waiting {
  readonly kind: BodyRecord['kind'];
  readonly request: string;
  readonly time: number;
  readonly length: number;
  readonly read: () => JsonValue;
  readonly isCut: boolean;
}

export interface BodyKeeperOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Finds what the policy counts as secrets. */
  readonly finder: () => SecretFinder;
  /** Records one body in the background. */
  readonly record: (body: Pick<BodyRecord, 'time' | 'kind' | 'request' | 'json' | 'cuts'>) => void;
  /** Tells the person who runs us, in one line. */
  readonly warn: (line: string) => void;
}

/**
 * Stores the requests to one LLM provider and their answers, without secrets and within bounds. It delays nobody: each body is parsed in
 * one turn of the event loop and redacted in the next. Headers and paths, which contain keys, never get here.
 */
export class BodyKeeper {
  readonly #options: BodyKeeperOptions;
  readonly #waiting: Waiting[] = [];
  #characters = 0;
  #working: Promise<void> | undefined;
  #hasWarned = false;

  constructor(options: BodyKeeperOptions) {
    this.#options = options;
  }

  /** @param request its id @param text as the client sent it */
  keepRequest(request: string, text: string): void {
    this.#keepText('request', request, text);
  }

  /** @param text a whole answer, as the provider sent it */
  keepAnswer(request: string, text: string): void {
    this.#keepText('answer', request, text);
  }

  /**
   * Wraps the API for one stream that is about to begin.
   *
   * @returns `keep`: stores what has come so far; call it when the stream ends, for whatever reason
   */
  watch(api: ModelApi, request: string): { readonly api: ModelApi; readonly keep: () => void } {
    const sum = new EventSum();
    return {
      api: { ...api, createStream: (options) => withSum(api.createStream(options), sum) },
      keep: () => this.#keep({ kind: 'answer', request, length: 0, isCut: sum.isCut, read: () => sum.toJson() }),
    };
  }

  /** Resolves when all queued bodies are on record. */
  async finish(): Promise<void> {
    await this.#working;
  }

  #keepText(kind: BodyRecord['kind'], request: string, text: string): void {
    const isCut = text.length > MOST.parsed;
    // A slice would keep the whole text in memory.
    const kept = isCut ? Buffer.from(text.slice(0, MOST.beginning)).toString() : text;
    const read = (): JsonValue => (isCut ? (parseBeginning(kept, LEAST_STRING) ?? kept) : readBody(kept, kind));
    this.#keep({ kind, request, length: kept.length, isCut, read });
  }

  #keep(body: Omit<Waiting, 'time'>): void {
    if (this.#waiting.length >= WAITING.bodies || this.#characters + body.length > WAITING.characters) {
      if (!this.#hasWarned) this.#options.warn('bodies arrive faster than clawai can store them, so some are not stored');
      this.#hasWarned = true;
      return;
    }
    this.#waiting.push({ ...body, time: this.#options.now() });
    this.#characters += body.length;
    this.#working ??= this.#work().finally(() => (this.#working = undefined));
  }

  async #work(): Promise<void> {
    for (;;) {
      await nextTurn();
      const body = this.#waiting.shift();
      if (body === undefined) return;
      this.#characters -= body.length;
      const { kind, request, time, isCut } = body;
      try {
        const value = body.read();
        await nextTurn();
        const { json, cuts } = redactJson(value, BOUNDS, this.#options.finder());
        this.#options.record({ kind, request, time, json, cuts: isCut ? new Set([...cuts, 'too_large']) : cuts });
      } catch (error) {
        // Stored bodies are for people; nothing depends on them.
        this.#options.warn(`could not store a body: ${String(error)}`);
      }
    }
  }
}

function withSum(stream: ModelStream, sum: EventSum): ModelStream {
  return {
    push(event) {
      sum.add(event);
      stream.push(event);
    },
    answer: (verdict) => stream.answer(verdict),
    end: () => stream.end(),
    fail: (why) => stream.fail(why),
    get isHolding() {
      return stream.isHolding;
    },
    get keepAlive() {
      return stream.keepAlive;
    },
  };
}

function readBody(text: string, kind: BodyRecord['kind']): JsonValue {
  try {
    // Numbers are parsed as JavaScript's: keeping their spelling takes ten times as long.
    const value = JSON.parse(text) as JsonValue;
    return kind === 'request' && isJsonObject(value) ? newestPart(value, MOST.newest) : value;
  } catch {
    // A body that is not JSON is stored as text.
    return text;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Puts a request's conversation first, and keeps only its newest part: each request repeats what earlier ones contained.
 *
 * @param most most characters of the conversation, as JSON; the newest message always stays
 */
export function newestPart(request: JsonObject, most: number): JsonObject {
  const name = CONVERSATIONS.find((known) => Array.isArray(request[known]));
  if (name === undefined) return request;
  const { [name]: conversation, ...others } = request;
  const messages = conversation as readonly JsonValue[];
  let from = messages.length;
  for (let length = 0; from > 0; from -= 1) {
    length += JSON.stringify(messages[from - 1] ?? null).length;
    if (length > most && from < messages.length) break;
  }
  const left = from === 0 ? messages : [`…(${from} earlier)`, ...messages.slice(from)];
  return { [name]: left, ...others };
}
