/** A login at a server's authorization server, without what is secret of it. There is one for each server URL. */
export interface Login {
  /** The server's URL; its tokens are sent to no other. */
  readonly url: string;
  /** The authorization server, as its metadata names it. */
  readonly issuer: string;
  /** The audience that was asked for (RFC 8707); undefined if the server names none. */
  readonly resource: string | undefined;
  /** The granted scopes, separated by spaces; undefined if nobody has said. */
  readonly scope: string | undefined;
  readonly clientId: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint: string | undefined;
  /** The ways in which a client may prove itself at the token endpoint; empty if the metadata lists none. */
  readonly authMethods: readonly string[];
  /** The URL of the server's metadata (RFC 9728), if its challenge named one. */
  readonly metadataUrl: string | undefined;
  /** The time of the login, in milliseconds since 1970. */
  readonly since: number;
  /** The time at which the access token was given, in milliseconds since 1970. */
  readonly renewed: number;
  /** The end of the access token, in milliseconds since 1970; undefined if nobody has said. */
  readonly expires: number | undefined;
  /** Set if the tokens are no longer accepted: the reason, a phrase. */
  readonly problem: string | undefined;
  /** The scopes to ask for at the next login, if the server wanted more than were granted. */
  readonly wanted: string | undefined;
  /** Logins so far that asked for more scopes since the server wanted them; a server may want more each time. */
  readonly raised: number | undefined;
  /** The place of the tokens. */
  readonly place: 'file' | 'keychain';
  /** Random, new whenever the tokens change. */
  readonly version: string;
}

/** The secret part of a login. */
export interface LoginSecrets {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  readonly clientSecret?: string | undefined;
}

/** A login as it is stored; `secrets` are elsewhere, or gone, if they are undefined. */
export interface StoredLogin {
  readonly login: Login;
  readonly secrets: LoginSecrets | undefined;
}

const MUST_BE_TEXT = ['url', 'issuer', 'clientId', 'tokenEndpoint', 'version'] as const;
const MAY_BE_TEXT = ['resource', 'scope', 'revocationEndpoint', 'metadataUrl', 'problem', 'wanted'] as const;

/** Parses the text of the file; undefined if it is invalid, e.g. truncated or of another format. */
export function parseLogins(text: string): readonly StoredLogin[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The text is truncated or overwritten.
    return undefined;
  }
  if (!isObject(value) || value['format'] !== 1 || !Array.isArray(value['logins'])) return undefined;
  const read = value['logins'].map(readLogin);
  return read.some((one) => one === undefined) ? undefined : read.filter((one) => one !== undefined);
}

export function formatLogins(stored: readonly StoredLogin[]): string {
  const logins = stored.map(({ login, secrets }) => ({ ...login, secrets }));
  return `${JSON.stringify({ format: 1, logins }, undefined, 2)}\n`;
}

/** Parses the secrets of a login; undefined for anything else. */
export function parseSecrets(text: string): LoginSecrets | undefined {
  try {
    return readSecrets(JSON.parse(text));
  } catch {
    // Another program wrote it.
    return undefined;
  }
}

function readLogin(value: unknown): StoredLogin | undefined {
  if (!isObject(value)) return undefined;
  const { since, renewed, expires, raised, place, authMethods, secrets } = value;
  const isWhole =
    MUST_BE_TEXT.every((key) => typeof value[key] === 'string') &&
    MAY_BE_TEXT.every((key) => value[key] === undefined || typeof value[key] === 'string') &&
    URL.canParse(String(value['url'])) &&
    typeof since === 'number' &&
    typeof renewed === 'number' &&
    [expires, raised].every((one) => one === undefined || typeof one === 'number') &&
    (place === 'file' || place === 'keychain') &&
    Array.isArray(authMethods) &&
    authMethods.every((method) => typeof method === 'string');
  if (!isWhole) return undefined;
  const texts = Object.fromEntries([...MUST_BE_TEXT, ...MAY_BE_TEXT].map((key) => [key, value[key]]));
  const read = readSecrets(secrets);
  if (secrets !== undefined && read === undefined) return undefined;
  return { login: { ...texts, since, renewed, expires, raised, place, authMethods } as unknown as Login, secrets: read };
}

function readSecrets(value: unknown): LoginSecrets | undefined {
  if (!isObject(value)) return undefined;
  const { accessToken, refreshToken, clientSecret } = value;
  if (typeof accessToken !== 'string') return undefined;
  if (![refreshToken, clientSecret].every((one) => one === undefined || typeof one === 'string')) return undefined;
  return { accessToken, refreshToken, clientSecret } as LoginSecrets;
}

/** Most characters of the scopes that are remembered: servers may ask for anything. */
const MOST_SCOPE = 1024;

/** Unites lists of scopes, each separated by spaces; what is beyond the bound, or is no scope (RFC 6749 3.3), is left out. */
export function uniteScopes(...lists: readonly (string | undefined)[]): string | undefined {
  const scopes = new Set(lists.flatMap((list) => (list ?? '').split(' ')).filter((scope) => SCOPE.test(scope)));
  let text = '';
  for (const scope of scopes) if (text.length + scope.length < MOST_SCOPE) text += text === '' ? scope : ` ${scope}`;
  return text === '' ? undefined : text;
}

/** Returns those scopes of the first list that the second lacks; undefined if there are none. */
export function scopesBeyond(list: string | undefined, known: string | undefined): string | undefined {
  const held = new Set((known ?? '').split(' '));
  return uniteScopes(
    (list ?? '')
      .split(' ')
      .filter((scope) => !held.has(scope))
      .join(' '),
  );
}

const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
