import { PROTOCOL_VERSION_KEY } from './methods.ts';

/** The one code for headers that say something else than the body (MCP 2026-07-28). */
export const HEADER_MISMATCH = -32020;

/** The first revision without sessions and handshake, whose requests say in headers what is in their bodies. */
const FIRST_MODERN = '2026-07-28';

/** What MCP's headers say of a request; lower-case names, as Node gives them. */
export type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Is this a request of the modern era, as far as headers and body say? Either alone is enough. */
export function looksModern(headers: HeaderValues, body: Buffer): boolean {
  const version = headers['mcp-protocol-version'];
  if (typeof version === 'string' && version >= FIRST_MODERN) return true;
  return headers['mcp-method'] !== undefined || body.includes(PROTOCOL_VERSION_KEY);
}

/**
 * What in the headers of a POST says something else than its body, if anything: a server that goes by its headers would do what nobody
 * decided about. An absent header says nothing; whether it must be there is the server's to say (MCP 2026-07-28, HTTP headers).
 *
 * A `Mcp-Param-…` header repeats one argument. Which one is the tool's business, so its value must be that of any: then a decision about the arguments
 * was about it, too.
 *
 * @param body of one message or a batch, valid JSON; anything else agrees with no header
 */
export function findHeaderProblem(headers: HeaderValues, body: Buffer): string | undefined {
  const names = Object.keys(headers).filter(
    (name) => name === 'mcp-method' || name === 'mcp-name' || name.startsWith('mcp-param-'),
  );
  const version = headers['mcp-protocol-version'];
  if (names.length === 0 && version === undefined) return undefined;
  const message = parse(body);
  const params = field(message, 'params');
  const said = field(field(params, '_meta'), PROTOCOL_VERSION_KEY);
  if (version !== undefined && typeof said === 'string' && said !== version) {
    return `MCP-Protocol-Version is ${JSON.stringify(version)}, and the body says ${JSON.stringify(said)}`;
  }
  for (const name of names) {
    const raw = headers[name];
    const value = typeof raw === 'string' ? decode(raw) : undefined;
    if (value === undefined) return `${title(name)} can't be read`;
    if (!agrees(name, value, { message, params }))
      return `${title(name)} is ${JSON.stringify(value)}, and the body says otherwise`;
  }
  return undefined;
}

function agrees(
  name: string,
  value: string,
  { message, params }: { readonly message: unknown; readonly params: unknown },
): boolean {
  if (name === 'mcp-method') return field(message, 'method') === value;
  if (name === 'mcp-name') return ['name', 'uri', 'taskId'].some((key) => field(params, key) === value);
  return hasValue(field(params, 'arguments'), value);
}

/** Values that are no plain text come as `=?base64?…?=`. */
function decode(value: string): string | undefined {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value)?.[1];
  if (encoded === undefined) return value.startsWith('=?') ? undefined : value;
  const bytes = Buffer.from(encoded, 'base64');
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined;
}

function hasValue(value: unknown, wanted: string): boolean {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) open.push(inner);
    else if (next !== undefined && String(next) === wanted) return true;
  }
  return false;
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
