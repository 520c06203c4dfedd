import { describe, expect, it } from 'vitest';
import { createSecretFinder } from '../../../src/core/dlp/find-secrets.ts';
import { canBeSecret, looksSecret } from '../../../src/core/dlp/plausible-secret.ts';
import { policyFrom } from '../../support/policy.ts';

const SECRETS = [
  'hunter2',
  's3cr3t!',
  'Tr0ub4dor&3',
  'correct-horse!battery',
  'a1b2c3d4e5f6',
  '4815162342',
  'uwotm8x',
  'Bearer a1b2c3d4',
];
const EXAMPLES = [
  'your-api-key',
  'YOUR_KEY_HERE',
  '<OAUTH_CLIENT_SECRET>',
  'xxxxxxxx',
  're_xxxxxxxxx',
  'sk-...',
  'password',
  'changeme',
  'api_key',
];
const PLACES = ['/run/secrets/token1', '~/.config/x2', 'https://host1.example/reset', 'postgresql://localhost/mydb1'];
const CODE = [
  'config.auth_token',
  'process.env.HF_TOKEN1',
  'os.getenv("KEY1")',
  'await',
  'sessionCookie',
  'b64encode(x1)',
  '${JWT_SECRET_KEY:?1}',
  '^6.0.0',
  '~0.7.1',
  '#dddddd',
  '!isBearerToken;',
  'opts?.workSecret',
  'this.#options.apiKey',
  'overridesAuth ?',
  'X509Credential |',
  'exchangeX509Token;',
  'credentials_1.Credentials',
  'Uint8Array,',
  '/^[!#$%&]+1$/',
  '/*@__PURE__*/',
  '!0,isCold:!1}',
  'e,token_type:1',
  '*cookie-octet',
  '--user=%s',
  'urn:example:token-type:x509',
  `() => { ${'return x1; '.repeat(60)} }`,
];

/** Texts of files without a secret, and what tells so. */
const HONEST = [
  ['generics of a type', 'list(): Promise<Credential_2> {\n  return 1;\n}\n<T>'],
  ['the end of a string', 'if (field.startsWith("token:")) { parse("x1:") }'],
  ['a value that is the name', 'hide_cookie2 = hide_cookie2; AdminAPIKeys = x1.AdminAPIKeys'],
  ['cookies without a value', "'set-cookie': ['foo=bar', 'bar=baz']"],
  ['words behind bearer', 'Uses a bearer credential. A bearer token-exchange, or bearer authentication.'],
  ['a JWT that was left out', 'idToken: "eyJhbGciOiJS..."'],
  ['a part of a word', 'class PrivateKeyJwtProvider.Options'],
  ['a pattern for addresses', '/^(?:https?|ftp):\\/\\/(?:\\S+(?::\\S*)?@)?x1/'],
  ['an address', 'API key: https://vercel.example/d?to=%2F5Bteam%5D%2F7E%2Fai%2Fapi-keys'],
  ['the number of a key', '"private_key_id": "6ba7b8109dad11d180b400c04fd430c812345678"'],
  ['how a name begins', "JSON_TOKEN_PREFIX = '\\u0000agents-json:1'"],
  ['a short sample of a token', "session: { token: 'abc123' }"],
  ['an invented number', 'ssn 111-22-3333'],
  ['formats', 'creds = " --username=%s --password=%s", auth = "Basic %s"'],
  ['a guest', 'default login anonymous password user@site1'],
  ['words about a login', 'You can login with password authentication.'],
  ['the first and last line of a key', 'A = "-----BEGIN OPENSSH PRIVATE KEY-----"\nB = "-----END OPENSSH PRIVATE KEY-----"'],
  ['a module', 'perldoc -u Some::Module'],
  ['a table of code points', '6700 51F1 5272 5274 5275 5269\n54E8 5546 5531 5617 5968'],
  [
    'names of styles',
    "'border-left', 'border-left-color', 'border-right', 'border-top', 'bottom-right': 'bottom right', 'bottom-left': 'bottom left'",
  ],
] as const;

describe('a value behind the name of a secret', () => {
  it.each(SECRETS)('may be one: %s', (value) => {
    expect([canBeSecret(value), looksSecret(value)]).toEqual([true, true]);
  });

  it.each([...EXAMPLES, ...PLACES])('is none: %s', (value) => {
    expect(looksSecret(value)).toBe(false);
  });

  it.each(CODE)('is code in a text: %s', (value) => {
    expect(looksSecret(value)).toBe(false);
  });

  it.each(HONEST)('none is in a text: %s', (_name, text) => {
    expect(createSecretFinder(policyFrom('').dlp).find(text)).toEqual([]);
  });

  it('words alone count as the value of a member, not in a text', () => {
    expect([canBeSecret('correct horse'), looksSecret('correct horse')]).toEqual([true, false]);
    expect([canBeSecret('password'), canBeSecret('/etc/token')]).toEqual([false, false]);
  });

  it('marks in place of secrets are none, and what stands beside them may be one', () => {
    expect([canBeSecret('[redacted:password]'), looksSecret('[redacted:api key]')]).toEqual([false, false]);
    expect([canBeSecret('[redacted:x]hunter2!xyz'), looksSecret('[redacted:x]hunter2!xyz')]).toEqual([true, true]);
    expect(canBeSecret('[redacted:hunter2!xyz]')).toBe(true);
  });

  it.each(['A', 'a', '0', 'aB', 'A1', 'a.', 'x1_', '?.', '$(', '%s', "'", ' a', ':'])('is told in linear time: %j', (unit) => {
    // A pattern that tried all ways to divide it would not end.
    expect(typeof looksSecret(`${unit.repeat(250)}!`, 'token')).toBe('boolean');
  });

  it('a long value is not examined', () => {
    expect(looksSecret(`x${'a'.repeat(600)}`)).toBe(true);
  });
});
