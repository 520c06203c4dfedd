import { decodeString, foldKey, quoteKey } from './json-key.ts';
import type { JsonScanner } from './json-scanner.ts';
import type { Span } from './message.ts';

const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Keys of `params` that decide what a reviewed message means (parsers that disagree about them: GHSA-wvj2-96wp-fq3f). */
const PARAMS_KEYS: ReadonlySet<string> = new Set(
  ['name', 'uri', 'arguments', '_meta', 'task', 'requestState', 'inputResponses'].map(foldKey),
);
const EXACT_PARAMS_KEYS: ReadonlySet<string> = new Set([
  'name',
  'uri',
  'arguments',
  '_meta',
  'task',
  'requestState',
  'inputResponses',
]);

/**
 * Looks for keys in the `params` of a reviewed message on which parsers disagree: a key twice in one object, at any depth, and
 * variants (letter case, appended NUL) of the protocol's own keys at the top level.
 *
 * @param span lies in `bytes` and was accepted by `readMessage`, which bounds its depth
 * @returns what is wrong, or undefined
 */
export function findKeyProblem(scanner: JsonScanner, bytes: Buffer, span: Span): string | undefined {
  scanner.reset(bytes, span.start, span.end);
  return checkValue(scanner, true);
}

function checkValue(scanner: JsonScanner, isParams: boolean): string | undefined {
  const first = scanner.peek();
  if (first === OPEN_BRACE) return checkObject(scanner, isParams);
  if (first === OPEN_BRACKET) return checkArray(scanner);
  return scanner.skipValue() ? undefined : 'not valid JSON';
}

function checkObject(scanner: JsonScanner, isParams: boolean): string | undefined {
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
    if (isParams && !EXACT_PARAMS_KEYS.has(key) && PARAMS_KEYS.has(foldKey(key))) {
      return `the key ${quoteKey(key)} is a variant of a protocol key`;
    }
    scanner.peek();
    scanner.pos++;
    const problem = checkValue(scanner, false);
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
    const problem = checkValue(scanner, false);
    if (problem !== undefined) return problem;
    const next = scanner.peek();
    scanner.pos++;
    if (next === CLOSE_BRACKET) return undefined;
    if (next !== COMMA) return 'not valid JSON';
  }
}
