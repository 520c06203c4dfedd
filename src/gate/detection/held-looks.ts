import { setImmediate } from 'node:timers/promises';
import type { Detection, Detector } from '../../core/detect/types.ts';
import type { OnText } from '../../core/policy/types.ts';
import { JsonScanner } from '../../protocol/json-scanner.ts';
import { readMessage } from '../../protocol/jsonrpc.ts';
import type { Message } from '../../protocol/message.ts';
import type { Census } from '../census.ts';
import { isText } from '../message-parts.ts';
import type { GateSetup } from '../ports.ts';
import type { DetectorSource } from './detector-source.ts';
import { findInTexts, Turns } from './find-in-texts.ts';
import { actedOn, type Told } from './findings.ts';
import type { MessagePart } from './message-part.ts';
import { Redaction } from './redaction.ts';
import { type SpannedText, spannedTexts, type TextBounds } from './spanned-texts.ts';

/** What is looked at of one message that waits for it. One that has more can't be decided on. */
const MOST_HELD: TextBounds = { characters: 4 * 1024 * 1024, texts: 50_000 };

/** Messages that wait at once, on all streams of a connection; nobody asks again for the oldest. */
const MOST_MESSAGES = 64;

/** How often sentences are left out, and then whole texts, before it is given up. */
const SENTENCE_ROUNDS = 3;
const ROUNDS = 5;

/** What becomes of a message that was looked at. `line`: what goes on in its place. `isBlind`: it could not be looked at. */
export type HeldOutcome =
  | { readonly kind: 'pass'; readonly told: readonly Told[] }
  | { readonly kind: 'redact'; readonly told: readonly Told[]; readonly line: string }
  | { readonly kind: 'deny'; readonly told: readonly Told[]; readonly isBlind: boolean };

interface Held {
  readonly bytes: Buffer;
  outcome: HeldOutcome | undefined;
  looking: Promise<void>;
}

interface HeldLooksParts {
  readonly source: DetectorSource;
  readonly census: Pick<Census, 'countLook'>;
  /** Of what was found in a part, what the policy is concerned with. */
  readonly toldOf: (part: MessagePart, found: readonly Detection[]) => readonly Told[];
}

/** Looks at messages that wait for it: they are known again by their bytes. */
export class HeldLooks {
  readonly #setup: GateSetup;
  readonly #parts: HeldLooksParts;
  readonly #turns: Turns;
  #held: Held[] = [];

  constructor(setup: GateSetup, parts: HeldLooksParts) {
    this.#setup = setup;
    this.#parts = parts;
    this.#turns = new Turns(setup.ports.clock);
  }

  /** Resolves when one of the messages may have been looked at; undefined where none waits. */
  get waiting(): Promise<unknown> | undefined {
    const looking = this.#held.filter(({ outcome }) => outcome === undefined).map((held) => held.looking);
    return looking.length === 0 ? undefined : Promise.race(looking);
  }

  /** Undefined while it is not known; looking begins when it is asked for first. */
  outcomeOf(message: Message, part: MessagePart, action: OnText): HeldOutcome | undefined {
    const known = this.#find(message);
    if (known !== undefined) return known.outcome;
    const bytes = Buffer.from(message.bytes.subarray(message.start, message.end));
    const held: Held = { bytes, outcome: undefined, looking: Promise.resolve() };
    held.looking = this.#look(bytes, moved(part, -message.start), action).then(
      (outcome) => {
        held.outcome = outcome;
      },
      (error: unknown) => {
        this.#setup.ports.warn(`a message could not be looked at for what should not reach a model: ${String(error)}`);
        held.outcome = this.#blind('failed');
      },
    );
    this.#held.push(held);
    if (this.#held.length > MOST_MESSAGES)
      this.#held = this.#held.filter(({ outcome }, index) => outcome === undefined || index > 0);
    return undefined;
  }

  /** Forgets a message, and says what was found in it. */
  take(message: Message): HeldOutcome | undefined {
    const held = this.#find(message);
    this.#held = this.#held.filter((other) => other !== held);
    return held?.outcome;
  }

  #find({ bytes, start, end }: Message): Held | undefined {
    return this.#held.find((held) => held.bytes.length === end - start && held.bytes.equals(bytes.subarray(start, end)));
  }

  /** What can't be looked at is as it is with all that can't be decided. */
  #blind(why: 'failed' | 'cut'): HeldOutcome {
    this.#parts.census.countLook(why);
    return this.#setup.onError === 'allow' ? { kind: 'pass', told: [] } : { kind: 'deny', told: [], isBlind: true };
  }

  async #look(bytes: Buffer, part: MessagePart, action: OnText): Promise<HeldOutcome> {
    const detector = await this.#parts.source.load();
    if (detector === undefined) return this.#blind('failed');
    await setImmediate();
    const { texts, hasBinary, isCut } = spannedTexts(bytes, part.span, { prefix: part.prefix, most: MOST_HELD });
    if (isCut) return this.#blind('cut');
    const found = await findInTexts(detector, texts, { origin: part.origin, turns: this.#turns });
    this.#parts.census.countLook(found.isCut ? 'cut' : hasBinary ? 'binary' : 'texts');
    const told = this.#parts.toldOf(part, found.detections);
    const acted = actedOn(told);
    if (acted.length === 0 || action === 'alert') return { kind: 'pass', told };
    const line = action === 'deny' ? undefined : await this.#redact(detector, { bytes, part, texts, found: acted });
    return line === undefined ? { kind: 'deny', told, isBlind: false } : { kind: 'redact', told, line };
  }

  /** The message without what was found; undefined where something is still found in what is left. */
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
      // Where characters are not what they seem, so are their places.
      redaction.cut(left, round >= SENTENCE_ROUNDS || !isText(message));
      const again = await findInTexts(detector, redaction.rest(), { origin: part.origin, turns: this.#turns });
      left = actedOn(this.#parts.toldOf(part, again.detections));
    }
    return left.length === 0 ? redaction.toLine(message) : undefined;
  }
}

function moved(part: MessagePart, by: number): MessagePart {
  return { ...part, span: { start: part.span.start + by, end: part.span.end + by } };
}
