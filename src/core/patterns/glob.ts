import { type Automaton, createAutomaton, type GlobRun, type GlobToken, openAutomaton, tokenizeGlob } from './glob-automaton.ts';

/** A compiled glob. */
export interface Glob {
  readonly pattern: string;
  /** The text that every matching value starts with (the prefix option included). */
  readonly literalPrefix: string;
  /** The text that every matching value ends with. */
  readonly literalSuffix: string;
  /** True when the pattern has no wildcard, so that only `literalPrefix` itself matches. */
  readonly isLiteral: boolean;
  /** The longest text of the pattern, which every matching value has in it. */
  readonly longestText: string;
  matches(value: string): boolean;
  /** Begins to match a value that comes in pieces; says of the whole what `matches` would. */
  open(): GlobRun;
}

export interface GlobOptions {
  /** Literal text in front of the pattern, whatever characters it has (a working directory named `a*b`). */
  readonly prefix?: string;
}

/** Says what is wrong with a pattern as a glob, or undefined. */
export function findGlobFault(pattern: string): string | undefined {
  if (pattern === '') return 'an empty glob matches nothing';
  if (pattern.includes('\0')) return 'a glob cannot contain a NUL character';
  return undefined;
}

/**
 * Compiles a glob: `*` is any run of characters except `/`, `**` any run at all (also empty, also line ends, anywhere in the
 * pattern), `?` one code point except `/`; everything else is itself, dots and brackets too, and the case counts. Matching is
 * linear in the value whatever the pattern: values come from whoever the policy is meant to stop.
 *
 * @throws RangeError when `findGlobFault` finds one; parsing a policy reports those as values.
 */
export function compileGlob(pattern: string, { prefix = '' }: GlobOptions = {}): Glob {
  const fault = prefix === '' ? findGlobFault(pattern) : undefined;
  if (fault !== undefined) throw new RangeError(fault);
  return new LazyGlob(pattern, prefix);
}

type Parts = Omit<Glob, 'pattern' | 'open'> & { readonly all: readonly GlobToken[] };

/** Read on first use: a policy has hundreds, and a process that decides one call asks a few of them. */
class LazyGlob implements Glob {
  readonly pattern: string;
  readonly #prefix: string;
  #parts: Parts | undefined;

  constructor(pattern: string, prefix: string) {
    this.pattern = pattern;
    this.#prefix = prefix;
  }

  get #read(): Parts {
    return (this.#parts ??= readParts(this.pattern, this.#prefix));
  }

  get literalPrefix(): string {
    return this.#read.literalPrefix;
  }

  get literalSuffix(): string {
    return this.#read.literalSuffix;
  }

  get isLiteral(): boolean {
    return this.#read.isLiteral;
  }

  get longestText(): string {
    return this.#read.longestText;
  }

  readonly matches = (value: string): boolean => this.#read.matches(value);

  readonly open = (): GlobRun => openRun(this.#read.all);
}

function readParts(pattern: string, prefix: string): Parts {
  const tokens = tokenizeGlob(pattern);
  const all = prefix === '' ? tokens : [{ kind: 'text', text: prefix } as const, ...tokens];
  const longestText = longestTextOf(all);
  const first = tokens[0];
  const head = first?.kind === 'text' ? prefix + first.text : prefix;
  const middle = first?.kind === 'text' ? tokens.slice(1) : tokens.slice();
  if (middle.length === 0)
    return { all, literalPrefix: head, literalSuffix: head, isLiteral: true, longestText, matches: (value) => value === head };
  const last = middle.at(-1);
  const tail = last?.kind === 'text' ? last.text : '';
  if (last?.kind === 'text') middle.pop();
  return {
    all,
    literalPrefix: head,
    literalSuffix: tail,
    isLiteral: false,
    longestText,
    matches: createMatch(head, middle, tail),
  };
}

function longestTextOf(tokens: readonly GlobToken[]): string {
  let longest = '';
  for (const token of tokens) if (token.kind === 'text' && token.text.length > longest.length) longest = token.text;
  return longest;
}

/** Most patterns look for one text, anywhere or at the end: engines find that many times as fast. */
function openRun(tokens: readonly GlobToken[]): GlobRun {
  const [first, second, third] = tokens;
  if (first?.kind === 'globstar' && second?.kind === 'text') {
    if (tokens.length === 2) return openEnding(second.text);
    if (tokens.length === 3 && third?.kind === 'globstar') return openIncludes(second.text);
  }
  return openAutomaton(tokens);
}

/**
 * The cheap ways first: most patterns are a prefix, a suffix or one text in the middle. `middle` starts and ends with a wildcard.
 */
function createMatch(head: string, middle: readonly GlobToken[], tail: string): (value: string) => boolean {
  const fixed = head.length + tail.length;
  const frames = (value: string): boolean => value.length >= fixed && value.startsWith(head) && value.endsWith(tail);
  const [first, second] = middle;
  if (middle.length === 1 && first?.kind === 'globstar') return frames;
  if (middle.length === 1 && first?.kind === 'star') {
    return (value) => {
      if (!frames(value)) return false;
      const slash = value.indexOf('/', head.length);
      return slash === -1 || slash >= value.length - tail.length;
    };
  }
  if (middle.length === 3 && first?.kind === 'globstar' && second?.kind === 'text' && middle[2]?.kind === 'globstar') {
    const { text } = second;
    return (value) => {
      if (!frames(value)) return false;
      const at = value.indexOf(text, head.length);
      return at !== -1 && at + text.length <= value.length - tail.length;
    };
  }
  let automaton: Automaton | undefined;
  // Engines find a text many times as fast, and most values lack it.
  const needle = longestTextOf(middle);
  return (value) => {
    if (!frames(value) || !value.includes(needle)) return false;
    automaton ??= createAutomaton(middle);
    return automaton(value, head.length, value.length - tail.length);
  };
}

/** `**text**`: looks for the text anywhere in the pieces, across their borders too. */
export function openIncludes(text: string): GlobRun {
  const most = text.length - 1;
  let before = '';
  let isFound = false;
  return {
    feed(piece) {
      isFound ||= piece.includes(text) || (before !== '' && (before + piece.slice(0, most)).includes(text));
      before = endOf(before, piece, most);
      return isFound ? true : undefined;
    },
    end: () => isFound,
  };
}

/** `**text`: looks for the text at the end of the pieces. */
export function openEnding(text: string): GlobRun {
  let ending = '';
  return {
    feed(piece) {
      ending = endOf(ending, piece, text.length);
      return undefined;
    },
    end: () => ending === text,
  };
}

/** The last characters of what came before and the piece, at most so many. */
export function endOf(before: string, piece: string, most: number): string {
  if (most === 0) return '';
  return piece.length >= most ? piece.slice(-most) : (before + piece).slice(-most);
}
