import { PROTOCOL_VERSION_KEY } from './methods.ts';

/** The one code for headers that say something else than the body (MCP 2026-07-28). */
export const HEADER_MISMATCH = -32020;

/** The first revision without sessions and handshake, whose requests say in headers what is in their bodies. */
const FIRST_MODERN = '2026-07-28';

const BACKSLASH = 0x5c;

const PARAM = 'mcp-param-';

/** What MCP's headers say of a request; lower-case names, as Node gives them. */
export type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Is this a request of the modern era? Its version header says so, or its body where there is none. `Mcp-Method` says nothing of it: some clients
 * send it with messages of the legacy era, and leave it out of answers.
 */
export function looksModern(headers: HeaderValues, body: Buffer): boolean {
  const version = headers['mcp-protocol-version'];
  if (typeof version === 'string') return version >= FIRST_MODERN;
  return (
    body.includes(PROTOCOL_VERSION_KEY) && field(field(field(parse(body), 'params'), '_meta'), PROTOCOL_VERSION_KEY) !== undefined
  );
}

/** What MCP's headers say about the body of a POST. */
export interface HeaderClaims {
  readonly version: string | undefined;
  /** The other headers that repeat something of the body: lower-case name, and value as it came. */
  readonly repeated: readonly (readonly [name: string, value: string | undefined])[];
}

/** Undefined where they say nothing about it. */
export function readHeaderClaims(headers: HeaderValues): HeaderClaims | undefined {
  const version = headers['mcp-protocol-version'];
  const repeated: [string, string | undefined][] = [];
  for (const name in headers) {
    if (!name.startsWith('mcp-') || !(name === 'mcp-method' || name === 'mcp-name' || name.startsWith(PARAM))) continue;
    const value = headers[name];
    repeated.push([name, typeof value === 'string' ? value : undefined]);
  }
  if (version === undefined && repeated.length === 0) return undefined;
  return { version: version === undefined ? undefined : String(version), repeated };
}

/** A message as far as headers repeat it; both are undefined where there is none that can be read. */
export interface ClaimedMessage {
  readonly method: string | undefined;
  /** As `JSON.parse` makes them, at least where headers repeat arguments. */
  readonly params: unknown;
}

/** Do they repeat arguments? */
export function repeatsArguments({ repeated }: HeaderClaims): boolean {
  return repeated.some(([name]) => name.startsWith(PARAM));
}

/** May a header say something else than the body? Told without reading all of that; a key in it may be written with escapes. */
export function mayDisagree({ repeated }: HeaderClaims, body: Buffer): boolean {
  return repeated.length > 0 || body.includes('_meta') || body.includes(BACKSLASH);
}

/**
 * What in the headers of a POST says something else than its body, if anything: a server that goes by its headers would do what nobody
 * decided about. An absent header says nothing; whether it must be there is the server's to say (MCP 2026-07-28, HTTP headers).
 *
 * A `Mcp-Param-…` header repeats one argument. Which one is the tool's business, so its value must be that of any: then a decision about the arguments
 * was about it, too.
 *
 * @param message the body's; a batch agrees with no header that repeats something
 */
export function findDisagreement({ version, repeated }: HeaderClaims, message: ClaimedMessage): string | undefined {
  const said = field(field(message.params, '_meta'), PROTOCOL_VERSION_KEY);
  if (version !== undefined && typeof said === 'string' && said !== version) {
    return `MCP-Protocol-Version is ${JSON.stringify(version)}, and the body says ${JSON.stringify(said)}`;
  }
  const values = repeated.map(([name, raw]) => ({ name, value: raw === undefined ? undefined : decode(raw) }));
  const wanted = values.filter(({ name }) => name.startsWith(PARAM)).map(({ value }) => value);
  const found = wanted.length === 0 ? NONE : findValues(field(message.params, 'arguments'), new Set(wanted));
  for (const { name, value } of values) {
    if (value === undefined) return `${title(name)} can't be read`;
    const isRepeated = name.startsWith(PARAM) ? found.has(value) : agrees(name, value, message);
    if (!isRepeated) return `${title(name)} is ${JSON.stringify(value)}, and the body says otherwise`;
  }
  return undefined;
}

const NONE: ReadonlySet<string> = new Set();

function agrees(name: string, value: string, { method, params }: ClaimedMessage): boolean {
  return value === (name === 'mcp-method' ? method : field(params, nameKeyOf(method)));
}

/** Which of the params a request's name is: a server that goes by the header must not find another one there. */
function nameKeyOf(method = ''): string {
  if (method.startsWith('resources/')) return 'uri';
  return method.startsWith('tasks/') ? 'taskId' : 'name';
}

/** Servers differ in how they decode what is not ASCII; it has to come encoded. */
const READABLE = /^[\t\x20-\x7e]*$/;

/** Values that are no plain text come as `=?base64?…?=`; undefined for one that readers may read in two ways. */
function decode(value: string): string | undefined {
  if (!READABLE.test(value)) return undefined;
  if (!/^=\?base64\?.*\?=$/i.test(value)) return value;
  const encoded = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/.exec(value)?.[1];
  if (encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined;
}

/** Which of these a value is, or has in it, at any depth. In one go: there may be as many headers as values. */
function findValues(value: unknown, wanted: ReadonlySet<string | undefined>): ReadonlySet<string> {
  const numbers = Map.groupBy(
    [...wanted].filter((text) => text !== undefined),
    Number,
  );
  const found = new Set<string>();
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) open.push(inner);
    else if (next !== undefined) {
      const text = String(next);
      if (wanted.has(text)) found.add(text);
      if (typeof next === 'number') {
        for (const other of numbers.get(next) ?? []) if (isSameNumber(next, other)) found.add(other);
        // Another one like it would find no more.
        numbers.delete(next);
      }
    }
  }
  return found;
}

/** Servers compare numbers as such: 42 and 42.0 are equal. Beyond what a double has exactly they may read other ones than we do. */
function isSameNumber(value: number, wanted: string): boolean {
  if (!/^-?\d+(?:\.\d+)?$/.test(wanted) || Number(wanted) !== value) return false;
  return !Number.isInteger(value) || Number.isSafeInteger(value);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    // The gate says what is wrong with it.
    return undefined;
  }
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

function title(name: string): string {
  return name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
