import { setImmediate } from 'node:timers/promises';
import type { Detection, Detector } from '../../core/detect/types.ts';
import type { OnText } from '../../core/policy/parse-detection.ts';
import { JsonScanner } from '../../protocol/json-scanner.ts';
import { MOST_ELEMENTS, readMessage } from '../../protocol/jsonrpc.ts';
import type { Message } from '../../protocol/message.ts';
import type { Tally } from '../tally.ts';
import { digestOf, isText } from '../messages/message-parts.ts';
import type { GateSetup } from '../ports/ports.ts';
import type { DetectorSource } from './detector-source.ts';
import { findInTexts, Turns } from './find-in-texts.ts';
import { actedOn, type Reported } from './findings.ts';
import { isPlain, type MessagePart } from './message-part.ts';
import { Redaction } from './redaction.ts';
import { type SpannedText, spannedTexts, type TextBounds } from './spanned-texts.ts';

/** Most texts of a held message that are scanned. One with more can't be decided. */
const MOST_HELD: TextBounds = { characters: 4 * 1024 * 1024, texts: 50_000 };

/**
 * Most outcomes that are kept for messages to be asked for again, on all streams of a connection, and most UTF-16 units of their
 * replacements; the least recently asked for are dropped. A batch is kept as a whole.
 */
const MOST_KEPT = { messages: MOST_ELEMENTS + 64, characters: 64 * 1024 * 1024 } as const;

/** From this number of messages on, all are awaited together: a batch is read again as a whole on each try. */
const MANY = 8;

/** Rounds in which sentences are removed, and rounds in all, with whole texts removed in the later ones, before giving up. */
const SENTENCE_ROUNDS = 3;
const ROUNDS = 5;

/** The outcome of a scanned message. `line`: its replacement. `isBlind`: it could not be scanned. */
export type HeldOutcome =
  | { readonly kind: 'pass'; readonly reported: readonly Reported[] }
  | { readonly kind: 'redact'; readonly reported: readonly Reported[]; readonly line: string }
  | { readonly kind: 'deny'; readonly reported: readonly Reported[]; readonly isBlind: boolean };

interface HeldScansParts {
  readonly source: DetectorSource;
  readonly tally: Pick<Tally, 'countScan'>;
  /** Keeps the findings in a part that the policy cares about. */
  readonly reportOf: (part: MessagePart, found: readonly Detection[]) => readonly Reported[];
}

/** Scans messages that wait for it, and recognises them by their digests. */
export class HeldScans {
  readonly #setup: GateSetup;
  readonly #parts: HeldScansParts;
  readonly #turns: Turns;
  /** Messages that are being scanned, by digest. */
  readonly #scanning = new Map<string, Promise<void>>();
  /** Known outcomes by digest, the last one asked for at the end. */
  readonly #kept = new Map<string, HeldOutcome>();
  #characters = 0;

  constructor(setup: GateSetup, parts: HeldScansParts) {
    this.#setup = setup;
    this.#parts = parts;
    this.#turns = new Turns(setup.ports.clock);
  }

  /** Resolves when messages may have been scanned; undefined if none waits. */
  get waiting(): Promise<unknown> | undefined {
    const scanning = [...this.#scanning.values()];
    if (scanning.length === 0) return undefined;
    return scanning.length > MANY ? Promise.all(scanning) : Promise.race(scanning);
  }

  /** The outcome of a message; undefined while unknown. The first call starts scanning. */
  outcomeOf(message: Message, part: MessagePart, action: OnText): HeldOutcome | undefined {
    const key = keyOf(message, part);
    const known = this.#take(key);
    if (known !== undefined) this.#keep(key, known);
    else if (!this.#scanning.has(key)) this.#scanning.set(key, this.#begin(key, { message, part, action }));
    return known;
  }

  /** Forgets a message that is not asked for any more. */
  forget(message: Message, part: MessagePart): void {
    this.#take(keyOf(message, part));
  }

  async #begin(key: string, { message, part, action }: { message: Message; part: MessagePart; action: OnText }): Promise<void> {
    const bytes = Buffer.from(message.bytes.subarray(message.start, message.end));
    let outcome: HeldOutcome;
    try {
      outcome = await this.#scan(bytes, moved(part, -message.start), action);
    } catch (error) {
      this.#setup.ports.warn(`could not scan a message: ${String(error)}`);
      outcome = this.#blind('failed');
    }
    this.#scanning.delete(key);
    this.#keep(key, outcome);
  }

  #keep(key: string, outcome: HeldOutcome): void {
    this.#kept.set(key, outcome);
    this.#characters += lengthOf(outcome);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT.messages && this.#characters <= MOST_KEPT.characters) break;
      if (oldest !== key) this.#take(oldest);
    }
  }

  #take(key: string): HeldOutcome | undefined {
    const outcome = this.#kept.get(key);
    if (outcome === undefined) return undefined;
    this.#kept.delete(key);
    this.#characters -= lengthOf(outcome);
    return outcome;
  }

  /** The outcome of a message that can't be scanned: like anything that can't be decided. */
  #blind(why: 'failed' | 'cut'): HeldOutcome {
    this.#parts.tally.countScan(why);
    return this.#setup.onError === 'allow' ? { kind: 'pass', reported: [] } : { kind: 'deny', reported: [], isBlind: true };
  }

  async #scan(bytes: Buffer, part: MessagePart, action: OnText): Promise<HeldOutcome> {
    await setImmediate();
    const { texts, hasBinary, isCut } = spannedTexts(bytes, part.span, { ...part, most: MOST_HELD });
    if (isCut) return this.#blind('cut');
    if (isPlain(part, texts)) return { kind: 'pass', reported: [] };
    const detector = await this.#parts.source.load();
    if (detector === undefined) return this.#blind('failed');
    const found = await findInTexts(detector, texts, { origin: part.origin, turns: this.#turns });
    this.#parts.tally.countScan(found.isCut ? 'cut' : hasBinary ? 'binary' : 'texts');
    const reported = this.#parts.reportOf(part, found.detections);
    const acted = actedOn(reported);
    if (acted.length === 0 || action === 'alert') return { kind: 'pass', reported };
    const line = action === 'deny' ? undefined : await this.#redact(detector, { bytes, part, texts, found: acted });
    return line === undefined ? { kind: 'deny', reported, isBlind: false } : { kind: 'redact', reported, line };
  }

  /** The message without the findings; undefined if something is still found in the rest. */
  async #redact(
    detector: Detector,
    {
      bytes,
      part,
      texts,
      found,
    }: { bytes: Buffer; part: MessagePart; texts: readonly SpannedText[]; found: readonly Detection[] },
  ): Promise<string | undefined> {
    const message = readMessage(new JsonScanner(this.#setup.maxDepth), bytes, 0, bytes.length);
    const redaction = new Redaction(texts);
    let left = found;
    for (let round = 0; round < ROUNDS && left.length > 0; round++) {
      // In invalid UTF-8, positions are unreliable, so whole texts are removed.
      redaction.cut(left, round >= SENTENCE_ROUNDS || !isText(message));
      const again = await findInTexts(detector, redaction.rest(), { origin: part.origin, turns: this.#turns });
      left = actedOn(this.#parts.reportOf(part, again.detections));
    }
    return left.length === 0 ? redaction.toLine(message) : undefined;
  }
}

/** The key includes the part: the same bytes may answer another request, whose parts differ. */
function keyOf({ bytes, start, end }: Message, { origin, isBoth, leftOut }: MessagePart): string {
  return `${digestOf(bytes, { start, end })} ${origin} ${String(isBoth)} ${leftOut === undefined ? '' : JSON.stringify(leftOut)}`;
}

function moved(part: MessagePart, by: number): MessagePart {
  return { ...part, span: { start: part.span.start + by, end: part.span.end + by } };
}

function lengthOf(outcome: HeldOutcome): number {
  return outcome.kind === 'redact' ? outcome.line.length : 0;
}
