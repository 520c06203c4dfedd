import { decodeDigits } from '../detect/normalise/decode/decode-digits.ts';
import { INVISIBLE, mayHaveInvisible } from '../detect/normalise/invisible-characters.ts';
import { Runs } from '../detect/normalise/runs.ts';
import { withoutBinary } from '../flow/values/base64-runs.ts';
import { DECODINGS, type Decoding } from '../flow/values/decodings.ts';
import { plainText } from '../flow/values/letters.ts';
import { compressed, UNREAD } from './compressed-texts.ts';
import { base32Texts, codeTexts, dumpTexts } from './number-texts.ts';
import { partsAround } from './parts-around.ts';
import { closedUp, piecesOf, withoutBlanks } from './pieces.ts';
import { type Screened, screen } from './screen.ts';
import { type TurnedText, turnedTexts } from './turned-texts.ts';

/** A reading of a text that was disguised. */
export interface Reading {
  readonly text: string;
  /** From the outside in: `url, base64`. */
  readonly hiding: string;
  /**
   * The secrets that count in it: `all`; or those that chance hardly makes (`loose`), as in a text that is read backwards, and of these none but
   * what `findSure` finds (`sure`).
   */
  readonly of: 'all' | 'loose' | 'sure';
}

/** Most nested encodings, and most characters of all readings together, as a multiple of the text's, but at least this many. */
const MOST_NESTED = 3;
const MOST_TIMES = 6;
const LEAST_ROOM = 16 * 1024;
/** The shortest text that has a secret, and the shortest that has one by the user's own patterns. */
const SHORTEST = 12;
const SHORTEST_OWN = 6;

function shortestOf(hasPatterns: boolean): number {
  return hasPatterns ? SHORTEST_OWN : SHORTEST;
}

/** Quotes between the pieces of a text that a program puts together: `"gh" + "p_…"`. */
const JOINTS = /["'`]\s{0,8}[+.&,\\]?\s{0,8}["'`]/g;

/**
 * All readings of a text in which a secret may show, one after another, since together they may be many times as long. Takes linear time, and
 * little if the text has nothing that needs decoding.
 *
 * @param hasPatterns the user has patterns, which may match anything
 */
export function* readingsOf(text: string, hasPatterns: boolean): Generator<Reading, void> {
  const shortest = shortestOf(hasPatterns);
  if (text.length < shortest) return;
  const has = screen(text);
  if (!has.isAscii) {
    const seen = unhidden(text);
    if (seen.length >= shortest) {
      yield { text: seen, hiding: 'invisible', of: 'all' };
      yield* readingsOfPlain(seen, screen(seen), hasPatterns);
    }
  }
  yield* readingsOfPlain(text, has, hasPatterns);
}

function* readingsOfPlain(text: string, has: Screened, hasPatterns: boolean): Generator<Reading, void> {
  if (has.hasRun || has.hasDigits || has.hasEscapes || has.tokens !== '') yield* decoded(text, has, hasPatterns);
  const turned = turnedTexts(text, has, hasPatterns);
  yield* turned;
  // An encoding may have been turned or cut, too.
  for (const { text: outer, hiding } of turned.filter(({ of }) => of === 'loose')) yield* changedOnce(outer, hiding);
  for (const { text: outer, hiding } of inPieces(text, has)) {
    yield { text: outer, hiding, of: 'loose' };
    yield* changedOnce(outer, hiding);
  }
}

function* changedOnce(outer: string, hiding: string): Generator<Reading, void> {
  for (const inner of decodedOnce(outer, screen(outer)))
    yield { text: inner.text, hiding: `${hiding}, ${inner.hiding}`, of: 'loose' };
}

function* decoded(text: string, has: Screened, hasPatterns: boolean): Generator<Reading, void> {
  const read = has.hasRun ? withoutBinary(text).text : text;
  const shortest = shortestOf(hasPatterns);
  const seen = new Set<string>();
  let room = Math.max(LEAST_ROOM, MOST_TIMES * text.length);
  let isCut = false;
  let level: readonly Decoded[] = [{ text: read, hiding: '' }];
  if (has.hasRun) level = [...level, ...compressed(text)];
  for (const reading of level.slice(1)) yield { ...reading, of: 'all' };
  for (let depth = 0; depth < MOST_NESTED && level.length > 0; depth += 1) {
    const next: Decoded[] = [];
    for (const { text: outer, hiding } of level) {
      const screened = depth === 0 && hiding === '' ? has : screen(outer);
      if (hiding !== '') yield* within(hiding, turnedTexts(outer, screened, hasPatterns));
      for (const inner of decodedOnce(outer, screened)) {
        if (inner.text.length < shortest || seen.has(inner.text)) continue;
        const kept = inner.text.slice(0, Math.max(0, room));
        isCut ||= kept.length < inner.text.length;
        if (kept.length < shortest) continue;
        seen.add(kept);
        room -= kept.length;
        next.push({ text: kept, hiding: hiding === '' ? inner.hiding : `${hiding}, ${inner.hiding}` });
      }
    }
    for (const reading of next) yield { ...reading, of: 'all' };
    level = next;
  }
  for (const { text: inner, hiding } of level) yield* within(hiding, turnedTexts(inner, screen(inner), hasPatterns));
  if (isCut) yield { text: '', hiding: UNREAD, of: 'all' };
}

function* within(hiding: string, turned: readonly TurnedText[]): Generator<Reading, void> {
  for (const each of turned) yield { ...each, hiding: `${hiding}, ${each.hiding}` };
}

/** Beginnings of the escapes that the decodings of the same names undo. */
const ESCAPES: Readonly<Record<string, RegExp>> = {
  url: /%[0-9a-f]{2}/gi,
  escaped: /\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[nrt"\\/])/gi,
  codes: /&#[\dx]|\\u\{|(?:\\[0-3][0-7]{2}){2}|(?:=[0-9a-f]{2}){2}/gi,
};

/** Runs of characters that have all pairs of hex digits of twelve characters. */
const HEX = new Runs(/[\dA-Fa-fXx\\ ,;:._/|\n-]/, 24);

/** The runs of a text, with a character of no run between them. */
function runsIn(text: string, runs: Runs): string {
  const found: string[] = [];
  for (let start = runs.next(text, 0), end = 0; start !== -1; start = runs.next(text, end)) {
    end = runs.end(text, start);
    const run = text.slice(start, end);
    if (/\d/.test(run)) found.push(run);
  }
  return found.join('!');
}

/** A text that shows when another is decoded, and how. */
type Decoded = Pick<Reading, 'text' | 'hiding'>;

function* decodedOnce(text: string, { hasRun, hasDigits, hasEscapes, tokens }: Screened): Generator<Decoded, void> {
  for (const { name, decode } of DECODINGS) {
    const escapes = ESCAPES[name];
    if (escapes !== undefined && hasEscapes) yield* decodedBy(name, decode, partsAround(text, escapes));
    if (name === 'hex' && hasDigits) yield* decodedBy(name, decode, runsIn(text, HEX));
    if (name === 'base64' && hasRun) yield* decodedBy(name, decode, text);
  }
  if (hasDigits) {
    yield* codeTexts(text);
    yield* dumpTexts(text);
  }
  if (hasRun || hasDigits) for (const { text: inside, hiding } of decodeDigits(text)) yield { text: inside, hiding };
  yield* base32Texts(tokens);
}

function* decodedBy(hiding: string, decode: Decoding['decode'], outer: string): Generator<Decoded, void> {
  const inside = outer === '' ? undefined : decode(outer);
  // UTF-16 has zeros between its letters.
  if (inside !== undefined && inside !== outer)
    yield { text: inside.includes('\0') ? inside.replaceAll('\0', '') : inside, hiding };
}

/**
 * Characters that are not seen, or that become ones of ASCII by compatibility (NFKC, Unicode Standard Annex 15), in coarse ranges. Not those
 * behind another letter that stays: an emoji has a selector. Dots and composed letters tell nothing.
 */
const HIDDEN = new RegExp(
  [
    '[\\0-\\x08\\x0e-\\x1f\\x7f-\\xa0\\xa8\\xaa\\xad\\xaf\\xb2-\\xb4\\xb8-\\xba\\xbc-\\xbe\\u0132-\\u0149\\u017f\\u01c4-\\u01cc\\u01f1-\\u01f3',
    '\\u02b0-\\u02e3\\u034f\\u037a\\u037e\\u0384\\u0385\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u1d00-\\u1dbf\\u1e9a\\u1fbd-\\u1fff\\u2000-\\u200c',
    '\\u200e\\u200f\\u2017\\u202a-\\u202f\\u203c\\u203e\\u2047-\\u2049\\u205f-\\u209c\\u20a8\\u2100-\\u218b\\u2460-\\u24ea\\u2800\\u2a74-\\u2a76\\u2c7c\\u2c7d\\u3000',
    '\\u309b\\u309c\\u3164\\u3200-\\u33ff\\ua7f1-\\ua7f4\\ufb00-\\ufb06\\ufb29\\ufc5e-\\ufc63\\ufdfa\\ufdfb\\ufe10-\\ufe7f\\uff01-\\uff5e\\uffa0\\uffe3\\ufff0-\\ufffb',
    '\\ud801\\ud82f\\ud833-\\ud835\\udb40-\\udb43]|\\ud83c[\\udd00-\\uddff]|\\ud83e[\\udff0-\\udfff]|(?<![^\\0-\\x7f]|^)[\\u200d\\ufe00-\\ufe0f\\ufeff]',
  ].join(''),
);

/** Runs of all other than what every text has. */
const ODD = /[^\t-\r\x20-\x7e]+/g;

/** The parts of a text that look otherwise than they are, as they look. */
function unhidden(text: string): string {
  const plain = plainText(partsAround(text, ODD, { counts: HIDDEN }));
  return mayHaveInvisible(plain) ? plain.replaceAll(INVISIBLE, '') : plain;
}

/** The pieces of a text, put together. */
function* inPieces(text: string, { hasPieces, hasQuotes }: Screened): Generator<Decoded, void> {
  if (hasPieces) {
    yield { text: withoutBlanks(text), hiding: 'spaced' };
    yield { text: piecesOf(text), hiding: 'spaced' };
  }
  const withoutSigns = closedUp(text);
  if (withoutSigns !== text) yield { text: withoutSigns, hiding: 'spaced' };
  if (hasQuotes) {
    const parts = partsAround(text, JOINTS, { reach: JOINT_REACH });
    if (parts !== '') yield { text: parts.replaceAll(JOINTS, ''), hiding: 'joined' };
  }
}

/** Characters on each side of a joint: a piece that is longer shows as it is. */
const JOINT_REACH = 80;
