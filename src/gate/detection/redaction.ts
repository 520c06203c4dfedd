import type { Detection, DetectionMatch } from '../../core/detect/types.ts';
import type { Message, Span } from '../../protocol/message.ts';
import type { SpannedText } from './spanned-texts.ts';
import { BACKSLASH } from '../../protocol/json-bytes.ts';

const LOWER_U = 0x75;
/** Bytes of a numeric escape, such as `\u00e9`. */
const UNICODE_ESCAPE = 6;

/** A removed part of a text, in UTF-16 units, and the rule that found it. */
interface Cut {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
}

/** Stands for a cut while the rest is scanned again; no rule matches it. */
const GAP = '\n\u2026\n';

/** Ends of sentences: line ends, and the places behind full stops. */
const SENTENCE_END = /[\n\r\u2028\u2029]|[.!?](?=\s)|[\u3002\uff01\uff1f]/g;

/** Most characters in which a sentence's end is looked for. */
const LONGEST_SENTENCE = 2000;

/** The texts of one message, without some of their parts. */
export class Redaction {
  readonly #texts: readonly SpannedText[];
  readonly #cuts = new Map<SpannedText, readonly Cut[]>();

  constructor(texts: readonly SpannedText[]) {
    this.#texts = texts;
  }

  /** The texts without the cuts, under the same fields. */
  rest(): readonly SpannedText[] {
    return this.#texts.map((text) => ({ ...text, text: restOf(text.text, this.#cuts.get(text) ?? []) }));
  }

  /**
   * Removes what was found in `rest()`: the sentences that contain it or, if these are unknown, the whole texts.
   *
   * @param isWhole removes the whole texts in any case
   */
  cut(detections: readonly Detection[], isWhole: boolean): void {
    // All positions refer to the texts before this cut, so all are found before any is cut.
    const cuts = detections.flatMap((detection) => this.#cutsFor(detection, isWhole));
    for (const [text, cut] of cuts) this.#cuts.set(text, merged([...(this.#cuts.get(text) ?? []), cut]));
  }

  /** The message as a line, its other bytes as they were sent. */
  toLine({ bytes, start, end }: Message): string {
    const edits = [...this.#cuts].flatMap(([text, cuts]) => editsOf(bytes, text, cuts));
    let line = '';
    let at = start;
    for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
      // One text may have two readings, and be removed for both.
      if (edit.start < at) continue;
      line += bytes.toString('utf8', at, edit.start) + edit.text;
      at = edit.end;
    }
    return `${line}${bytes.toString('utf8', at, end)}\n`;
  }

  #cutsFor({ rule, field, matches }: Detection, isWhole: boolean): readonly (readonly [SpannedText, Cut])[] {
    const named = this.#texts.filter((text) => text.field === field);
    // The finding spans several texts, or its place is unknown.
    const texts = named.length === 0 ? this.#texts : named;
    const whole = texts.map((text) => [text, { start: 0, end: text.text.length, rule }] as const);
    if (isWhole || named.length === 0 || matches.length === 0) return whole;
    return texts.flatMap((text) => {
      const known = this.#cuts.get(text) ?? [];
      const cuts = text.isEncoded ? [undefined] : matches.map((match) => sentenceOf(text.text, known, match));
      const isSure = cuts.every((cut) => cut !== undefined);
      return isSure ? cuts.map((cut) => [text, { ...cut, rule }] as const) : whole.filter(([other]) => other === text);
    });
  }
}

/** The sentences around a match, in the whole text; undefined if their ends are unknown. */
function sentenceOf(
  whole: string,
  cuts: readonly Cut[],
  { text, position, decoded }: DetectionMatch,
): { readonly start: number; readonly end: number } | undefined {
  const from = toWhole(position, cuts);
  if (decoded !== undefined || text === '' || from === undefined || !whole.startsWith(text, from)) return undefined;
  const to = from + text.length;
  const before = whole.slice(Math.max(0, from - LONGEST_SENTENCE), from);
  const behind = whole.slice(to, to + LONGEST_SENTENCE);
  const starts = [...before.matchAll(SENTENCE_END)].map((match) => match.index + 1);
  const [first] = behind.matchAll(SENTENCE_END);
  const isOpen =
    (starts.length === 0 && from > LONGEST_SENTENCE) || (first === undefined && to + LONGEST_SENTENCE < whole.length);
  if (isOpen) return undefined;
  return {
    start: from - before.length + (starts.at(-1) ?? 0),
    end: first === undefined ? whole.length : to + first.index + (first[0].trim() === '' ? 0 : 1),
  };
}

/** A position in the rest as one in the whole text; undefined within a gap. */
function toWhole(position: number, cuts: readonly Cut[]): number | undefined {
  let at = 0;
  let left = position;
  for (const { start, end } of cuts) {
    if (left < start - at) return at + left;
    left -= start - at;
    at = end;
    if (left < GAP.length) return undefined;
    left -= GAP.length;
  }
  return at + left;
}

function restOf(text: string, cuts: readonly Cut[]): string {
  let rest = '';
  let at = 0;
  for (const { start, end } of cuts) {
    rest += text.slice(at, start) + GAP;
    at = end;
  }
  return rest + text.slice(at);
}

function merged(cuts: readonly Cut[]): readonly Cut[] {
  const all: Cut[] = [];
  for (const cut of cuts.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = all.at(-1);
    if (last === undefined || cut.start >= last.end) all.push(cut);
    else if (cut.end > last.end) all[all.length - 1] = { ...last, end: cut.end };
  }
  return all;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function editsOf(bytes: Buffer, text: SpannedText, cuts: readonly Cut[]): readonly Edit[] {
  const [first] = cuts;
  const isWhole = first !== undefined && first.start === 0 && first.end >= text.text.length;
  if (isWhole || text.isEncoded) {
    const mark = markOf(first?.rule ?? '');
    return [{ ...text.span, text: JSON.stringify(text.isEncoded ? Buffer.from(mark).toString('base64') : mark) }];
  }
  const offsets = unitOffsets(
    bytes,
    text.span,
    cuts.flatMap(({ start, end }) => [start, end]),
  );
  return cuts.map(({ rule }, index) => ({
    start: offsets[2 * index] as number,
    end: offsets[2 * index + 1] as number,
    text: JSON.stringify(markOf(rule)).slice(1, -1),
  }));
}

function markOf(rule: string): string {
  return `[clawai removed: ${rule}]`;
}

/**
 * Finds the byte offsets of UTF-16 units of a JSON string. A unit inside a character of two units gets the character's offset.
 *
 * @param span of the string, quotes included; a valid one
 * @param units ascending, the text's length at most
 * @returns offsets in `bytes`, one for each
 */
export function unitOffsets(bytes: Buffer, { start, end }: Span, units: readonly number[]): readonly number[] {
  const offsets: number[] = [];
  let pos = start + 1;
  let unit = 0;
  for (const wanted of units) {
    while (unit < wanted && pos < end - 1) {
      const { length, width } = characterAt(bytes, pos);
      if (unit + width > wanted) break;
      pos += length;
      unit += width;
    }
    offsets.push(pos);
  }
  return offsets;
}

/** Bytes of a character, or an escape, and the UTF-16 units that it stands for. */
function characterAt(bytes: Buffer, pos: number): { readonly length: number; readonly width: number } {
  const byte = bytes[pos] as number;
  if (byte === BACKSLASH) return { length: bytes[pos + 1] === LOWER_U ? UNICODE_ESCAPE : 2, width: 1 };
  if (byte < 0x80) return { length: 1, width: 1 };
  if (byte < 0xe0) return { length: 2, width: 1 };
  return byte < 0xf0 ? { length: 3, width: 1 } : { length: 4, width: 2 };
}
