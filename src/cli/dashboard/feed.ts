import type { ServerResponse } from 'node:http';
import { CALL_TYPES } from '../../audit/event-types.ts';
import { ClawaiError } from '../../errors.ts';
import type { Question, QuestionStore } from '../../gate/ports/approval-port.ts';
import type { FeedMessages } from '../../page/wire.ts';
import type { ActivityReader } from '../../store/reading/activity-reader.ts';
import { StoreFollower } from '../../store/reading/read-follow.ts';
import { openActivityReader } from '../../store/reading/read-open.ts';
import type { StoredEvent, StoreReader } from '../../store/reading/read.ts';
import { goneOf } from '../approvals/answer-question.ts';
import { TELLING_TYPES } from '../log/log.ts';
import { toWireEvent, toWireQuestion } from './wire-events.ts';

/** Milliseconds between two looks at the store, as `clawai log --follow` has them. */
const POLL_MS = 250;
/** Milliseconds between two signs of life, and between two looks whether those who ask are still there. */
const BEAT_MS = 15_000;
const LOOK_MS = 1000;
/** Events that a page begins with, and most that it gets at once. */
const FIRST = 100;
const MOST_AT_ONCE = 500;
/** Bytes that may wait for a page that does not read; it comes back later, and goes on where it was. */
const MOST_WAITING = 4_000_000;

export interface FeedOptions {
  readonly file: string;
  readonly questions: QuestionStore;
  /** Called with a fault of the store, which ends the stream. */
  readonly warn: (message: string) => void;
}

/**
 * A stream of what is recorded and of what waits for a person, for one page. A page that comes back with the id of the last event it got
 * gets what came since; if that is much, or another store, it begins anew.
 */
export class Feed {
  readonly #response: ServerResponse;
  readonly #options: FeedOptions;
  readonly #follower: StoreFollower;
  readonly #poll: NodeJS.Timeout;
  readonly #beat: NodeJS.Timeout;
  #activity: ActivityReader | undefined;
  /** The store that it reads; another file may take its place. */
  #identity = '';
  #waiting: readonly Question[] = [];
  #sentQuestions: string | undefined;
  #seenWaiting: string | undefined;
  #lookedAt = 0;
  #hasBegun = false;
  readonly #last: string | undefined;

  /** @param last id of the last event that the page got */
  constructor(response: ServerResponse, options: FeedOptions, last: string | undefined) {
    this.#response = response;
    this.#options = options;
    this.#last = last;
    this.#follower = new StoreFollower(options.file);
    this.#poll = setInterval(() => this.#attempt(() => this.#look()), POLL_MS);
    this.#beat = setInterval(() => response.write(':\n\n'), BEAT_MS);
    response.on('close', () => this.close());
    this.#attempt(() => this.#look());
  }

  close(): void {
    clearInterval(this.#poll);
    clearInterval(this.#beat);
    this.#follower.close();
    this.#activity?.close();
    this.#activity = undefined;
    this.#response.end();
  }

  #begin(): void {
    const begun = this.#follower.begin();
    const seq = this.#last === undefined ? undefined : this.#follower.seqOf(this.#last);
    const missed = begun === undefined || seq === undefined ? undefined : takeAtMost(begun.reader, seq, begun.last);
    if (missed !== undefined) return this.#send('more', { events: missed.map(toWireEvent), isCut: false });
    const newest = begun === undefined ? [] : [...begun.reader.newest({ types: TELLING_TYPES, upTo: begun.last }, FIRST)];
    this.#send('start', newest.map(toWireEvent));
  }

  #look(): void {
    if (!this.#hasBegun) this.#begin();
    this.#hasBegun = true;
    const { last } = this.#follower;
    let first: number | undefined;
    let events: StoredEvent[] = [];
    let count = 0;
    for (const event of this.#follower.added({ types: TELLING_TYPES })) {
      first ??= event.seq;
      events.push(event);
      count += 1;
      if (events.length >= 2 * MOST_AT_ONCE) events = events.slice(-MOST_AT_ONCE);
    }
    events = events.slice(-MOST_AT_ONCE);
    // Numbers begin again in a store that has taken the place of another; the page takes none that it had already.
    if (first !== undefined && first <= last) this.#send('start', events.map(toWireEvent));
    else if (count > 0) this.#send('more', { events: events.map(toWireEvent), isCut: events.length < count });
    this.#lookAtQuestions();
    // It would wait for ever for a page that does not read.
    if (this.#response.writableLength > MOST_WAITING) this.#response.destroy();
  }

  /** Reads the questions if others wait than before: that takes the store's lock, and a look whether they do takes none. */
  #lookAtQuestions(): void {
    const now = Date.now();
    const [identity = ''] = this.#follower.place.split('.');
    if (identity !== this.#identity) {
      this.#activity?.close();
      this.#activity = openActivityReader(this.#options.file, CALL_TYPES);
      this.#identity = identity;
    }
    const waiting = this.#activity?.waiting(now) ?? '';
    if (waiting !== this.#seenWaiting) {
      const found = waiting === '' ? [] : this.#options.questions.waiting(now);
      // Others hold the store just now; the next look is soon.
      if (found === undefined) return;
      this.#waiting = found;
      this.#seenWaiting = waiting;
    }
    if (this.#waiting.length > 0 && now - this.#lookedAt >= LOOK_MS) {
      this.#lookedAt = now;
      const gone = goneOf(this.#waiting);
      if (gone.length > 0) this.#options.questions.end(gone, 'withdrawn', now);
    }
    const ids = this.#waiting.map(({ id }) => id).join(' ');
    if (ids === this.#sentQuestions) return;
    this.#sentQuestions = ids;
    this.#send('questions', { questions: this.#waiting.map(toWireQuestion), now });
  }

  #send<Name extends keyof FeedMessages>(name: Name, message: FeedMessages[Name]): void {
    this.#response.write(`event: ${name}\nid: ${this.#follower.place}\ndata: ${JSON.stringify(message)}\n\n`);
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      // The next look may find it free again.
      if (thrown instanceof ClawaiError && thrown.code === 'store_busy') return;
      this.#options.warn(thrown instanceof Error ? thrown.message : String(thrown));
      this.close();
    }
  }
}

/** The events after a `seq`; undefined if they are too many to be sent at once. */
function takeAtMost(reader: StoreReader, after: number, upTo: number): readonly StoredEvent[] | undefined {
  const events: StoredEvent[] = [];
  for (const event of reader.events({ types: TELLING_TYPES, after, upTo })) {
    events.push(event);
    if (events.length > MOST_AT_ONCE) return undefined;
  }
  return events;
}
