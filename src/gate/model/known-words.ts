import { hash } from 'node:crypto';
import type { Words } from '../../core/flow/steering/read-words.ts';
import type { SaidText } from '../../protocol/llm/said/said-texts.ts';
import { typedPart } from '../../protocol/llm/said/typed-part.ts';

/** Most characters of one text that are read, by who says it: whoever says more has pasted it. */
const MOST = { user: 16 * 1024, system: 256 * 1024 } as const;

/** Most characters of one request that are read; the rest is read with the next one. */
const MOST_AT_ONCE = 1024 * 1024;

/** Most texts and conversations of a session that are known; further texts do not count. */
const MOST_TEXTS = 32 * 1024;
const MOST_CONVERSATIONS = 512;

/** Most texts of a model that are known, and characters of the shortest; the oldest are forgotten first. */
const MOST_WRITTEN = 4096;
const SHORTEST_WRITTEN = 12;

interface NewText {
  readonly key: string;
  readonly said: SaidText;
}

/** The texts of one request that are new. */
export class NewWords {
  readonly #known: KnownWords;
  readonly #texts: NewText[] = [];
  #first: string | undefined;
  #length = 0;

  constructor(known: KnownWords) {
    this.#known = known;
  }

  /** Takes the next text of the request. */
  add(said: SaidText): void {
    const key = keyOf(said);
    if (said.by === 'user') this.#first ??= key;
    // The conversation of a helper: the model itself says what its user would.
    if (said.by === 'user' && this.#known.isWritten(this.#first ?? '')) return;
    if (this.#known.has(key) || this.#length > MOST_AT_ONCE) return;
    const text = said.text.slice(0, MOST[said.by]);
    this.#length += text.length;
    this.#texts.push({ key, said: { ...said, text } });
  }

  get isNone(): boolean {
    return this.#texts.length === 0;
  }

  /**
   * The new texts. Each that goes beyond a known conversation is a reply: the user has seen what came before. A new conversation, and one that
   * was cut, may begin with what a model wrote, such as a summary.
   *
   * @param messages of the request
   * @param isContinued the provider has the earlier ones
   */
  words(messages: number, isContinued: boolean): readonly Words[] {
    const before = this.#known.messagesOf(this.#first);
    const isLonger = before !== undefined && messages > before;
    return this.#texts.map(({ said: { by, text, at } }) => ({
      by,
      text,
      isReply: isContinued || (isLonger && at >= (before ?? 0)),
    }));
  }

  /** Notes that they were read. */
  noteRead(messages: number): void {
    for (const { key } of this.#texts) this.#known.add(key);
    this.#known.noteMessages(this.#first, messages);
  }
}

/** The texts that were read in one session, by their hashes: requests repeat the whole conversation. */
export class KnownWords {
  readonly #texts = new Set<string>();
  readonly #written = new Set<string>();
  /** How many messages each conversation had, by its first text of the user. */
  readonly #conversations = new Map<string, number>();

  has(key: string): boolean {
    return this.#texts.has(key) || this.#texts.size >= MOST_TEXTS;
  }

  add(key: string): void {
    this.#texts.add(key);
  }

  /** Tells whether the model wrote a text in the arguments of a call. */
  isWritten(key: string): boolean {
    return this.#written.has(key);
  }

  /** Notes a text that the model wrote. */
  noteWritten(text: string): void {
    const typed = text.length < SHORTEST_WRITTEN ? '' : typedPart(text);
    if (typed === '') return;
    this.#written.add(keyOf({ by: 'user', text: typed }));
    const [oldest] = this.#written;
    if (this.#written.size > MOST_WRITTEN && oldest !== undefined) this.#written.delete(oldest);
  }

  /** Forgets what was read; what the model wrote stays. */
  forgetRead(): void {
    this.#texts.clear();
    this.#conversations.clear();
  }

  messagesOf(first: string | undefined): number | undefined {
    return this.#conversations.get(first ?? '');
  }

  noteMessages(first: string | undefined, messages: number): void {
    if (first === undefined) return;
    this.#conversations.delete(first);
    this.#conversations.set(first, messages);
    const [oldest] = this.#conversations.keys();
    if (this.#conversations.size > MOST_CONVERSATIONS && oldest !== undefined) this.#conversations.delete(oldest);
  }
}

function keyOf({ by, text }: Pick<SaidText, 'by' | 'text'>): string {
  return hash('sha256', `${by}\0${text}`, 'base64');
}
