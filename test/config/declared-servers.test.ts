import { describe, expect, it } from 'vitest';
import { readDeclaredServers } from '../../src/config/declared-servers.ts';
import { parseToml } from '../../src/core/policy/toml.ts';
import type { PolicyError } from '../../src/core/policy/types.ts';

function read(text: string): { servers: unknown; faults: string[] } {
  const toml = parseToml(text);
  if (!toml.ok) throw new Error(toml.syntax.message);
  const errors: PolicyError[] = [];
  const servers = readDeclaredServers(toml.table['servers'], { errors });
  const faults = errors.map(
    ({ path, message, hint }) => `${path.join('.')}: ${message}${hint === undefined ? '' : ` (${hint})`}`,
  );
  return { servers, faults };
}

const SECRET = 'abcdefghijklmnopqrst-_';
const DIGITS = '0123456789abcdef'.repeat(4);

describe('readDeclaredServers', () => {
  it('reads all of a server', () => {
    const text = `
      [[servers]]
      id = "docs"
      url = "https://docs.example/mcp?key=k"
      secret = "${SECRET}"
      headers = { Authorization = "Bearer t", X-Empty = "" }
      tls_fingerprint = "sha256:${DIGITS.toUpperCase()}"
      [[servers]]
      id = "my wiki"
      url = "http://127.0.0.1:9/"
      auth = "managed"
      modern_only = true
    `;
    expect(read(text)).toEqual({
      servers: [
        {
          id: 'docs',
          url: 'https://docs.example/mcp?key=k',
          secret: SECRET,
          headers: { Authorization: 'Bearer t', 'X-Empty': '' },
          tlsFingerprint: `sha256:${DIGITS}`,
        },
        {
          id: 'my wiki',
          url: 'http://127.0.0.1:9/',
          secret: undefined,
          headers: {},
          tlsFingerprint: undefined,
          auth: 'managed',
          isModernOnly: true,
        },
      ],
      faults: [],
    });
  });

  it('keeps a header whose name means something to JavaScript', () => {
    const { servers } = read('[[servers]]\nid = "a"\nurl = "https://a.example"\nheaders = { "__proto__" = "v" }');
    expect(JSON.stringify(servers)).toContain('{"__proto__":"v"}');
  });

  const start = '[[servers]]\nid = "a"\nurl = "https://a.example/mcp"\n';
  it.each([
    ['servers = 1', 'servers: servers must be a list of tables: [[servers]], not an integer'],
    ['servers = [1]', 'servers.0: servers must be a table, not an integer'],
    [
      '[[servers]]\nurl = "https://a.example"',
      'servers.0: a server needs an id (id = "…": its name in the policy and in its URL)',
    ],
    ['[[servers]]\nid = "a"', 'servers.0: a server needs a url (url = "https://…": the address of the server itself)'],
    [
      '[[servers]]\nid = "a/b"\nurl = "https://a.example"',
      'servers.0.id: servers.id must be 1 to 128 characters, no "/" and no control characters',
    ],
    [
      '[[servers]]\nid = ""\nurl = "https://a.example"',
      'servers.0.id: servers.id must be 1 to 128 characters, no "/" and no control characters',
    ],
    [
      '[[servers]]\nid = "a\\u0007"\nurl = "https://a.example"',
      'servers.0.id: servers.id must be 1 to 128 characters, no "/" and no control characters',
    ],
    ['[[servers]]\nid = ".."\nurl = "https://a.example"', 'servers.0.id: a server\'s id must not be ".."'],
    [`${start}${start}`, 'servers.1.id: there are two servers with the id "a"'],
    [
      `[[servers]]\nid = "a"\nurl = "https://me:pw@a.example"`,
      'servers.0.url: servers.url must not contain a user name or a password (use an authorization header)',
    ],
    ['[[servers]]\nid = "a"\nurl = 1', 'servers.0.url: servers.url must be a URL, not an integer'],
    [`${start}secret = "short"`, 'servers.0.secret: servers.secret must be 22 to 128 letters, digits, "-" or "_"'],
    [`${start}secret = "${SECRET}/"`, 'servers.0.secret: servers.secret must be 22 to 128 letters, digits, "-" or "_"'],
    [`${start}secret = "${'a'.repeat(129)}"`, 'servers.0.secret: servers.secret must be 22 to 128 letters, digits, "-" or "_"'],
    [
      `${start}tls_fingerprint = "sha1:00"`,
      'servers.0.tls_fingerprint: servers.tls_fingerprint must be "sha256:" and 64 hexadecimal digits',
    ],
    [
      `[[servers]]\nid = "a"\nurl = "http://a.example"\ntls_fingerprint = "sha256:${DIGITS}"`,
      'servers.0.tls_fingerprint: tls_fingerprint needs a url with https: there is no key to compare without TLS',
    ],
    [`${start}modern_only = "yes"`, 'servers.0.modern_only: servers.modern_only must be true or false, not a string'],
    [`${start}auth = "oauth"`, 'servers.0.auth: servers.auth must be "managed"'],
    [
      `${start}auth = "managed"\nheaders = { authorization = "Bearer x" }`,
      'servers.0.auth: auth = "managed" sends a token of its own: leave the header "authorization" out',
    ],
    [`${start}headers = "x"`, 'servers.0.headers: servers.headers must be a table of strings, not a string'],
    [`${start}headers = { "a b" = "x" }`, 'servers.0.headers.a b: the header "a b" has a name that HTTP does not allow'],
    [`${start}headers = { a = 1 }`, 'servers.0.headers.a: the header "a" must have a string as its value'],
    [
      `${start}headers = { a = "hunter2\\r\\nb: c" }`,
      'servers.0.headers.a: the header "a" has a value with characters that HTTP does not allow',
    ],
    [
      `${start}headers = { a = "\\u20ac" }`,
      'servers.0.headers.a: the header "a" has a value with characters that HTTP does not allow',
    ],
    [`${start}headers = { a = "x", A = "x" }`, 'servers.0.headers.A: the header "A" appears twice'],
    ...['Host', 'content-length', 'Connection', 'Transfer-Encoding', 'te', 'Upgrade', 'keep-alive'].map((name) => [
      `${start}headers = { ${name} = "x" }`,
      `servers.0.headers.${name}: the header "${name}" is set by clawai, so you cannot give it`,
    ]),
    ...['type', 'command', 'args', 'allowed_env', 'denied_env'].map((key) => [
      `${start}${key} = "http"`,
      `servers.0.${key}: "${key}" is not supported by this version of clawai, so it is refused rather than ignored ` +
        '(leave it out: servers here speak streamable HTTP; others stay in the config of your client, for `clawai wrap`)',
    ]),
    [`${start}ulr = "x"`, 'servers.0.ulr: unknown key "ulr" in [[servers]] (did you mean "url"?)'],
  ])('%j', (text, fault) => {
    expect(read(text).faults).toEqual([fault]);
  });

  it('says all of it at once', () => {
    expect(read('[[servers]]\nsecret = 1\nheaders = 1\n[[servers]]\nid = 1\nurl = "x"').faults).toHaveLength(6);
  });
});
