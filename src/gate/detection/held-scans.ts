import type { Detection, Detector } from '../../core/detect/types.ts';
import type { OnText } from '../../core/policy/parse-detection.ts';
import { JsonScanner } from '../../protocol/json-scanner.ts';
import { MOST_ELEMENTS, readMessage } from '../../protocol/jsonrpc.ts';
import type { Message } from '../../protocol/message.ts';
import type { Tally } from '../tally.ts';
import { digestOf, isText } from '../messages/message-parts.ts';
import type { GateSetup, ScanJobQueue, TurnTaking } from '../ports/ports.ts';
import type { DetectorSource } from './detector-source.ts';
import { findInTexts } from './find-in-texts.ts';
import { actedOn, type Reported } from './findings.ts';
import { HeldOutcomes } from './held-outcomes.ts';
import { isPlain, type MessagePart } from './message-part.ts';
import { Redaction } from './redaction.ts';
import { type SpannedText, spannedTexts, type TextBounds } from './spanned-texts.ts';

/** Most texts of a held message that are scanned. One with more can't be decided. */
const MOST_HELD: TextBounds = { characters: 4 * 1024 * 1024, texts: 50_000 };

/**
 * Most outcomes that are kept for messages to be asked for again, on all streams of a connection, and most UTF-16 units of their
 * replacements. A batch is kept as a whole.
 */
const MOST_KEPT = { count: MOST_ELEMENTS + 64, units: 64 * 1024 * 1024, unitsOf: lengthOf } as const;

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
  readonly queue: ScanJobQueue;
  /** Keeps the findings in a part that the policy cares about. */
  readonly reportOf: (part: MessagePart, found: readonly Detection[]) => readonly Reported[];
}

/** Scans messages that wait for it, and recognises them by their digests. */
export class HeldScans {
  readonly #setup: GateSetup;
  readonly #parts: HeldScansParts;
  readonly #outcomes = new HeldOutcomes<HeldOutcome>(MOST_KEPT);

  constructor(setup: GateSetup, parts: HeldScansParts) {
    this.#setup = setup;
    this.#parts = parts;
  }

  /** Resolves when messages may have been scanned; undefined if none waits. */
  get waiting(): Promise<unknown> | undefined {
    return this.#outcomes.waiting;
  }

  /** The outcome of a message; undefined while unknown. The first call starts scanning. */
  outcomeOf(message: Message, part: MessagePart, action: OnText): HeldOutcome | undefined {
    return this.#outcomes.get(keyOf(message, part), () => this.#begin(message, part, action));
  }

  /** Forgets a message that is not asked for any more. */
  forget(message: Message, part: MessagePart): void {
    this.#outcomes.take(keyOf(message, part));
  }

  async #begin(message: Message, whole: MessagePart, action: OnText): Promise<HeldOutcome> {
    const bytes = Buffer.from(message.bytes.subarray(message.start, message.end));
    const part = moved(whole, -message.start);
    const { server, ports } = this.#setup;
    try {
      const scan = (turns: TurnTaking): Promise<HeldOutcome> => this.#scan(bytes, part, { action, turns });
      return await this.#parts.queue.add({ server, bytes: bytes.length, when: 'held', scan });
    } catch (error) {
      ports.warn(`could not scan a message: ${String(error)}`);
      return this.#blind('failed');
    }
  }

  /** The outcome of a message that can't be scanned: like anything that can't be decided. */
  #blind(why: 'failed' | 'cut'): HeldOutcome {
    this.#parts.tally.countScan(why);
    return this.#setup.onError === 'allow' ? { kind: 'pass', reported: [] } : { kind: 'deny', reported: [], isBlind: true };
  }

  async #scan(
    bytes: Buffer,
    part: MessagePart,
    { action, turns }: { readonly action: OnText; readonly turns: TurnTaking },
  ): Promise<HeldOutcome> {
    const { texts, hasBinary, isCut } = spannedTexts(bytes, part.span, { ...part, most: MOST_HELD });
    if (isCut) return this.#blind('cut');
    if (isPlain(part, texts)) return { kind: 'pass', reported: [] };
    const detector = await this.#parts.source.load();
    if (detector === undefined) return this.#blind('failed');
    const found = await findInTexts(detector, texts, { origin: part.origin, turns });
    this.#parts.tally.countScan(found.isCut ? 'cut' : hasBinary ? 'binary' : 'texts');
    const reported = this.#parts.reportOf(part, found.detections);
    const acted = actedOn(reported);
    if (acted.length === 0 || action === 'alert') return { kind: 'pass', reported };
    const line = action === 'deny' ? undefined : await this.#redact(detector, { bytes, part, texts, found: acted, turns });
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
      turns,
    }: { bytes: Buffer; part: MessagePart; texts: readonly SpannedText[]; found: readonly Detection[]; turns: TurnTaking },
  ): Promise<string | undefined> {
    const message = readMessage(new JsonScanner(this.#setup.maxDepth), bytes, 0, bytes.length);
    const redaction = new Redaction(texts);
    let left = found;
    for (let round = 0; round < ROUNDS && left.length > 0; round++) {
      // In invalid UTF-8, positions are unreliable, so whole texts are removed.
      redaction.cut(left, round >= SENTENCE_ROUNDS || !isText(message));
      const again = await findInTexts(detector, redaction.rest(), { origin: part.origin, turns });
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
