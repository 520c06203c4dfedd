import {
  auth,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  OAuthError,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  refreshAuthorization,
  selectClientAuthMethod,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  validateAuthorizationResponseIssuer,
} from '../../host/mcp-client.ts';
import { type Login, type LoginSecrets, uniteScopes } from './login.ts';
import type { NewLogin } from './login-store.ts';
import type { Refreshed } from './managed-credentials.ts';

const SECOND = 1000;

/** Ten years: no token lasts longer, and a time far beyond that is no date. */
const MOST_SECONDS = 315_360_000;

/** Asks an address that a server may have named, if it may be asked. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Matches a token that is safe in a header (RFC 6750 2.1, and what servers make of it). */
const TOKEN = /^[\x21-\x7e]+$/;

/** The errors after which a login's tokens are worthless (RFC 6749 5.2). */
const REVOKED: readonly string[] = ['invalid_grant', 'invalid_client', 'unauthorized_client'];

/** A login that failed. The message is for people; it may repeat words of servers, but no token. */
export class LoginFailure extends Error {
  override readonly name = 'LoginFailure';
}

export interface LoginRequest {
  /** The MCP server's own URL. */
  readonly url: string;
  /** The scopes to ask for; without them, those that the server names. */
  readonly scope: string | undefined;
  /** A client that is already registered; without it, one is registered now. */
  readonly client: { readonly id: string; readonly secret: string | undefined } | undefined;
  /** The authorization server to log in at, which the MCP server must name. */
  readonly authorizationServer: string | undefined;
  /** The one of the last login, which is taken again if the MCP server still names it; otherwise the first one is. */
  readonly issuerBefore: string | undefined;
  readonly redirectUrl: string;
  readonly state: string;
  /** Our version, for the server. */
  readonly version: string;
  readonly fetch: Fetch;
}

/** A login that waits for its user at the authorization server. */
export interface BegunLogin {
  /** The page that the user opens. */
  readonly page: URL;
  readonly issuer: string;
  /** The authorization servers that the server names. */
  readonly servers: readonly string[];
  /** Throws a LoginFailure unless `iss` of the callback is that of the authorization server (RFC 9207). */
  readonly checkIssuer: (iss: string | undefined) => void;
  /** Exchanges the code for tokens. @throws LoginFailure, RefusedAddress, or an Error */
  readonly finish: (answer: { readonly code: string; readonly iss: string | undefined }) => Promise<{
    readonly login: NewLogin;
    readonly secrets: LoginSecrets;
  }>;
}

/** Finds the authorization server of an MCP server, and registers if it has to. @throws LoginFailure, RefusedAddress, or an Error */
export async function beginLogin(request: LoginRequest): Promise<BegunLogin> {
  const { url, fetch } = request;
  const challenge = await readChallenge(request);
  const { resourceMetadataUrl } = challenge;
  const scope = request.scope ?? challenge.scope;
  const chosen = await chooseServer(request, resourceMetadataUrl);
  const seen: Seen = chosen === undefined ? {} : { found: chosen };
  const provider = createProvider(request, seen);
  const options = {
    serverUrl: url,
    fetchFn: fetch,
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    ...(scope === undefined ? {} : { scope }),
  };
  await auth(provider, { ...options, forceReauthorization: true });
  const { page, found } = seen;
  if (page === undefined || found === undefined) throw new LoginFailure('the authorization server has no page for a login');
  const { authorizationServerMetadata: metadata, authorizationServerUrl, resourceMetadata } = found;
  const issuer = metadata?.issuer ?? authorizationServerUrl;
  const checkIssuer = (iss: string | undefined): void => {
    const issParameterSupported = metadata?.['authorization_response_iss_parameter_supported'] === true;
    try {
      validateAuthorizationResponseIssuer({ iss, expectedIssuer: metadata?.issuer, issParameterSupported });
    } catch {
      // The error repeats what the callback said, which anybody may have sent.
      throw new LoginFailure('the answer is not from the authorization server that was asked');
    }
  };
  return {
    page,
    issuer,
    servers: resourceMetadata?.authorization_servers ?? [],
    checkIssuer,
    async finish({ code, iss }) {
      checkIssuer(iss);
      await auth(provider, { ...options, authorizationCode: code, ...(iss === undefined ? {} : { iss }) });
      const { tokens, client } = seen;
      if (tokens === undefined || client === undefined) throw new LoginFailure('the authorization server gave no token');
      const now = Date.now();
      return {
        login: {
          url,
          issuer,
          resource: seen.resource,
          scope: uniteScopes(tokens.scope ?? page.searchParams.get('scope') ?? undefined),
          clientId: client.client_id,
          tokenEndpoint: metadata?.token_endpoint ?? new URL('/token', authorizationServerUrl).href,
          revocationEndpoint: revocationOf(metadata),
          authMethods: metadata?.token_endpoint_auth_methods_supported ?? [],
          metadataUrl: resourceMetadataUrl?.href,
          since: now,
          renewed: now,
          expires: expiryOf(tokens, now),
          problem: undefined,
          wanted: undefined,
          raised: undefined,
        },
        secrets: { ...secretsIn(tokens), clientSecret: textOf(client.client_secret) },
      };
    },
  };
}

/** Chooses among the authorization servers that a server names; undefined for the first of them. @throws LoginFailure if that asked for is none */
async function chooseServer(
  { url, fetch, authorizationServer: asked, issuerBefore }: LoginRequest,
  metadataUrl: URL | undefined,
): Promise<OAuthDiscoveryState | undefined> {
  const wanted = asked ?? issuerBefore;
  if (wanted === undefined) return undefined;
  const options = metadataUrl === undefined ? {} : { resourceMetadataUrl: metadataUrl };
  // Older servers have no such metadata.
  const resourceMetadata = await discoverOAuthProtectedResourceMetadata(url, options, fetch).catch(() => undefined);
  const named = resourceMetadata?.authorization_servers ?? [];
  const found = named.find((one) => isSameIssuer(one, wanted));
  if (resourceMetadata !== undefined && found !== undefined) return { authorizationServerUrl: found, resourceMetadata };
  if (asked === undefined) return undefined;
  throw new LoginFailure(`the server does not name ${asked} as its authorization server; it names ${named.join(', ') || 'none'}`);
}

/** A slash at the end makes no difference, since some write it and some do not. */
function isSameIssuer(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => text.replace(/\/$/, ''));
  return first === second;
}

/** Asks the server without a token: its refusal says where its metadata is, and which scopes it wants. */
async function readChallenge({ url, fetch, version }: LoginRequest): Promise<ReturnType<typeof extractWWWAuthenticateParams>> {
  const params = { protocolVersion: REVISION, capabilities: {}, clientInfo: { name: 'clawai', version } };
  let answer = await ask({ url, fetch }, 'initialize', params);
  if (answer.ok) {
    // Some servers greet everybody, and want a login for what comes next.
    const session = answer.headers.get('mcp-session-id');
    const headers = { 'mcp-protocol-version': REVISION, ...(session === null ? {} : { 'mcp-session-id': session }) };
    answer = await ask({ url, fetch }, 'tools/list', {}, headers);
    if (session !== null) await fetch(url, { method: 'DELETE', headers }).catch(() => {});
  }
  return answer.status === 401 ? extractWWWAuthenticateParams(answer) : {};
}

const REVISION = '2025-11-25';

function ask(
  { url, fetch }: Pick<LoginRequest, 'url' | 'fetch'>,
  method: string,
  params: object,
  headers: object = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: `clawai-${method}`, method, params }),
  });
}

/** Everything that a login learns, step by step. */
interface Seen {
  page?: URL;
  found?: OAuthDiscoveryState;
  resource?: string;
  verifier?: string;
  client?: StoredOAuthClientInformation;
  tokens?: StoredOAuthTokens;
}

function createProvider({ client, redirectUrl, state }: LoginRequest, seen: Seen): OAuthClientProvider {
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'clawai',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => state,
    clientInformation(context) {
      if (client !== undefined && seen.client === undefined) {
        const secret = client.secret === undefined ? {} : { client_secret: client.secret };
        seen.client = { client_id: client.id, ...secret, ...(context === undefined ? {} : { issuer: context.issuer }) };
      }
      return seen.client;
    },
    saveClientInformation(information) {
      seen.client = information;
    },
    tokens: () => undefined,
    saveTokens(tokens) {
      seen.tokens = tokens;
    },
    redirectToAuthorization(page) {
      seen.page = page;
    },
    saveCodeVerifier(verifier) {
      seen.verifier = verifier;
    },
    codeVerifier: () => seen.verifier ?? '',
    saveResourceUrl(resource) {
      seen.resource = resource;
    },
    saveDiscoveryState(found) {
      const metadata = found.authorizationServerMetadata;
      // MCP 2025-11-25, "Authorization Code Protection": without this list, the server does not support PKCE, and clients must refuse.
      if (metadata !== undefined && metadata.code_challenge_methods_supported?.includes('S256') !== true)
        throw new LoginFailure('the authorization server does not support PKCE, which protects the login');
      seen.found = found;
    },
    discoveryState: () => seen.found,
  };
}

/** Exchanges the refresh token of a login for new tokens, with its resource and its scopes. Never rejects. */
export async function refreshLogin(login: Login, secrets: LoginSecrets, fetch: Fetch): Promise<Refreshed> {
  const { refreshToken, clientSecret } = secrets;
  if (refreshToken === undefined) return { kind: 'refused', why: 'its token has ended, and there is none to renew it with' };
  const other = await findOtherIssuer(login, fetch);
  if (other !== undefined) return { kind: 'refused', why: `its server now names another authorization server, ${other}` };
  try {
    const tokens = await refreshAuthorization(login.issuer, {
      metadata: metadataOf(login),
      clientInformation: clientOf(login, clientSecret),
      refreshToken,
      ...(login.resource === undefined ? {} : { resource: login.resource }),
      fetchFn: fetch,
    });
    const news = { scope: uniteScopes(tokens.scope ?? login.scope), expires: expiryOf(tokens, Date.now()) };
    return { kind: 'renewed', news, secrets: { ...secretsIn(tokens), clientSecret } };
  } catch (error) {
    if (error instanceof OAuthError && REVOKED.includes(error.code))
      return { kind: 'refused', why: `its authorization server no longer accepts it (${error.code})` };
    const why = error instanceof OAuthError ? error.code : error instanceof LoginFailure ? error.message : reasonOf(error);
    return { kind: 'failed', why: `its authorization server did not renew it (${why})` };
  }
}

/** A reason without the words of a server, which may repeat what it was sent. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error
    ? String(error.code)
    : error.name === 'Error' || error.name === 'RefusedAddress'
      ? error.message
      : error.name;
}

/** Returns the authorization server that an MCP server names in place of the known one. Where that can't be told, the known one stays. */
async function findOtherIssuer({ url, issuer, metadataUrl }: Login, fetch: Fetch): Promise<string | undefined> {
  try {
    const options = metadataUrl === undefined ? {} : { resourceMetadataUrl: metadataUrl };
    const { authorization_servers: named = [] } = await discoverOAuthProtectedResourceMetadata(url, options, fetch);
    return named.length === 0 || named.some((one) => isSameIssuer(one, issuer)) ? undefined : named[0];
  } catch {
    // Older servers have no such metadata.
    return undefined;
  }
}

/**
 * Tells the authorization server that the tokens are no longer needed (RFC 7009). Does nothing if it has no address for that.
 *
 * @throws RefusedAddress, or an Error
 */
export async function revokeLogin(login: Login, secrets: LoginSecrets, fetch: Fetch): Promise<void> {
  const { revocationEndpoint: endpoint } = login;
  if (endpoint === undefined) return;
  const tokens = { refresh_token: secrets.refreshToken, access_token: secrets.accessToken };
  for (const [hint, token] of Object.entries(tokens)) {
    if (token === undefined) continue;
    const client = clientOf(login, secrets.clientSecret);
    const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
    const form = new URLSearchParams({ token, token_type_hint: hint });
    prove(client, login.authMethods, { headers, form });
    const { status } = await fetch(endpoint, { method: 'POST', headers, body: form });
    if (status >= 300) throw new Error(`it answered with HTTP status ${status}`);
  }
}

/** Adds the client's proof of itself to a request, as at the token endpoint (RFC 6749 2.3.1). */
function prove(
  client: ReturnType<typeof clientOf>,
  methods: readonly string[],
  { headers, form }: { readonly headers: Headers; readonly form: URLSearchParams },
): void {
  const { client_id: id, client_secret: secret } = client;
  if (secret !== undefined && selectClientAuthMethod(client, [...methods]) === 'client_secret_basic') {
    const encoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
    headers.set('authorization', `Basic ${Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString('base64')}`);
    return;
  }
  form.set('client_id', id);
  if (secret !== undefined) form.set('client_secret', secret);
}

function revocationOf(metadata: object | undefined): string | undefined {
  return metadata !== undefined && 'revocation_endpoint' in metadata ? textOf(metadata.revocation_endpoint) : undefined;
}

type Metadata = NonNullable<Parameters<typeof refreshAuthorization>[1]['metadata']>;

/** The part of the authorization server's metadata that a token request needs. */
function metadataOf({ issuer, tokenEndpoint, authMethods }: Login): Metadata {
  return {
    issuer,
    authorization_endpoint: issuer,
    token_endpoint: tokenEndpoint,
    response_types_supported: ['code'],
    ...(authMethods.length === 0 ? {} : { token_endpoint_auth_methods_supported: [...authMethods] }),
  };
}

function clientOf({ clientId }: Login, secret: string | undefined): { client_id: string; client_secret?: string } {
  return { client_id: clientId, ...(secret === undefined ? {} : { client_secret: secret }) };
}

/** @throws LoginFailure if the tokens can't be used */
function secretsIn({
  access_token: accessToken,
  refresh_token: refreshToken,
  token_type: type,
}: StoredOAuthTokens): LoginSecrets {
  if (type.toLowerCase() !== 'bearer')
    throw new LoginFailure('the authorization server gave a token of a kind that clawai does not support');
  if (!TOKEN.test(accessToken)) throw new LoginFailure('the authorization server gave a token that no header can have');
  return { accessToken, refreshToken };
}

/** Servers that say nothing, or 0, are taken to say nothing: a refusal by the server then shows the end. */
function expiryOf({ expires_in: seconds }: StoredOAuthTokens, now: number): number | undefined {
  return seconds === undefined || !(seconds > 0) ? undefined : now + Math.min(seconds, MOST_SECONDS) * SECOND;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
