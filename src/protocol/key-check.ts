import { decodeString, foldKey, quoteKey } from './json-key.ts';
import type { JsonScanner } from './json-scanner.ts';
import type { Span } from './message.ts';
import { COLON, COMMA, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE } from './json-bytes.ts';

/** Keys that decide what an object of the protocol means: the exact one by its folded form, and what lies under it. */
type ProtocolKeys = ReadonlyMap<string, { readonly key: string; readonly inside: ProtocolKeys | undefined }>;

function protocolKeys(keys: Readonly<Record<string, ProtocolKeys | undefined>>): ProtocolKeys {
  return new Map(Object.entries(keys).map(([key, inside]) => [foldKey(key), { key, inside }]));
}

/** Keys of `params` that decide what a reviewed message means (parsers that disagree about them: GHSA-wvj2-96wp-fq3f). */
const PARAMS: ProtocolKeys = protocolKeys({
  name: undefined,
  uri: undefined,
  arguments: undefined,
  _meta: undefined,
  task: undefined,
  requestState: undefined,
  inputResponses: undefined,
  ref: protocolKeys({ type: undefined, name: undefined, uri: undefined }),
  argument: protocolKeys({ name: undefined, value: undefined }),
  context: protocolKeys({ arguments: undefined }),
  notifications: protocolKeys({ resourceSubscriptions: undefined }),
});

/** Keys of an `error` that decide what it asks for (MCP 2025-11-25, URLElicitationRequiredError). */
const ERROR: ProtocolKeys = protocolKeys({
  code: undefined,
  message: undefined,
  data: protocolKeys({ elicitations: undefined }),
});

/** Keys of a `result` that decide what it declares, and under which names. */
const DECLARATION: ProtocolKeys = protocolKeys({
  tools: protocolKeys({ name: undefined }),
  resources: protocolKeys({ uri: undefined }),
  resourceTemplates: protocolKeys({ uriTemplate: undefined }),
  prompts: protocolKeys({ name: undefined }),
  nextCursor: undefined,
  instructions: undefined,
});

/**
 * Values that a reviewed part may have, at all depths: each costs some hundred bytes and a microsecond or more while it is decided, many
 * times what it costs on the wire. A table of 10,000 rows and 25 columns is below it.
 */
export const MOST_VALUES = 262_144;

/**
 * Looks for keys in the `params` of a reviewed message on which parsers disagree: a key twice in one object or with half of a surrogate
 * pair in it, at any depth, and variants (letter case, appended NUL) of the protocol's own keys if it has them. Also for more values
 * than `MOST_VALUES`.
 *
 * @param span lies in `bytes` and was accepted by `readMessage`, which bounds its depth
 * @returns what is wrong, or undefined
 */
export function findKeyProblem(scanner: JsonScanner, bytes: Buffer, span: Span): string | undefined {
  scanner.reset(bytes, span.start, span.end);
  return new KeyCheck(scanner).value(PARAMS);
}

/**
 * Tells whether the value alone shows that `findKeyProblem` finds nothing in the text it was parsed from. It has as many keys as the text,
 * so that none was there twice. Costs a fraction of reading the text once more, which has to be done if this is false.
 *
 * @param value as `parseJson` makes it out of a text that has fewer bytes than `MOST_VALUES`
 * @param keys in the text, at all depths, each as often as it is there
 */
export function hasClearKeys(value: object, keys: number): boolean {
  const count = new KeyCount();
  return count.add(value, PARAMS) && count.keys === keys;
}

/** The same for the `error` of an answer. */
export function findErrorKeyProblem(scanner: JsonScanner, bytes: Buffer, span: Span): string | undefined {
  scanner.reset(bytes, span.start, span.end);
  return new KeyCheck(scanner).value(ERROR);
}

/** The same for the `result` of an answer that declares something: a list, or a greeting. */
export function findDeclarationKeyProblem(scanner: JsonScanner, bytes: Buffer, span: Span): string | undefined {
  scanner.reset(bytes, span.start, span.end);
  return new KeyCheck(scanner).value(DECLARATION);
}

/** The same as `hasClearKeys` for `findDeclarationKeyProblem`, of a text of any length. */
export function hasClearDeclarationKeys(value: object, keys: number): boolean {
  const count = new KeyCount();
  return count.add(value, DECLARATION) && count.keys === keys && count.values <= MOST_VALUES;
}

/** The same for an object whose keys are names that its sender chose: none of them is the protocol's own. */
export function findDuplicateKey(scanner: JsonScanner, bytes: Buffer, span: Span): string | undefined {
  scanner.reset(bytes, span.start, span.end);
  return new KeyCheck(scanner).value(undefined);
}

/**
 * Tells whether a value is an object or an array in JSON. A number that is kept as it was sent is an object of ours, and its members are no
 * keys: counted, they made up for a key that was there twice.
 */
function isContainer(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype)
  );
}

/** Counts keys and values, at all depths. Plain loops, as most of what is counted is counted before the engine has compiled this. */
class KeyCount {
  keys = 0;
  /** Starts at 1, since the outermost value counts too. */
  values = 1;

  /** @returns false if a key is none that all readers take for the same */
  add(value: object, protocol: ProtocolKeys | undefined): boolean {
    if (Array.isArray(value)) return this.#addList(value as readonly unknown[], protocol);
    const names = Object.keys(value);
    this.keys += names.length;
    this.values += names.length;
    for (let index = 0; index < names.length; index++) {
      const key = names[index] as string;
      // Most known keys are their own folded form.
      const known = protocol === undefined ? undefined : (protocol.get(key) ?? protocol.get(foldKey(key)));
      if ((known !== undefined && known.key !== key) || !key.isWellFormed()) return false;
      const inner = (value as Readonly<Record<string, unknown>>)[key];
      if (isContainer(inner) && !this.add(inner, known?.inside)) return false;
    }
    return true;
  }

  #addList(list: readonly unknown[], protocol: ProtocolKeys | undefined): boolean {
    this.values += list.length;
    for (let index = 0; index < list.length; index++) {
      const inner = list[index];
      if (isContainer(inner) && !this.add(inner, protocol)) return false;
    }
    return true;
  }
}

/** Number of keys up to which they are compared one by one: most objects have few, and a set for each would cost more than all else. */
const FEW = 8;

class KeyCheck {
  readonly #scanner: JsonScanner;
  #values = 0;

  constructor(scanner: JsonScanner) {
    this.#scanner = scanner;
  }

  /** Moves past a value and returns what is wrong with it, or undefined. */
  value(protocol: ProtocolKeys | undefined): string | undefined {
    this.#values++;
    if (this.#values > MOST_VALUES) return `it has more than ${MOST_VALUES} values`;
    const first = this.#scanner.peek();
    if (first === OPEN_BRACE) return this.#object(protocol);
    if (first === OPEN_BRACKET) return this.#array(protocol);
    return this.#scanner.skipValue() ? undefined : 'not valid JSON';
  }

  #object(protocol: ProtocolKeys | undefined): string | undefined {
    const scanner = this.#scanner;
    scanner.pos++;
    if (scanner.take(CLOSE_BRACE)) return undefined;
    const few: string[] = [];
    let many: Set<string> | undefined;
    do {
      scanner.peek();
      const start = scanner.pos;
      if (!scanner.skipString()) return 'not valid JSON';
      const key = decodeString(scanner.bytes, start, scanner.pos);
      if (key === undefined) return 'not valid JSON';
      // Parsers that know no halves of surrogate pairs read U+FFFD instead, and with it another key. Only an escape can say one.
      if (key.length < scanner.pos - start - 2 && !key.isWellFormed())
        return `half of a surrogate pair in the key ${quoteKey(key)}`;
      if (many === undefined ? few.includes(key) : many.has(key)) return `the key ${quoteKey(key)} occurs twice`;
      if (many !== undefined) many.add(key);
      else if (few.push(key) > FEW) many = new Set(few);
      const known = protocol?.get(foldKey(key));
      if (known !== undefined && known.key !== key) return `the key ${quoteKey(key)} is a variant of a protocol key`;
      if (!scanner.take(COLON)) return 'not valid JSON';
      const problem = this.value(known?.inside);
      if (problem !== undefined) return problem;
    } while (scanner.take(COMMA));
    return scanner.take(CLOSE_BRACE) ? undefined : 'not valid JSON';
  }

  /** @param protocol keys of the elements that are objects */
  #array(protocol: ProtocolKeys | undefined): string | undefined {
    const scanner = this.#scanner;
    scanner.pos++;
    if (scanner.take(CLOSE_BRACKET)) return undefined;
    do {
      const problem = this.value(protocol);
      if (problem !== undefined) return problem;
    } while (scanner.take(COMMA));
    return scanner.take(CLOSE_BRACKET) ? undefined : 'not valid JSON';
  }
}
