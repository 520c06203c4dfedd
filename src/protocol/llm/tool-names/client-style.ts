import { hash } from 'node:crypto';

const NOT_WORD = /[^A-Za-z0-9_]/gu;
const NOT_WORD_OR_HYPHEN = /[^A-Za-z0-9_-]/g;

/** What of a request says who sent it. `get` takes a header's name in lower case. */
export interface RequestHeaders {
  readonly userAgent: string | undefined;
  readonly get: (name: string) => string | undefined;
}

/** One way of joining the names of a server and of its tool. */
export interface NameForm {
  readonly prefix: string;
  readonly separator: string;
  /** Every spelling that the server's name may get; none where it is never joined like this. */
  readonly server: (server: string) => readonly string[];
  readonly tool: (tool: string) => string;
  /** Names of a server by what stands in its place, where that may say more than its name; the first is tried by itself anyway. */
  readonly serverIn?: (part: string) => readonly string[];
  /**
   * What shows that a name was made like this, although nobody knows the server: its prefix; or that there is something on both sides
   * of the separator; or nothing does, since the agent's own tools may be called so too.
   */
  readonly mark: 'prefix' | 'both_parts' | 'none';
  /** The API says the part before the separator apart from the name. */
  readonly isGrouped?: true;
}

/** How a client names MCP tools to its model. Data; names are made from it and compared, never taken apart by guessing. */
export interface ClientStyle {
  readonly id: string;
  /** Undefined where nothing in a request tells. */
  readonly isSentBy?: (headers: RequestHeaders) => boolean;
  readonly forms: readonly NameForm[];
  /** Names that are cut, or told apart by a hash. */
  readonly cut?: {
    /** May this name be one of them? A name that may, and that no known tool gets, is not taken for what it says. */
    readonly isCut: (name: string) => boolean;
    /** Those that tools of a server may get, whether or not they need one; with a group, that and `__` in front. */
    readonly names: (server: string) => (tool: string) => readonly string[];
  };
  /** It names servers by what they call themselves, if it knows that. */
  readonly usesTitles?: true;
  /** MCP tools may have no more than their own name. */
  readonly isBare: boolean;
  /** Names of the agent's own tools. */
  readonly native: ReadonlySet<string>;
  /** Those of them that touch no file and run no command, whatever their arguments are; none where nobody has looked. */
  readonly inert?: ReadonlySet<string>;
  /** Names that it takes for one tool, in groups: for those that it had before, or that other agents have, it runs the same. */
  readonly synonyms?: readonly ReadonlySet<string>[];
  /** What names of its own tools begin with, where it names them like those of servers. */
  readonly nativePrefixes?: readonly string[];
}

/** Is it the name of a tool of the agent's own? */
export function isNativeName({ native, nativePrefixes }: ClientStyle, name: string): boolean {
  return native.has(name) || nativePrefixes?.some((prefix) => name.startsWith(prefix)) === true;
}

/** `_` for each code point that is none of `A-Za-z0-9_`, as programs in Rust count. */
export function toWord(text: string): string {
  return text.replace(NOT_WORD, '_');
}

/** `_` for each UTF-16 unit that is none of `A-Za-z0-9_-`, as programs in JavaScript count. */
export function toHyphenated(text: string): string {
  return text.replace(NOT_WORD_OR_HYPHEN, '_');
}

/** Itself: names that are used as they are. */
export function asIs(text: string): string {
  return text;
}

/** The first hex digits of a text's SHA-1. Names only, nothing is secured by it: it is what clients take. */
export function shortHash(text: string, digits: number): string {
  return hash('sha1', text).slice(0, digits);
}

/** A name that is longer than `most` as its beginning, `middle` and its end; others as they are. */
export function cutMiddle(
  name: string,
  most: number,
  { head, middle, tail }: { head: number; middle: string; tail: number },
): string {
  return name.length <= most ? name : name.slice(0, head) + middle + name.slice(-tail);
}

/** Names with white space between them. */
export function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
