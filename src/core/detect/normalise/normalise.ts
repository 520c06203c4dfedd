import { decodeEncodings } from './decode/decode-encodings.ts';
import { decodeEscapes } from './decode/decode-escapes.ts';
import { decodeInvisible } from './decode/decode-invisible.ts';
import type { HiddenText, Hiding } from './decode/bytes-as-text.ts';
import { closeUp, joinHyphened, partJoined, respell, unrotate, untag } from './respell.ts';
import { type SentAs, sentAs, unhide } from './unhide.ts';

/** A text with its disguises removed. */
export interface Normalised extends SentAs {
  /**
   * NFKC, look-alikes folded to Latin, nothing invisible, lower case, runs of white space as one space, one line end or two (a blank line).
   */
  readonly plain: string;
  /** Texts that were encoded in it, also several times over, and other readings of the whole; each normalised like `plain`. */
  readonly hidden: readonly string[];
  /** For each of `hidden`, the way it was hidden and its position; `text` is the decoded form before normalising. */
  readonly origins: readonly HiddenText[];
  /** Converts an offset in `plain` to the UTF-16 offset in the text as sent. Never falls while the argument rises. */
  at(plainOffset: number): number;
}

const ZERO_WIDTH_BETWEEN = /(?<=[\p{Script=Latin}\p{N}])[\u{34f}\u200b-\u200f\u2060-\u2064\ufeff]+(?=[\p{Script=Latin}\p{N}])/gu;

/** Undoes the disguises of a text. Takes time linear in the text, and little for plain ASCII. */
export function normalise(text: string): Normalised {
  const sent = sentAs(text);
  const { text: plain, at } = unhide(text, sent);
  const origins = hiddenTexts(text, plain, sent);
  return { ...sent, plain, hidden: origins.map((origin) => unhide(origin.text).text), origins, at };
}

function hiddenTexts(text: string, plain: string, { mayHaveInvisible }: SentAs): HiddenText[] {
  const found: HiddenText[] = [];
  if (mayHaveInvisible) {
    for (const hidden of decodeInvisible(text)) found.push(hidden);
    const parted = text.replace(ZERO_WIDTH_BETWEEN, ' ');
    if (parted !== text) found.push({ text: parted, hiding: 'zero_width_space', position: 0 });
  }
  return found.concat(
    decodeEscapes(text),
    decodeEncodings(text),
    reading(respell(plain), 'spelling'),
    reading(closeUp(text), 'spacing'),
    reading(joinHyphened(plain), 'spelling'),
    reading(untag(plain), 'spelling'),
    reading(partJoined(text), 'joined'),
    reading(unrotate(plain), 'rot13'),
  );
}

const NONE: readonly HiddenText[] = [];

function reading(text: string | undefined, hiding: Hiding): readonly HiddenText[] {
  return text === undefined ? NONE : [{ text, hiding, position: 0 }];
}
