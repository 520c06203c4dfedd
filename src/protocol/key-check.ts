import { decodeString, foldKey, quoteKey } from './json-key.ts';
import type { JsonScanner } from './json-scanner.ts';
import type { Span } from './message.ts';

const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

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

/**
 * Looks for keys in the `params` of a reviewed message on which parsers disagree: a key twice in one object, at any depth, and
 * variants (letter case, appended NUL) of the protocol's own keys where it has them.
 *
 * @param span lies in `bytes` and was accepted by `readMessage`, which bounds its depth
 * @returns what is wrong, or undefined
 */
export function findKeyProblem(scanner: JsonScanner, bytes: Buffer, span: Span): string | undefined {
  scanner.reset(bytes, span.start, span.end);
  return checkValue(scanner, PARAMS);
}

/** The same for an object whose keys are names that its sender chose: none of them is the protocol's own. */
export function findDuplicateKey(scanner: JsonScanner, bytes: Buffer, span: Span): string | undefined {
  scanner.reset(bytes, span.start, span.end);
  return checkValue(scanner, undefined);
}

function checkValue(scanner: JsonScanner, protocol: ProtocolKeys | undefined): string | undefined {
  const first = scanner.peek();
  if (first === OPEN_BRACE) return checkObject(scanner, protocol);
  if (first === OPEN_BRACKET) return checkArray(scanner);
  return scanner.skipValue() ? undefined : 'not valid JSON';
}

function checkObject(scanner: JsonScanner, protocol: ProtocolKeys | undefined): string | undefined {
  scanner.pos++;
  if (scanner.peek() === CLOSE_BRACE) {
    scanner.pos++;
    return undefined;
  }
  const seen = new Set<string>();
  for (;;) {
    scanner.peek();
    const start = scanner.pos;
    if (!scanner.skipString()) return 'not valid JSON';
    const key = decodeString(scanner.bytes, start, scanner.pos);
    if (key === undefined) return 'not valid JSON';
    if (seen.has(key)) return `the key ${quoteKey(key)} occurs twice`;
    seen.add(key);
    const known = protocol?.get(foldKey(key));
    if (known !== undefined && known.key !== key) return `the key ${quoteKey(key)} is a variant of a protocol key`;
    scanner.peek();
    scanner.pos++;
    const problem = checkValue(scanner, known?.inside);
    if (problem !== undefined) return problem;
    const next = scanner.peek();
    scanner.pos++;
    if (next === CLOSE_BRACE) return undefined;
    if (next !== COMMA) return 'not valid JSON';
  }
}

function checkArray(scanner: JsonScanner): string | undefined {
  scanner.pos++;
  if (scanner.peek() === CLOSE_BRACKET) {
    scanner.pos++;
    return undefined;
  }
  for (;;) {
    const problem = checkValue(scanner, undefined);
    if (problem !== undefined) return problem;
    const next = scanner.peek();
    scanner.pos++;
    if (next === CLOSE_BRACKET) return undefined;
    if (next !== COMMA) return 'not valid JSON';
  }
}
