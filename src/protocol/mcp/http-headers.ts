import { MODERN_REVISION, PROTOCOL_VERSION_KEY } from './methods.ts';

/** The error code for headers that contradict the body (MCP 2026-07-28). */
export const HEADER_MISMATCH = -32020;

const BACKSLASH = 0x5c;

const PARAM = 'mcp-param-';

/** The headers of a request; lower-case names, as Node returns them. */
export type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Tells whether a request is of the modern era, by its version header, else by its body. `Mcp-Method` does not count: some clients send it
 * with messages of the legacy era, and leave it out of answers.
 */
export function looksModern(headers: HeaderValues, body: Buffer): boolean {
  const version = headers['mcp-protocol-version'];
  if (typeof version === 'string') return version >= MODERN_REVISION;
  return (
    body.includes(PROTOCOL_VERSION_KEY) && field(field(field(parse(body), 'params'), '_meta'), PROTOCOL_VERSION_KEY) !== undefined
  );
}

/** The claims that MCP's headers make about the body of a POST. */
export interface HeaderClaims {
  readonly version: string | undefined;
  /** Other headers that repeat parts of the body: lower-case name, and value as it came. */
  readonly repeated: readonly (readonly [name: string, value: string | undefined])[];
}

/** Reads the claims; undefined if there are none. */
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

/** The parts of a message that headers repeat; both are undefined if the message is unreadable. */
export interface ClaimedMessage {
  readonly method: string | undefined;
  /** Parsed as by `JSON.parse`, at least if headers repeat arguments. */
  readonly params: unknown;
  /** The headers declared by the schema of the called tool; undefined if unknown. */
  readonly declared?: DeclaredHeaders | undefined;
}

/**
 * Headers declared by a tool's schema (`x-mcp-header`), without their prefix and in lower case, with the path of the repeated argument. The
 * path is undefined if the schema declares the header twice or in an invalid place, so that it may repeat any argument.
 */
export type DeclaredHeaders = ReadonlyMap<string, readonly string[] | undefined>;

/** The declared headers of a message that calls no tool. */
export const NO_HEADERS: DeclaredHeaders = new Map();

/** Reads the declared headers from a tool's definition, as its server lists it. Undefined if it can't be parsed. */
export function readDeclaredHeaders(definition: string): DeclaredHeaders | undefined {
  const declared = new Map<string, readonly string[] | undefined>();
  const open: { readonly schema: unknown; readonly path: readonly string[] | undefined }[] = [];
  try {
    open.push({ schema: field(JSON.parse(definition), 'inputSchema'), path: [] });
  } catch {
    // The stored definition was cut.
    return undefined;
  }
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { schema, path } = next;
    if (typeof schema !== 'object' || schema === null) continue;
    const name = field(schema, 'x-mcp-header');
    if (typeof name === 'string') {
      const isOnly = !declared.has(name.toLowerCase()) && path !== undefined && path.length > 0;
      declared.set(name.toLowerCase(), isOnly ? path : undefined);
    }
    const properties = field(schema, 'properties');
    for (const inner of Object.values(schema) as readonly unknown[]) {
      if (inner !== properties) open.push({ schema: inner, path: undefined });
      else for (const [property, of] of Object.entries(inner ?? {})) open.push({ schema: of, path: path && [...path, property] });
    }
  }
  return declared;
}

/** Tells whether headers repeat arguments. */
export function repeatsArguments({ repeated }: HeaderClaims): boolean {
  return repeated.some(([name]) => name.startsWith(PARAM));
}

/** Tells, without parsing, whether headers may contradict the body; a key may be written with escapes. */
export function mayDisagree({ repeated }: HeaderClaims, body: Buffer): boolean {
  return repeated.length > 0 || body.includes('_meta') || body.includes(BACKSLASH);
}

/**
 * Finds a header of a POST that contradicts its body: a server that goes by headers would do something else than what was decided. An
 * absent header is not a contradiction; the server decides whether it is required (MCP 2026-07-28, HTTP headers).
 *
 * A `Mcp-Param-…` header repeats the argument that the tool's schema declares; an undeclared one is ignored. If the repeated argument is
 * unknown, the header must equal any argument: then a decision about the arguments covers it.
 *
 * @param message the body's message; for a batch, every repeating header is a contradiction
 */
export function findDisagreement({ version, repeated }: HeaderClaims, message: ClaimedMessage): string | undefined {
  const inBody = field(field(message.params, '_meta'), PROTOCOL_VERSION_KEY);
  if (version !== undefined && typeof inBody === 'string' && inBody !== version) {
    return `MCP-Protocol-Version is ${JSON.stringify(version)}, and the body says ${JSON.stringify(inBody)}`;
  }
  const { declared } = message;
  const values = repeated
    .filter(([name]) => !name.startsWith(PARAM) || declared === undefined || declared.has(name.slice(PARAM.length)))
    .map(([name, raw]) => ({
      name,
      value: raw === undefined ? undefined : decode(raw),
      path: declared?.get(name.slice(PARAM.length)),
    }));
  const args = field(message.params, 'arguments');
  const wanted = values.filter(({ name, path }) => name.startsWith(PARAM) && path === undefined).map(({ value }) => value);
  const found = wanted.length === 0 ? NONE : findValues(args, new Set(wanted));
  for (const { name, value, path } of values) {
    if (value === undefined) return `${title(name)} can't be read`;
    const isAnyOf = (): boolean => (path === undefined ? found : findValues(valueAt(args, path), new Set([value]))).has(value);
    const isRepeated = name.startsWith(PARAM) ? isAnyOf() : agrees(name, value, message);
    if (!isRepeated) return `${title(name)} is ${JSON.stringify(value)}, and the body says otherwise`;
  }
  return undefined;
}

const NONE: ReadonlySet<string> = new Set();

function agrees(name: string, value: string, { method, params }: ClaimedMessage): boolean {
  return value === (name === 'mcp-method' ? method : field(params, nameKeyOf(method)));
}

/** Returns the param that `Mcp-Name` repeats for a method: a server that goes by the header must not find another value there. */
export function nameKeyOf(method = ''): string {
  if (method.startsWith('resources/')) return 'uri';
  return method.startsWith('tasks/') ? 'taskId' : 'name';
}

/** Matches ASCII: servers differ in how they decode anything else, so it must come encoded. */
const READABLE = /^[\t\x20-\x7e]*$/;

/** Decodes a value, which may be `=?base64?…?=`; undefined if readers may decode it differently. */
function decode(value: string): string | undefined {
  if (!READABLE.test(value)) return undefined;
  if (!/^=\?base64\?.*\?=$/i.test(value)) return value;
  const encoded = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/.exec(value)?.[1];
  if (encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined;
}

/** Finds which of the wanted texts occur in a value, at any depth. One pass serves all, since there may be as many headers as values. */
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
    else if (next !== undefined && !isInexact(next)) {
      const text = String(next);
      if (wanted.has(text)) found.add(text);
      if (typeof next === 'number') {
        for (const other of numbers.get(next) ?? []) if (isSameNumber(next, other)) found.add(other);
        // An equal number would find nothing more.
        numbers.delete(next);
      }
    }
  }
  return found;
}

/** Compares numbers as servers do: 42 and 42.0 are equal. */
function isSameNumber(value: number, wanted: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(wanted) && Number(wanted) === value;
}

/** Tells whether a number exceeds a double's exact range: servers may parse it differently, so no header equals it. */
function isInexact(value: unknown): boolean {
  return typeof value === 'number' && (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)));
}

/** Returns the value at a path; undefined for null, whose header clients leave out, and for values that no header can repeat. */
function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const key of path) value = field(value, key);
  return typeof value === 'object' ? undefined : value;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    // The gate reports the syntax error.
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
