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
  /** What the schema of the tool that is called says of headers; undefined where it is not known. */
  readonly declared?: DeclaredHeaders | undefined;
}

/**
 * Headers that a tool's schema names (`x-mcp-header`), without their prefix and in lower case: the keys that lead to the argument that each
 * repeats; undefined where the schema names it twice, or where it may not, so that it may be any argument.
 */
export type DeclaredHeaders = ReadonlyMap<string, readonly string[] | undefined>;

/** Of a message that calls no tool. */
export const NO_HEADERS: DeclaredHeaders = new Map();

/** Reads what the definition of a tool, as its server lists it, says of headers. Undefined where it can't be read. */
export function readDeclaredHeaders(definition: string): DeclaredHeaders | undefined {
  const declared = new Map<string, readonly string[] | undefined>();
  const open: { readonly schema: unknown; readonly path: readonly string[] | undefined }[] = [];
  try {
    open.push({ schema: field(JSON.parse(definition), 'inputSchema'), path: [] });
  } catch {
    // A text that was cut when it was kept.
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
 * A `Mcp-Param-…` header repeats the argument that the tool's schema says; one that the schema does not name says nothing. Where it is not known which
 * argument it repeats, its value must be that of any: then a decision about the arguments was about it, too.
 *
 * @param message the body's; a batch agrees with no header that repeats something
 */
export function findDisagreement({ version, repeated }: HeaderClaims, message: ClaimedMessage): string | undefined {
  const said = field(field(message.params, '_meta'), PROTOCOL_VERSION_KEY);
  if (version !== undefined && typeof said === 'string' && said !== version) {
    return `MCP-Protocol-Version is ${JSON.stringify(version)}, and the body says ${JSON.stringify(said)}`;
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
    else if (next !== undefined && !isInexact(next)) {
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

/** Servers compare numbers as such: 42 and 42.0 are equal. */
function isSameNumber(value: number, wanted: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(wanted) && Number(wanted) === value;
}

/** Beyond what a double has exactly, servers may read another number than we do: no header says the same. */
function isInexact(value: unknown): boolean {
  return typeof value === 'number' && (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)));
}

/** Undefined also for null, whose header a client leaves out, and for what no header can repeat. */
function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const key of path) value = field(value, key);
  return typeof value === 'object' ? undefined : value;
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
