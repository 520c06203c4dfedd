import { TERMINAL_ESCAPE } from '../invisible-characters.ts';
import { bytesAsText, type HiddenText, type Hiding } from './bytes-as-text.ts';

/** Flags of parts of countries (UTS 51, emoji tag sequences): England, Scotland, Wales, US states. */
export const TAGGED_FLAG = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/gu;
const TAG = /[\u{e0020}-\u{e007e}]/gu;

/**
 * Matches honest single variation selectors: after keycaps, symbols and emoji (VS15 and 16), ideographs (IVS, FE00 to FE02); Mongolian has
 * its own.
 */
export const HONEST_SELECTOR =
  /[#*0-9©®\u2000-\u33ff\ua000-\ud7ff\uf900-\ufaff\p{Emoji}\p{So}\p{Sm}\p{Script=Han}\p{Script=Phags_Pa}\p{Script=Myanmar}][\ufe00-\ufe0f\u{e0100}-\u{e01ef}](?![\ufe00-\ufe0f\u{e0100}-\u{e01ef}])/gu;
export const SELECTOR = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

const ZERO_WIDTH = /[\u{34f}\u200b-\u200f\u2060-\u2064\ufeff\u00ad\u180e]/gu;
/** Fewest zero-width characters that could be a text, at a bit each. */
const FEWEST_BITS = 16;

/** Decodes texts that are written in invisible characters. */
export function decodeInvisible(text: string): HiddenText[] {
  return [
    ...decodeTags(text),
    ...decodeSelectors(text),
    ...decodeZeroWidth(text),
    ...decodeStrings(text),
    ...decodeOverrides(text),
  ];
}

/** Decodes tag characters (U+E0020 to U+E007E) together, without those of flags: something may stand between them. */
function decodeTags(text: string): HiddenText[] {
  const tags = charactersIn(text, TAG, TAGGED_FLAG);
  return hiddenText(tags, 'unicode_tags', tags.points.map((point) => String.fromCharCode(point - 0xe0000)).join(''));
}

/** Decodes variation selectors that vary nothing: one for a byte, or one for half a byte. */
function decodeSelectors(text: string): HiddenText[] {
  const selectors = charactersIn(text, SELECTOR, HONEST_SELECTOR);
  const bytes = selectors.points.map((point) => (point < 0xe0000 ? point - 0xfe00 : point - 0xe0100 + 16));
  const isHalves = bytes.length > 3 && bytes.every((byte) => byte < 16);
  const whole = isHalves ? bytes.flatMap((byte, index) => (index % 2 === 0 ? [byte * 16 + (bytes[index + 1] ?? 0)] : [])) : bytes;
  return hiddenText(selectors, 'variation_selectors', bytesAsText(Uint8Array.from(whole)));
}

/** Decodes zero-width characters as bits: the two most common ones, either way round; others are separators. */
function decodeZeroWidth(text: string): HiddenText[] {
  const found = charactersIn(text, ZERO_WIDTH);
  if (found.points.length < FEWEST_BITS) return [];
  const counts = new Map<number, number>();
  for (const point of found.points) counts.set(point, (counts.get(point) ?? 0) + 1);
  const [one, other] = [...counts].toSorted((a, b) => b[1] - a[1]).map(([point]) => point);
  if (one === undefined || other === undefined) return [];
  const bits = found.points.filter((point) => point === one || point === other).map((point) => (point === one ? 0 : 1));
  const text1 = bytesAsText(bytesOf(bits)) ?? bytesAsText(bytesOf(bits.map((bit) => 1 - bit)));
  return hiddenText(found, 'zero_width', text1);
}

function bytesOf(bits: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(bits.length >> 3);
  for (let index = 0; index < bytes.length * 8; index += 1)
    bytes[index >> 3] = ((bytes[index >> 3] ?? 0) << 1) | (bits[index] ?? 0);
  return bytes;
}

const ESCAPED_TEXT = /^(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])([^]*?)(?:\x07|\x1b\\|\x9c)$/;

/** Extracts texts in terminals' strings (titles, links, clipboard), which are not shown. */
function decodeStrings(text: string): HiddenText[] {
  if (!/[\x1b\x90-\x9f]/.test(text)) return [];
  const strings = Array.from(text.matchAll(TERMINAL_ESCAPE), ({ 0: escape, index }) => ({
    index,
    inside: ESCAPED_TEXT.exec(escape)?.[1],
  }));
  return strings.flatMap(({ index, inside }) =>
    inside === undefined || inside.length < 4 ? [] : [{ text: inside, hiding: 'terminal_escape', position: index } as const],
  );
}

/** Matches from a right-to-left override to its end: the displayed text reads the other way round. */
const OVERRIDDEN = /\u202e([^\u202c\u202e\n]{4,4096})/g;

function decodeOverrides(text: string): HiddenText[] {
  return Array.from(text.matchAll(OVERRIDDEN), ({ 1: inside = '', index }) => ({
    text: [...inside].toReversed().join(''),
    hiding: 'bidi_override',
    position: index,
  }));
}

interface Characters {
  readonly points: readonly number[];
  /** Offset of the first. */
  readonly position: number;
}

function charactersIn(text: string, pattern: RegExp, honest?: RegExp): Characters {
  if (text.search(pattern) === -1) return { points: [], position: 0 };
  // Replaced at the same length, so that positions stay.
  const rest = honest === undefined ? text : text.replace(honest, (sequence) => ' '.repeat(sequence.length));
  const points: number[] = [];
  let position = -1;
  for (const { 0: character, index } of rest.matchAll(pattern)) {
    if (position === -1) position = index;
    points.push(character.codePointAt(0) ?? 0);
  }
  return { points, position: Math.max(position, 0) };
}

function hiddenText({ position }: Characters, hiding: Hiding, text: string | undefined): HiddenText[] {
  return text === undefined || text.length < 2 ? [] : [{ text, hiding, position }];
}
