import { readFile } from 'node:fs/promises';
import { type Call, CATEGORIES, type Category, NATIVE_SERVER, SUBJECT_METHODS } from '../../../core/call.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../core/json.ts';
import { ClawaiError } from '../../../errors.ts';
import { REVIEWED_METHODS } from '../../../gate/messages/methods.ts';
import { toServerCall } from '../../../gate/messages/server-requests.ts';
import { JsonScanner } from '../../../protocol/json-scanner.ts';
import { findDuplicateKey } from '../../../protocol/key-check.ts';
import { readStdin, STDIN } from '../../terminal/streams.ts';
import type { Fixture } from '../fixtures/fixture-case.ts';
import { describe, didYouMean, type Origin, readCall } from '../fixtures/fixture-value.ts';
import { DEFAULT_SERVER } from '../fixtures/fixture.ts';
import { findJsonPlaces, toLineColumn } from '../fixtures/json-places.ts';
import { usageError } from '../../command.ts';
import { QUOTE, OPEN_BRACE, CLOSE_BRACE } from '../../../protocol/json-bytes.ts';

/** The call that a person asks about, as it was typed. */
interface Question {
  readonly tool: string | undefined;
  readonly resource: string | undefined;
  readonly prompt: string | undefined;
  readonly method: string | undefined;
  readonly args: string | undefined;
  readonly server: string | undefined;
  readonly category: string | undefined;
}

/** Methods that have a subject of their own. */
const OF_SUBJECTS: readonly string[] = Object.values(SUBJECT_METHODS);

/** Requests of servers to clients. Their parameters are the arguments. */
const SERVER_CALLS = ['sampling/createMessage', 'elicitation/create'];

/** The call that is asked about, as a fixture without expectations. Throws ClawaiError `usage`. */
export async function readQuestion(question: Question): Promise<Fixture> {
  const { server = DEFAULT_SERVER, args, category } = question;
  const method = methodOf(question);
  checkSubject(question, method);
  const given = args === undefined ? undefined : await readArguments(args);
  const call = SERVER_CALLS.includes(method)
    ? toServerCall(server, method, given)
    : toCall({ ...question, server, method }, given);
  const categories = category === undefined ? undefined : readCategories(category);
  return { file: '', name: '', call, context: categories === undefined ? {} : { categories } };
}

function methodOf({ tool, resource, prompt, method }: Question): string {
  const subjects = Object.entries({ tool, resource, prompt }).filter(([, name]) => name !== undefined);
  const [first, second] = subjects.map(([key]) => key);
  if (second !== undefined) throw usageError(`--${first} and --${second} are both given`, 'a call is about one of them');
  if (method !== undefined) return method;
  if (first === 'tool' || first === 'resource' || first === 'prompt') return SUBJECT_METHODS[first];
  throw usageError(
    'it is not said which call',
    'write --tool NAME, --resource URI, --prompt NAME, --method METHOD, --event ID or --fixture FILE',
  );
}

/** Checks that a method has its own subject and no other. */
function checkSubject({ tool, resource, prompt, args }: Question, method: string): void {
  if (method === 'completion/complete' || method === 'subscriptions/listen')
    throw usageError(`${method} has more parameters than there are flags`, 'write it as a fixture, and name that with --fixture');
  const of = { tool, resource, prompt };
  for (const key of ['tool', 'resource', 'prompt'] as const) {
    const isNeeded = method === SUBJECT_METHODS[key];
    if (isNeeded && of[key] === undefined) throw usageError(`--${key} is missing`, `${method} is about one`);
    const isOther = key === 'resource' ? !REVIEWED_METHODS.has(method) || OF_SUBJECTS.includes(method) : true;
    if (!isNeeded && isOther && of[key] !== undefined)
      throw usageError(`${method} is not about a ${key}`, `leave --method out, or --${key}`);
  }
  const hasArguments = tool !== undefined || prompt !== undefined || SERVER_CALLS.includes(method);
  if (args !== undefined && !hasArguments)
    throw usageError(`${method} has no arguments that rules can match`, 'leave --args out');
}

type Asked = Pick<Question, 'tool' | 'resource' | 'prompt'> & { readonly server: string; readonly method: string };

/** Makes the call that the gate would read from a message. */
function toCall({ tool, resource, prompt, server, method }: Asked, args: JsonObject | undefined): Call {
  const name = tool ?? prompt;
  const params: JsonObject = {
    ...(name === undefined ? {} : { name }),
    ...(resource === undefined ? {} : { uri: resource }),
    ...(args === undefined ? {} : { arguments: args }),
  };
  const fail: Origin['fail'] = (_pointer, message) => {
    const isServer = server === NATIVE_SERVER && method !== SUBJECT_METHODS.tool;
    throw usageError(
      message.replace(/^params\./, 'in the call, '),
      isServer ? 'name another server' : 'see clawai help policy explain',
    );
  };
  return readCall({ method, params }, server, { file: '', pointer: '', name: '', fail });
}

function readCategories(text: string): readonly Category[] {
  return text.split(',').map((word) => {
    const category = CATEGORIES.find((known) => known === word.trim());
    if (category !== undefined) return category;
    throw usageError(
      `--category: ${JSON.stringify(word.trim())} is none`,
      didYouMean(word.trim(), CATEGORIES) ?? `there are ${CATEGORIES.join(', ')}`,
    );
  });
}

/** The longest message that a config can allow. */
const MOST_BYTES = 256 * 1024 * 1024;
/** The deepest nesting of a message. */
const MOST_DEPTH = 512;

/**
 * The arguments of a call as they are given: as JSON, as `@FILE` or as `-` for stdin.
 *
 * @throws ClawaiError `usage` with the place of what is wrong: no file, no JSON, no object, a key twice
 */
export async function readArguments(given: string): Promise<JsonObject> {
  const name = given.startsWith('@') ? given.slice(1) : given === '-' ? STDIN : '--args';
  const text = decode(await readBytes(given), name);
  // Line ends become spaces: JSON has them between values only, and a message has none.
  const bytes = Buffer.from(text.replaceAll(/[\r\n]/g, ' '));
  if (isDeeper(bytes, MOST_DEPTH)) throw refused(name, `they are deeper than ${MOST_DEPTH} levels`);
  const value = parse(text, { name, isTyped: name === '--args' });
  if (!isJsonObject(value)) throw refused(name, `expected an object, found ${describe(value)}`);
  // Duplicate keys are found as the gate finds them in a message, which it then refuses.
  const problem = findDuplicateKey(new JsonScanner(MOST_DEPTH), bytes, { start: 0, end: bytes.length });
  if (problem !== undefined) throw refused(name, `${problem}; no message with it is read`);
  return value;
}

function parse(text: string, { name, isTyped }: { readonly name: string; readonly isTyped: boolean }): JsonValue {
  try {
    return parseJson(text);
  } catch (cause) {
    const places = findJsonPlaces(text);
    // Both parsers accept the same texts, so the cause is no fault of the JSON.
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

/** Tells whether brackets nest deeper than `most`, outside of strings. No recursion, which such texts would exhaust. */
function isDeeper(bytes: Buffer, most: number): boolean {
  const scanner = new JsonScanner();
  let depth = 0;
  for (let at = 0; at < bytes.length && depth <= most; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      scanner.reset(bytes, at, bytes.length);
      if (!scanner.skipString()) return false;
      at = scanner.pos - 1;
    }
    // The two kinds of brackets differ in one bit.
    else if ((byte | 0x20) === OPEN_BRACE) depth += 1;
    else if ((byte | 0x20) === CLOSE_BRACE) depth -= 1;
  }
  return depth > most;
}

function refused(name: string, why: string): ClawaiError {
  return new ClawaiError(`these arguments are no call's: ${why}`, { code: 'usage', place: { file: name } });
}
