import {
  createServer,
  request as send,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export interface OAuthWorldOptions {
  /** Seconds that an access token lasts. */
  readonly lifetime?: number;
  /** Scopes that every request to the MCP server needs, besides `mcp:read`. */
  readonly needs?: string;
  /** The clients that are registered already. */
  readonly clients?: readonly Readonly<Record<string, unknown>>[];
  readonly noRegistration?: boolean;
  /** More scopes that the authorization server knows, and never grants. */
  readonly scopes?: readonly string[];
}

/** A request to the MCP server. */
interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request to the authorization server. */
interface Asked {
  readonly path: string;
  readonly form: URLSearchParams;
}

/**
 * An authorization server (oidc-provider: PKCE, registration, resource indicators, refresh tokens that are used once, revocation), and an MCP
 * server that takes only its tokens, and only those made for it.
 */
export class OAuthWorld {
  readonly arrived: Arrived[] = [];
  /** What the token endpoint and others were asked by POST. */
  readonly asked: Asked[] = [];
  /** Requests that the MCP server refused for their token, or since they had none. */
  refused = 0;
  /** The scopes that requests to the MCP server need. */
  needs: string;
  /** The challenge with which the MCP server refuses every good token; empty for none. */
  refuses = '';
  /** The address to which the MCP server redirects everything; empty for none. */
  moved = '';
  /** The URL of an MCP server that answers what has a good token; empty for the few answers of this one. */
  behind = '';
  /** Replaces the metadata of the MCP server (RFC 9728). */
  metadata: Record<string, unknown>;
  /** Replaces what the authorization server answers to a path; undefined lets it answer. */
  instead: (path: string, response: ServerResponse) => boolean = () => false;
  readonly #servers: readonly Server[];
  readonly #provider: Provider;
  readonly issuer: string;
  /** The URL of the MCP server. */
  readonly url: string;

  private constructor(servers: readonly [as: Server, mcp: Server], options: OAuthWorldOptions) {
    this.#servers = servers;
    const [as, mcp] = servers;
    this.issuer = originOf(as);
    this.url = `${originOf(mcp)}/mcp`;
    this.needs = options.needs ?? 'mcp:read';
    this.metadata = { resource: this.url, authorization_servers: [this.issuer], scopes_supported: ['mcp:read'] };
    this.#provider = createProvider(this.issuer, this.url, options);
    const answer: RequestListener = this.#provider.callback();
    as.on('request', (request, response) => {
      const path = new URL(request.url ?? '', this.issuer).pathname;
      if (this.instead(path, response)) return;
      if (request.method !== 'POST') return void answer(request, response);
      // The provider reads a body that somebody has read already from here.
      void readText(request).then((text) => {
        this.asked.push({ path, form: new URLSearchParams(text) });
        Object.assign(request, { body: text, readable: false });
        answer(request, response);
      });
    });
    mcp.on('request', (asked, response) => void this.#answer(asked, response));
  }

  static async start(options: OAuthWorldOptions = {}): Promise<OAuthWorld> {
    const servers = [createServer(), createServer()] as const;
    for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new OAuthWorld(servers, options);
  }

  /** How often tokens were asked for in this way. */
  grants(type: 'authorization_code' | 'refresh_token'): number {
    return this.asked.filter(({ path, form }) => path === '/token' && form.get('grant_type') === type).length;
  }

  /** Makes a token worthless at the MCP server, as its end does. */
  async spoil(token: string): Promise<void> {
    await (await this.#provider.AccessToken.find(token))?.destroy();
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readText(request);
    const { pathname } = new URL(request.url ?? '', this.url);
    if (pathname === '/.well-known/oauth-protected-resource/mcp') return sendJson(response, 200, this.metadata);
    if (pathname !== '/mcp' && this.behind === '') return sendJson(response, 404, {});
    this.arrived.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
    if (this.moved !== '') return void response.writeHead(307, { location: this.moved }).end();
    const metadata = `resource_metadata="${new URL('/.well-known/oauth-protected-resource/mcp', this.url).href}"`;
    const [, given = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    const token = given === '' ? undefined : await this.#provider.AccessToken.find(given);
    if (token === undefined || !token.isValid || token.aud !== this.url) {
      this.refused++;
      response.setHeader('www-authenticate', `Bearer ${metadata}, scope="mcp:read"`);
      return sendJson(response, 401, { error: 'invalid_token' });
    }
    if (this.refuses !== '') {
      response.setHeader('www-authenticate', this.refuses);
      return sendJson(response, 403, {});
    }
    const granted = new Set((token.scope ?? '').split(' '));
    if (this.needs.split(' ').some((scope) => !granted.has(scope))) {
      response.setHeader('www-authenticate', `Bearer error="insufficient_scope", scope="${this.needs}", ${metadata}`);
      return sendJson(response, 403, { error: 'insufficient_scope' });
    }
    if (this.behind !== '') return this.#pass(request, response, body);
    if (request.method !== 'POST') return sendJson(response, 405, {});
    const { id, method, params } = JSON.parse(body) as { id?: unknown; method: string; params?: { name?: string } };
    if (id === undefined) return void response.writeHead(202).end();
    const result =
      method === 'initialize'
        ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'guarded', version: '1' } }
        : method === 'tools/list'
          ? { tools: [{ name: 'read_file', description: 'Reads a file', inputSchema: { type: 'object' } }] }
          : { content: [{ type: 'text', text: `did ${params?.name ?? method}` }] };
    if (method === 'initialize') response.setHeader('mcp-session-id', `session-${this.arrived.length}`);
    sendJson(response, 200, { jsonrpc: '2.0', id, result });
  }

  #pass({ method, url = '', headers }: IncomingMessage, response: ServerResponse, body: string): void {
    const { authorization: _token, ...rest } = headers;
    const target = new URL(url.replace(/^\/mcp(?=$|\?)/, new URL(this.behind).pathname), this.behind);
    const onward = send(target, { method, headers: { ...rest, host: target.host }, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    onward.end(body);
  }
}

function createProvider(
  issuer: string,
  resource: string,
  { lifetime = 3600, clients = [], noRegistration, scopes = [] }: OAuthWorldOptions,
): Provider {
  const provider = new Provider(issuer, {
    clients,
    scopes: ['openid', 'offline_access', 'mcp:read', 'mcp:write', ...scopes],
    cookies: { keys: ['test'] },
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: noRegistration !== true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context: unknown, indicator: string) => {
          if (indicator !== resource) throw new Error(`unknown resource ${indicator}`);
          return { scope: 'mcp:read mcp:write', audience: resource, accessTokenTTL: lifetime, accessTokenFormat: 'opaque' };
        },
        useGrantedResource: () => true,
      },
    },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    responseTypes: ['code'],
    pkce: { required: () => true },
    ttl: { RefreshToken: 86_400, Session: 3600, Interaction: 600, Grant: 86_400 },
    clientDefaults: { grant_types: ['authorization_code', 'refresh_token'] },
  });
  return provider;
}

/** A browser with a person in it, who agrees to everything. Ends at the first address that is not the authorization server's. */
export async function logInAt(page: string): Promise<string> {
  const cookies = new Map<string, string>();
  const { origin } = new URL(page);
  let next: { url: string; form?: URLSearchParams } = { url: page };
  for (let step = 0; step < 20; step++) {
    const { url, form } = next;
    if (new URL(url).origin !== origin) return url;
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const text = await answer.text();
    const location = answer.headers.get('location');
    if (location !== null) {
      next = { url: new URL(location, url).href };
      continue;
    }
    const [, action] = /<form[^>]* action="([^"]+)"/.exec(text) ?? [];
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(text) ?? [];
    if (action === undefined || prompt === undefined)
      throw new Error(`no form at ${url}: ${answer.status} ${text.slice(0, 2000)}`);
    const fields = prompt === 'login' ? { prompt, login: 'somebody', password: 'x' } : { prompt };
    next = { url: new URL(action.replaceAll('&amp;', '&'), url).href, form: new URLSearchParams(fields) };
  }
  throw new Error('the login has no end');
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
