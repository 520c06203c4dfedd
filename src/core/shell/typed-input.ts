import { editLine, hasEnded, isFollowed, withoutKeys } from './typed-keys.ts';

/** Programs whose unfinished lines are remembered, and characters of one such line, and its pieces until all are certain. */
const MOST_PROGRAMS = 256;
const MOST_PIECES = 64;
const MOST_CHARACTERS = 65_536;

/** Programs that are not known by name: any of them. */
const ANY = '\0any';

/** The keys that end a line, and the one that gives it up. The end of a file (Ctrl-D) ends no line that has begun. */
const ENTER = /[\r\n]/;
const GIVES_UP = /\u0003/g;

/** A piece of an unfinished line. */
interface Piece {
  text: string;
  /** True until it is certain whether it was typed. */
  isAsked: boolean;
}

/** The lines that a program may read. */
export interface TypedLines {
  /** All lines that it may be, as far as they are known. */
  readonly lines: readonly string[];
  /** False if it may also be another one. */
  readonly isSure: boolean;
}

/**
 * The lines that were typed into running programs and are not finished yet. What a shell reads is the whole line, in however many pieces it
 * came.
 */
export class TypedInput {
  readonly #lines = new Map<string, readonly Piece[]>();
  #hasForgotten = false;

  /**
   * All that a program may read if this is typed: the line from its first piece on with its keys for editing, the same without these keys'
   * work, since programs differ on them, and what is typed now by itself, since the line before may have ended.
   *
   * @param program undefined if it may be any
   */
  read(program: string | undefined, typed: string): TypedLines {
    if (typed === '') return { lines: [], isSure: true };
    const own = this.#lines.get(program ?? ANY) ?? [];
    const others = program === undefined ? [...this.#lines.values()] : [this.#lines.get(ANY) ?? []];
    const all = [own, ...others].map((pieces) => pieces.map(({ text }) => text).join(''));
    const sure = own.filter(({ isAsked }) => !isAsked).map(({ text }) => text);
    const wholes = [...new Set([...all, sure.join(''), ''])].map((before) => before + typed);
    const isSure =
      [own, ...others].every((pieces) => pieces.filter(({ isAsked }) => isAsked).length < 2) &&
      (own.length > 0 || !this.#hasForgotten) &&
      wholes.every((whole) => whole.length <= MOST_CHARACTERS && isFollowed(whole));
    const lines = wholes.flatMap((whole) => [editLine(whole.slice(-MOST_CHARACTERS)), withoutKeys(whole)]);
    return { lines: [...new Set(lines)].filter((line) => line !== ''), isSure };
  }

  /**
   * Notes what is typed: only what is not finished counts from now on.
   *
   * @param isAsked true if it is not certain yet
   * @returns settles that: the piece was typed, or was not
   */
  type(program: string | undefined, typed: string, isAsked: boolean): (isTyped: boolean) => void {
    const key = program ?? ANY;
    const piece: Piece = { text: typed, isAsked };
    if (typed !== '') this.#keep(key, [...(this.#lines.get(key) ?? []), piece]);
    return (isTyped) => {
      if (!piece.isAsked) return;
      piece.isAsked = false;
      const pieces = this.#lines.get(key) ?? [];
      this.#keep(key, isTyped ? pieces : pieces.filter((each) => each !== piece));
    };
  }

  #keep(key: string, pieces: readonly Piece[]): void {
    this.#lines.delete(key);
    const isSettled = pieces.length > MOST_PIECES || pieces.every(({ isAsked }) => !isAsked);
    const kept = isSettled ? [{ text: unfinished(pieces.map(({ text }) => text).join('')), isAsked: false }] : pieces;
    if (kept.some(({ text }) => text !== '')) this.#lines.set(key, kept);
    const [oldest] = this.#lines.keys();
    if (this.#lines.size <= MOST_PROGRAMS || oldest === undefined) return;
    this.#lines.delete(oldest);
    this.#hasForgotten = true;
  }
}

/** The end of a text that a shell has not run yet: an open line, an open quote, a continued line, or an open here-document. */
function unfinished(text: string): string {
  const since = text.slice([...text.matchAll(GIVES_UP)].reduce((last, { index }) => Math.max(last, index + 1), 0));
  let start = 0;
  let quote = '';
  let ends: string[] = [];
  for (let at = 0; at < since.length; at++) {
    const key = since[at] ?? '';
    if (quote === '' && ends.length > 0 && at > 0 && ENTER.test(since[at - 1] ?? '')) {
      const line = /^[^\r\n]*/.exec(since.slice(at))?.[0] ?? '';
      const isOver = line.trim() === ends[0];
      const isWhole = at + line.length < since.length;
      if (isOver && isWhole) ends = ends.slice(1);
      at += line.length;
      if (isOver && isWhole && ends.length === 0) start = at + 1;
      continue;
    }
    if (key === '\\' && quote !== "'") at++;
    else if (key === quote) quote = '';
    else if (quote === '' && (key === '"' || key === "'" || key === '`')) quote = key;
    else if (quote === '' && ENTER.test(key) && hasEnded(since.slice(start, at))) {
      ends = hereDocuments(since.slice(start, at));
      if (ends.length === 0) start = at + 1;
    }
  }
  // One character more than counts, so that it shows that some are missing.
  return since.slice(start).slice(-MOST_CHARACTERS - 1);
}

function hereDocuments(line: string): string[] {
  return [...line.matchAll(/(?<!<)<<-?\s*(["']?)([\w.-]+)\1/g)].map(([, , word = '']) => word);
}
