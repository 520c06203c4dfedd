import { readFile } from 'node:fs/promises';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../core/json.ts';
import { ClawaiError } from '../../../errors.ts';
import { findDuplicateKey } from '../../../protocol/key-check.ts';
import { JsonScanner } from '../../../protocol/json-scanner.ts';
import { describe } from '../fixtures/fixture-value.ts';
import { findJsonPlaces, toLineColumn } from '../fixtures/json-places.ts';
import { readStdin, STDIN } from '../../terminal/stdin.ts';

/** The longest message that a config can allow. */
const MOST_BYTES = 256 * 1024 * 1024;
/** The deepest. */
const MOST_DEPTH = 512;

/**
 * The arguments of a call as they are given: as JSON, as `@FILE` or as `-` for stdin.
 *
 * @throws ClawaiError `usage` with the place of what is wrong: no file, no JSON, no object, a key twice
 */
export async function readArguments(given: string): Promise<JsonObject> {
  const name = given.startsWith('@') ? given.slice(1) : given === '-' ? STDIN : '--args';
  const text = decode(await readBytes(given), name);
  if (isDeeper(text, MOST_DEPTH)) throw refused(name, `they are deeper than ${MOST_DEPTH} levels`);
  const value = parse(text, { name, isTyped: name === '--args' });
  if (!isJsonObject(value)) throw refused(name, `expected an object, found ${describe(value)}`);
  const problem = findProblem(text);
  if (problem !== undefined) throw refused(name, `${problem}; no message with it is read`);
  return value;
}

function parse(text: string, { name, isTyped }: { readonly name: string; readonly isTyped: boolean }): JsonValue {
  try {
    return parseJson(text);
  } catch (cause) {
    const places = findJsonPlaces(text);
    // What one of the two takes for JSON, the other does too.
    if (places.ok) throw cause;
    const found =
      places.offset >= text.length ? 'the end' : JSON.stringify(String.fromCodePoint(text.codePointAt(places.offset) ?? 0));
    const expected = places.expected.replace('the end of the file', 'the end');
    throw new ClawaiError(`these arguments are not JSON: expected ${expected}, found ${found}`, {
      code: 'usage',
      place: { file: name, ...toLineColumn(text, places.offset) },
      hint: isTyped ? 'for example --args \'{"path": "/etc/hosts"}\'; @FILE reads a file, - reads stdin' : undefined,
      cause,
    });
  }
}

async function readBytes(given: string): Promise<Buffer> {
  if (given === '-') return readStdin('usage');
  if (!given.startsWith('@')) return Buffer.from(given);
  const file = given.slice(1);
  try {
    return await readFile(file);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
    if (code === undefined) throw cause;
    const why = { ENOENT: 'it does not exist', EACCES: 'permission denied', EISDIR: 'it is a directory' }[code] ?? code;
    throw new ClawaiError(`the arguments cannot be read: ${why}`, { code: 'usage', place: { file }, cause });
  }
}

function decode(bytes: Buffer, name: string): string {
  if (bytes.length > MOST_BYTES) throw refused(name, `they are longer than any message may be (${MOST_BYTES} bytes)`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    if (cause instanceof TypeError) throw refused(name, 'they are not UTF-8');
    throw cause;
  }
}

/** Without recursion, which texts that are this deep would exhaust. Brackets in texts do not count. */
function isDeeper(text: string, most: number): boolean {
  let depth = 0;
  for (const [part] of text.matchAll(/"(?:\\.|[^"\\])*"|[[\]{}]/g)) {
    if (part === '[' || part === '{') depth += 1;
    else if (part === ']' || part === '}') depth -= 1;
    if (depth > most) return true;
  }
  return false;
}

/** What the gate would refuse in a message, as it finds it. */
function findProblem(text: string): string | undefined {
  // Line ends stand between values only, and in a message there are none.
  const bytes = Buffer.from(text.replaceAll(/[\r\n]/g, ' '));
  return findDuplicateKey(new JsonScanner(MOST_DEPTH), bytes, { start: 0, end: bytes.length });
}

function refused(name: string, why: string): ClawaiError {
  return new ClawaiError(`these arguments are no call's: ${why}`, { code: 'usage', place: { file: name } });
}
