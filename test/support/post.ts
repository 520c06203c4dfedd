/** What a client is answered. */
export interface Posted {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The message; the last one of a stream. */
  readonly message: Message;
}

export interface Message {
  readonly id?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: { readonly isError?: boolean; readonly content?: readonly { readonly text: string }[] };
}

export const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' } as const;

/** A call of the tool `t`. */
export function callOf(id: unknown, args: unknown = {}, name = 't'): unknown {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

/** Posts a message, or bytes as they are, as clients do. */
export async function post(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Posted> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...JSON_HEADERS, ...headers },
    body: isRaw ? (body as string) : JSON.stringify(body),
    redirect: 'manual',
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, message: messageIn(text) };
}

/** What the model is told. */
export function said({ message }: Pick<Posted, 'message'>): string {
  return message.result?.content?.[0]?.text ?? message.error?.message ?? '';
}

function messageIn(text: string): Message {
  const lines = text.split('\n').filter((line) => line.startsWith('data: ') && line.length > 6);
  const json = lines.at(-1)?.slice(6) ?? text;
  try {
    return JSON.parse(json) as Message;
  } catch {
    // None.
    return {};
  }
}
