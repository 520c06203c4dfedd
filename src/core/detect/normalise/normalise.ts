import { decodeEncodings } from './decode/decode-encodings.ts';
import { decodeEscapes } from './decode/decode-escapes.ts';
import { decodeInvisible } from './decode/decode-invisible.ts';
import type { HiddenText, Hiding } from './decode/hidden-text.ts';
import { closeUp, joinHyphened, partJoined, respell, unrotate, untag } from './respell.ts';
import { type SentAs, sentAs, unhide } from './unhide.ts';

/** A text without what hides it. */
export interface Normalised extends SentAs {
  /** NFKC, look-alikes folded to Latin, nothing invisible, lower case, runs of white space as one space, one line end or two (a blank line). */
  readonly plain: string;
  /** Texts that were encoded in it, also several times over, or are another reading of all of it; each normalised as `plain` is. */
  readonly hidden: readonly string[];
  /** For each of `hidden` how it was hidden, and where; `text` as it was decoded, which `hidden` has normalised. */
  readonly origins: readonly HiddenText[];
  /** The UTF-16 offset in the text as sent of one in `plain`. Never falls while the argument rises. */
  at(plainOffset: number): number;
}

const ZERO_WIDTH_BETWEEN = /(?<=[\p{Script=Latin}\p{N}])[\u{34f}\u200b-\u200f\u2060-\u2064\ufeff]+(?=[\p{Script=Latin}\p{N}])/gu;

/** Undoes what hides a text from readers and rules. Takes time linear in the text, and little where it is plain ASCII. */
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
