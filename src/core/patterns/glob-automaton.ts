/** One token: a run of literal text, `?`, `*` or `**`. */
export type GlobToken = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'one' | 'star' | 'globstar' };

/** Tells whether the value matches from code unit `start` up to, but not including, `end`. */
export type Automaton = (value: string, start: number, end: number) => boolean;

/** A match of a value that comes in pieces, none of which ends within a surrogate pair. */
export interface GlobRun {
  /** Takes the next piece. @returns the answer if no further piece can change it; undefined while one can */
  feed(piece: string): boolean | undefined;
  /** The answer for what was fed. */
  end(): boolean;
}

const SLASH = 47;
const WORD = 32;

/**
 * The states of a glob as bits. State `i` means that `i` consuming tokens (a character or `?`) are behind us;
 * a star is a loop on the state it stands at, so no state is ever entered twice for one character.
 */
interface States {
  readonly last: number;
  /** Code point to the states it leads into; `others` for every code point that the pattern does not name. */
  readonly into: ReadonlyMap<number, Uint32Array>;
  readonly others: Uint32Array;
  readonly stay: Uint32Array;
  readonly stayAtSlash: Uint32Array;
}

/**
 * Builds a bit-parallel matcher (Shift-And with loops; Baeza-Yates and Gonnet 1992, extended as by Navarro and Raffinot,
 * "Flexible Pattern Matching in Strings", chapter 4). It takes one step per code point and one word per 32 states, and never
 * backtracks.
 */
export function createAutomaton(tokens: readonly GlobToken[]): Automaton {
  const states = buildStates(tokens);
  if (states.last < WORD) {
    const advance = createOneWord(states);
    const accept = 1 << states.last;
    return (value, start, end) => (advance(1, value, start, end) & accept) !== 0;
  }
  const advance = createManyWords(states);
  return (value, start, end) => {
    const active = firstOf(states);
    advance(active, value, start, end);
    return isAccepted(active, states);
  };
}

/** The same for a value in pieces. */
export function openAutomaton(tokens: readonly GlobToken[]): GlobRun {
  const states = buildStates(tokens);
  const absorbs = isAccepted(states.stayAtSlash, states);
  const active = firstOf(states);
  const advanceWord = states.last < WORD ? createOneWord(states) : undefined;
  const advanceWords = advanceWord === undefined ? createManyWords(states) : undefined;
  return {
    feed(piece) {
      if (advanceWord !== undefined) active[0] = advanceWord(active[0] ?? 0, piece, 0, piece.length);
      advanceWords?.(active, piece, 0, piece.length);
      if (absorbs && isAccepted(active, states)) return true;
      return active.some((word) => word !== 0) ? undefined : false;
    },
    end: () => isAccepted(active, states),
  };
}

function firstOf({ others }: States): Uint32Array {
  const active = new Uint32Array(others.length);
  active[0] = 1;
  return active;
}

function isAccepted(active: Uint32Array, { last }: States): boolean {
  return ((active[Math.floor(last / WORD)] ?? 0) & (1 << (last % WORD))) !== 0;
}

function buildStates(tokens: readonly GlobToken[]): States {
  const consuming: (number | undefined)[] = [];
  const loops: { at: number; slash: boolean }[] = [];
  for (const token of tokens) {
    if (token.kind === 'text') for (const char of token.text) consuming.push(char.codePointAt(0));
    else if (token.kind === 'one') consuming.push(undefined);
    else loops.push({ at: consuming.length, slash: token.kind === 'globstar' });
  }
  const words = Math.floor(consuming.length / WORD) + 1;
  const stay = new Uint32Array(words);
  const stayAtSlash = new Uint32Array(words);
  for (const { at, slash } of loops) {
    setBit(stay, at);
    if (slash) setBit(stayAtSlash, at);
  }
  const others = new Uint32Array(words);
  for (const [index, code] of consuming.entries()) if (code === undefined) setBit(others, index + 1);
  const into = new Map<number, Uint32Array>([[SLASH, new Uint32Array(words)]]);
  for (const [index, code] of consuming.entries()) {
    if (code === undefined) continue;
    const mask = into.get(code) ?? others.slice();
    into.set(code, mask);
    setBit(mask, index + 1);
  }
  return { last: consuming.length, into, others, stay, stayAtSlash };
}

function setBit(words: Uint32Array, bit: number): void {
  const word = Math.floor(bit / WORD);
  words[word] = (words[word] ?? 0) | (1 << (bit % WORD));
}

/** Takes the active states and returns what they become; none is 0. */
function createOneWord(states: States): (active: number, value: string, start: number, end: number) => number {
  const others = states.others[0] ?? 0;
  const stay = states.stay[0] ?? 0;
  const stayAtSlash = states.stayAtSlash[0] ?? 0;
  const accept = 1 << states.last;
  // A `**` at the end takes whatever is left, so arriving there is enough.
  const absorb = accept & stayAtSlash;
  const ascii = new Int32Array(128).fill(others);
  const rest = new Map<number, number>();
  for (const [code, mask] of states.into) {
    if (code < 128) ascii[code] = mask[0] ?? 0;
    else rest.set(code, mask[0] ?? 0);
  }
  return (before, value, start, end) => {
    let active = before;
    for (let at = start; at < end; at += 1) {
      if ((active & absorb) !== 0) return active;
      const code = value.charCodeAt(at);
      if (code < 128) {
        active = ((active << 1) & (ascii[code] ?? 0)) | (active & (code === SLASH ? stayAtSlash : stay));
      } else {
        const point = codePointWithin(value, at, end);
        if (point > 0xffff) at += 1;
        active = ((active << 1) & (rest.get(point) ?? others)) | (active & stay);
      }
      if (active === 0) return 0;
    }
    return active;
  };
}

/** Changes the active states in place. */
function createManyWords(states: States): (active: Uint32Array, value: string, start: number, end: number) => void {
  const words = states.others.length;
  const acceptWord = Math.floor(states.last / WORD);
  const accept = 1 << (states.last % WORD);
  const absorb = accept & (states.stayAtSlash[acceptWord] ?? 0);
  return (active, value, start, end) => {
    for (let at = start; at < end; at += 1) {
      if (((active[acceptWord] ?? 0) & absorb) !== 0) return;
      const point = codePointWithin(value, at, end);
      if (point > 0xffff) at += 1;
      const into = states.into.get(point) ?? states.others;
      const stay = point === SLASH ? states.stayAtSlash : states.stay;
      let carry = 0;
      let any = 0;
      for (let word = 0; word < words; word += 1) {
        const now = active[word] ?? 0;
        const next = (((now << 1) | carry) & (into[word] ?? 0)) | (now & (stay[word] ?? 0));
        carry = now >>> 31;
        active[word] = next;
        any |= next;
      }
      if (any === 0) return;
    }
  };
}

function codePointWithin(value: string, at: number, end: number): number {
  const point = value.codePointAt(at) ?? 0;
  return point > 0xffff && at + 1 >= end ? value.charCodeAt(at) : point;
}

/** Splits a pattern into tokens; a run of two or more stars is one `**`. */
export function tokenizeGlob(pattern: string): GlobToken[] {
  if (!/[*?]/.test(pattern)) return pattern === '' ? [] : [{ kind: 'text', text: pattern }];
  const tokens: GlobToken[] = [];
  for (const [part] of pattern.matchAll(/\*+|\?|[^*?]+/gu)) {
    if (part === '?') tokens.push({ kind: 'one' });
    else if (part.startsWith('*')) tokens.push({ kind: part.length === 1 ? 'star' : 'globstar' });
    else tokens.push({ kind: 'text', text: part });
  }
  return tokens;
}
