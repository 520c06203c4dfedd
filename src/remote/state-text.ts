/** A server from a client's config whose URL leads to `clawai serve`. */
export interface WrappedServer {
  readonly name: string;
  /** The server's own URL, without clawai. */
  readonly url: string;
  readonly secret: string;
  readonly group: string;
  /** Real path of the config, and the entry's JSON pointer in it (RFC 6901). */
  readonly file: string;
  readonly pointer: string;
  /** `managed`: clawai logs in to it, and sends its own tokens. */
  readonly auth?: 'managed' | undefined;
}

/** An entry that was left alone after its server was asked. */
export interface LeftAlone {
  readonly file: string;
  readonly pointer: string;
  /** A hash of the entry at that time. */
  readonly entry: string;
  /** A stable word. */
  readonly reason: string;
}

/** The stored state of remote servers. */
export interface RemoteState {
  /** Secrets generated for servers of `[[servers]]`. */
  readonly declared: readonly { readonly name: string; readonly secret: string }[];
  readonly wrapped: readonly WrappedServer[];
  /** Absent if there are none. */
  readonly left?: readonly LeftAlone[] | undefined;
}

export const NO_STATE: RemoteState = { declared: [], wrapped: [] };

const SECRET = /^[A-Za-z0-9_-]{22,128}$/;

/** Parses the text of the state file; undefined if it is invalid, e.g. truncated or of another format. */
export function parseRemoteState(text: string): RemoteState | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The text is truncated or overwritten.
    return undefined;
  }
  if (!isObject(value) || value['format'] !== 1) return undefined;
  const { declared, wrapped } = value;
  if (!isListOf(declared, isDeclared) || !isListOf(wrapped, isWrapped)) return undefined;
  // No URL depends on these: unreadable ones are asked again.
  const left = Array.isArray(value['left']) ? value['left'].filter(isLeft) : [];
  return { declared, wrapped, ...(left.length === 0 ? {} : { left }) };
}

export function formatRemoteState({ declared, wrapped, left = [] }: RemoteState): string {
  const more = left.length === 0 ? {} : { left };
  return `${JSON.stringify({ format: 1, declared, wrapped, ...more }, undefined, 2)}\n`;
}

function isDeclared(value: unknown): value is RemoteState['declared'][number] {
  return isObject(value) && typeof value['name'] === 'string' && isSecret(value['secret']);
}

function isWrapped(value: unknown): value is WrappedServer {
  if (!isObject(value) || !isSecret(value['secret'])) return false;
  const { url } = value;
  const isText = (['name', 'group', 'file', 'pointer'] as const).every((key) => typeof value[key] === 'string');
  const { auth } = value;
  return isText && typeof url === 'string' && URL.canParse(url) && (auth === undefined || auth === 'managed');
}

function isLeft(value: unknown): value is LeftAlone {
  return isObject(value) && (['file', 'pointer', 'entry', 'reason'] as const).every((key) => typeof value[key] === 'string');
}

function isSecret(value: unknown): boolean {
  return typeof value === 'string' && SECRET.test(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOf<T>(value: unknown, isItem: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isItem);
}
