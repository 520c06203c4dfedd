import { hash } from 'node:crypto';

const NOT_WORD = /[^A-Za-z0-9_]/gu;
const NOT_WORD_OR_HYPHEN = /[^A-Za-z0-9_-]/g;

/** The parts of a request that identify its sender. `get` takes a header's name in lower case. */
export interface RequestHeaders {
  readonly userAgent: string | undefined;
  readonly get: (name: string) => string | undefined;
}

/** One way of joining the names of a server and its tool. */
export interface NameForm {
  readonly prefix: string;
  readonly separator: string;
  /** Returns all possible spellings of the server's name; none if it is never joined like this. */
  readonly server: (server: string) => readonly string[];
  readonly tool: (tool: string) => string;
  /** Returns possible server names for the server's part, if it may contain more than the name; the part itself is tried anyway. */
  readonly serverIn?: (part: string) => readonly string[];
  /**
   * The mark of this form on a name with an unknown server: its prefix; or both parts around the separator; or none, since the agent's own
   * tools may look the same.
   */
  readonly mark: 'prefix' | 'both_parts' | 'none';
  /** True if the API gives the part before the separator separately from the name. */
  readonly isGrouped?: true;
}

/** The way in which a client names MCP tools to its model. It is data: names are built from it and compared, never split by guessing. */
export interface ClientStyle {
  readonly id: string;
  /** Undefined if nothing in a request identifies the client. */
  readonly isSentBy?: (headers: RequestHeaders) => boolean;
  readonly forms: readonly NameForm[];
  /** Names that are cut, or distinguished by a hash. */
  readonly cut?: {
    /** Tells whether this name may be one of them. If so, and no known tool gets it, its text is not trusted. */
    readonly isCut: (name: string) => boolean;
    /** Returns the possible cut names of a server's tools, whether or not they need one; with a group, its name and `__` come first. */
    readonly names: (server: string) => (tool: string) => readonly string[];
  };
  /** True if it uses the servers' own titles, if known. */
  readonly usesTitles?: true;
  /** True if an MCP tool may have only its own name. */
  readonly isBare: boolean;
  /** Names of the agent's own tools. */
  readonly native: ReadonlySet<string>;
  /** Native tools that touch no file and run no command, whatever their arguments; absent if unknown. */
  readonly inert?: ReadonlySet<string>;
  /** Groups of names that it takes for one tool, e.g. former names, or other agents' names. */
  readonly synonyms?: readonly ReadonlySet<string>[];
  /** Prefixes of its own tools that look like those of servers. */
  readonly nativePrefixes?: readonly string[];
  /** Groups that count for nothing: it runs their tools as those of the same names without a group. */
  readonly plainGroups?: ReadonlySet<string>;
  /** Tools of which its hook gets these arguments only, under these names or others. */
  readonly hookArguments?: ReadonlyMap<string, ReadonlySet<string>>;
  /** Its tool that types into a program that it started, and the tool that starts it. */
  readonly typing?: TypingTool;
  /** Its tool that runs programs, which call its other tools. */
  readonly code?: CodeTool;
}

/** A tool that types into a running program. */
export interface TypingTool {
  readonly tool: string;
  /** Its argument for the program, and the one for the text. */
  readonly session: string;
  readonly text: string;
  /** The tool that runs a command, and its argument for the command. */
  readonly runs: string;
  readonly command: string;
}

/** A tool that runs programs in JavaScript. */
export interface CodeTool {
  readonly tool: string;
  /** Its argument for the program. */
  readonly text: string;
  /** The object that has the other tools in the program. */
  readonly object: string;
  /** The argument that one of them gets if it is called with a text. */
  readonly textArgument: string;
}

/** Tells whether it is the name of one of the agent's own tools. */
export function isNativeName({ native, nativePrefixes }: ClientStyle, name: string): boolean {
  return native.has(name) || nativePrefixes?.some((prefix) => name.startsWith(prefix)) === true;
}

/** Replaces each code point outside of `A-Za-z0-9_` by `_`, as programs in Rust do. */
export function toWord(text: string): string {
  return text.replace(NOT_WORD, '_');
}

/** Replaces each UTF-16 unit outside of `A-Za-z0-9_-` by `_`, as programs in JavaScript do. */
export function toHyphenated(text: string): string {
  return text.replace(NOT_WORD_OR_HYPHEN, '_');
}

/** Returns a name unchanged. */
export function asIs(text: string): string {
  return text;
}

/** Returns the first hex digits of a text's SHA-1. It only names things and secures nothing; clients use it. */
export function shortHash(text: string, digits: number): string {
  return hash('sha1', text).slice(0, digits);
}

/** Cuts a name that is longer than `most` to its beginning, `middle` and its end; returns others unchanged. */
export function cutMiddle(
  name: string,
  most: number,
  { head, middle, tail }: { head: number; middle: string; tail: number },
): string {
  return name.length <= most ? name : name.slice(0, head) + middle + name.slice(-tail);
}

/** Splits names at white space. */
export function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
