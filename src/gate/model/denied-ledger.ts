import { createHmac } from 'node:crypto';
import type { ModelCall } from '../../protocol/llm/dialect.ts';
import type { DeniedCall, DeniedCalls, NotedCall } from '../../protocol/llm/model-api.ts';
import { formatNote, MARK_LENGTH, MARKED_NOTE } from '../../protocol/llm/note.ts';

/** Most calls that are kept, and characters of all of them; the least recently used go first. */
const MOST_CALLS = 4096;
const MOST_SIZE = 16 * 1024 * 1024;

/** Milliseconds for which an unused call is kept: 7 days. */
const MOST_AGE = 7 * 24 * 60 * 60 * 1000;

/** Most characters of a kept call's arguments. Dialects parse so many strictly; longer ones may not be JSON. */
const MOST_ARGUMENTS = 1024 * 1024;

export interface DeniedLedgerOptions {
  /** Secret key of this ledger alone. */
  readonly key: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Tells whether a call of this id was denied, and no other call of it was allowed. */
  readonly isDenied: (id: string) => boolean;
}

interface Entry extends DeniedCall {
  readonly mark: string;
  readonly answer: string | undefined;
  /** Time of its last use. */
  used: number;
}

/**
 * The denied calls in the answers of one provider, for one group of sessions. In memory only.
 *
 * A client sends back the note that replaced a call, and the mark in the note finds the call again. The mark is a keyed hash of the call
 * and the note. A note counts only if every byte is the same, so nobody can forge one, and another ledger's notes do not count here.
 */
export class DeniedLedger implements DeniedCalls {
  readonly #options: DeniedLedgerOptions;
  /** Calls by their marks, the least recently used first. */
  readonly #entries = new Map<string, Entry>();
  readonly #ofAnswer = new Map<string, Set<Entry>>();
  #size = 0;
  /** Number of calls without an id so far. */
  #nameless = 0;

  constructor(options: DeniedLedgerOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    this.#tidy();
    return this.#entries.size === 0;
  }

  /** Makes the note that replaces a denied call, and keeps the call if it can be restored later. @param why for the model and the person */
  note(call: ModelCall, why: string): string {
    // Clients rewrite texts, and some drop the white space at the end.
    const reason = why.trimEnd().toWellFormed();
    const { inHistory, args } = call;
    if (inHistory === undefined || (args?.length ?? 0) > MOST_ARGUMENTS) return formatNote(reason);
    const [id, name, text] = [copyOf(call.id), copyOf(call.name), copyOf(inHistory())];
    const answer = call.answer === undefined ? undefined : copyOf(call.answer);
    // Without an id, two calls may be the same.
    const identity = [answer ?? null, id, id === '' ? this.#nameless++ : null, text, reason];
    const mark = createHmac('sha256', this.#options.key)
      .update(JSON.stringify(identity))
      .digest('base64url')
      .slice(0, MARK_LENGTH);
    this.#drop(mark);
    const entry: Entry = { id, name, text, note: formatNote(reason, mark), mark, answer, used: this.#options.now() };
    this.#entries.set(mark, entry);
    this.#size += sizeOf(entry);
    if (answer !== undefined) this.#ofAnswer.set(answer, (this.#ofAnswer.get(answer) ?? new Set()).add(entry));
    this.#tidy();
    return entry.note;
  }

  notedIn(text: string): readonly NotedCall[] {
    this.#tidy();
    const found: NotedCall[] = [];
    const seen = new Set<Entry>();
    let at = text.indexOf(MARKED_NOTE);
    while (at !== -1) {
      const from = at + MARKED_NOTE.length;
      const entry = this.#entries.get(text.slice(from, from + MARK_LENGTH));
      const end = entry !== undefined && text.startsWith(entry.note, at) ? at + entry.note.length : undefined;
      if (entry !== undefined && end !== undefined && !seen.has(entry)) {
        seen.add(entry);
        this.#use(entry);
        found.push({ call: entry, start: at, end });
      }
      at = text.indexOf(MARKED_NOTE, end ?? from);
    }
    return found;
  }

  ofAnswer(id: string): readonly DeniedCall[] {
    this.#tidy();
    const entries = [...(this.#ofAnswer.get(id) ?? [])];
    for (const entry of entries) this.#use(entry);
    // If a call was denied twice for different reasons, the last one counts.
    const last = new Map(entries.map((entry) => [entry.id === '' ? entry.mark : entry.id, entry]));
    return [...last.values()];
  }

  ofMark(mark: string): DeniedCall | undefined {
    this.#tidy();
    const entry = this.#entries.get(mark);
    if (entry !== undefined) this.#use(entry);
    return entry;
  }

  isDenied(id: string): boolean {
    return this.#options.isDenied(id);
  }

  /** Forgets that the denied calls of a conversation wait for their results, once the provider has them. Their notes still count. */
  settle(conversation: string): void {
    this.#ofAnswer.delete(conversation);
  }

  #use(entry: Entry): void {
    entry.used = this.#options.now();
    this.#entries.delete(entry.mark);
    this.#entries.set(entry.mark, entry);
  }

  /** Drops the least recently used calls beyond the limits. */
  #tidy(): void {
    const oldest = this.#options.now() - MOST_AGE;
    for (const { mark, used } of this.#entries.values()) {
      if (this.#entries.size <= MOST_CALLS && this.#size <= MOST_SIZE && used > oldest) return;
      this.#drop(mark);
    }
  }

  #drop(mark: string): void {
    const entry = this.#entries.get(mark);
    if (entry === undefined) return;
    this.#entries.delete(mark);
    this.#size -= sizeOf(entry);
    if (entry.answer === undefined) return;
    const others = this.#ofAnswer.get(entry.answer);
    others?.delete(entry);
    if (others?.size === 0) this.#ofAnswer.delete(entry.answer);
  }
}

function sizeOf({ id, name, text, note, answer = '' }: Entry): number {
  return id.length + name.length + text.length + note.length + answer.length;
}

/** A copy of a text that is kept for long: a slice of another text would keep all of that in memory. */
export function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
