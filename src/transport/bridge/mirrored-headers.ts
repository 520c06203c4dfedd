import { type DeclaredHeaders, nameKeyOf, readDeclaredHeaders } from '../../protocol/mcp/http-headers.ts';
import { PROTOCOL_VERSION_KEY } from '../../protocol/mcp/methods.ts';

/** Matches what may be a part of a header's name (RFC 9110 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;

/** Matches a header's value that is sent as it is (RFC 9110); all others are encoded (MCP 2026-07-28, HTTP headers). */
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

interface ModernMessage {
  readonly method?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The headers in which messages of the modern era repeat parts of their bodies. */
export class MirroredHeaders {
  /** By the name of a tool, as its server listed it last. */
  readonly #declared = new Map<string, DeclaredHeaders>();

  /** Takes an answer to `tools/list`: schemas declare which arguments are repeated. */
  learn(line: Buffer): void {
    if (!line.includes('x-mcp-header')) return;
    const { result } = JSON.parse(line.toString()) as { readonly result?: { readonly tools?: unknown } };
    for (const tool of Array.isArray(result?.tools) ? (result.tools as { readonly name?: unknown }[]) : []) {
      const declared = readDeclaredHeaders(JSON.stringify(tool));
      if (typeof tool.name === 'string' && declared !== undefined) this.#declared.set(tool.name, declared);
    }
  }

  /** The headers of a message: name, value, name, value. */
  of(line: Buffer): readonly string[] {
    const { method, params = {} } = JSON.parse(line.toString()) as ModernMessage;
    const version = (params['_meta'] as Readonly<Record<string, unknown>> | undefined)?.[PROTOCOL_VERSION_KEY];
    const headers = typeof version === 'string' ? ['mcp-protocol-version', version] : [];
    if (typeof method !== 'string') return headers;
    headers.push('mcp-method', method);
    const name = params[nameKeyOf(method) ?? ''];
    if (typeof name === 'string') headers.push('mcp-name', encode(name));
    const declared = method === 'tools/call' && typeof name === 'string' ? this.#declared.get(name) : undefined;
    for (const [header, path] of declared ?? []) {
      if (!TOKEN.test(header)) continue;
      const value = path?.reduce<unknown>(
        (at, key) => (at as Readonly<Record<string, unknown>> | undefined)?.[key],
        params['arguments'],
      );
      if (['string', 'number', 'boolean'].includes(typeof value)) headers.push(`mcp-param-${header}`, encode(String(value)));
    }
    return headers;
  }
}

function encode(value: string): string {
  return PLAIN.test(value) && !value.startsWith('=?') ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
