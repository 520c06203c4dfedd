/** A cheap check: a name without any of these tells of no secret. */
const HINT = /pass|pwd|secret|token|key|auth|cookie|cred|bearer|jwt|conn|dsn/i;

/** Words that tell of a secret by themselves, wherever they stand in a name: `GITHUB_TOKEN_PROD`, `newPassword`. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['password', 'password'],
  ['passwd', 'password'],
  ['passphrase', 'password'],
  ['passcode', 'password'],
  ['pwd', 'password'],
  ['secret', 'secret'],
  ['token', 'token'],
  ['jwt', 'token'],
  ['bearer', 'token'],
  ['cookie', 'cookie'],
  ['credential', 'credentials'],
  ['cred', 'credentials'],
  ['authorization', 'authorization'],
  ['apikey', 'api_key'],
  ['privatekey', 'private_key'],
  ['accesskey', 'access_key'],
  ['secretkey', 'secret'],
  ['accountkey', 'access_key'],
  ['signingkey', 'private_key'],
  ['encryptionkey', 'private_key'],
  ['masterkey', 'access_key'],
  ['sshkey', 'private_key'],
  ['connectionstring', 'connection_string'],
  ['connstr', 'connection_string'],
]);

/** Words that tell of one only at a name's end: `db_pass`, `_auth`, but not `pass_through` or `auth_method`. */
const LAST_WORDS: ReadonlyMap<string, string> = new Map([
  ['pass', 'password'],
  ['auth', 'authorization'],
  ['dsn', 'connection_string'],
]);

/** Words that make a `key` a secret one: `x-api-key`, `AWS_SECRET_ACCESS_KEY`, `sshPrivateKey`. */
const KEYS: ReadonlyMap<string, string> = new Map([
  ['api', 'api_key'],
  ['app', 'api_key'],
  ['client', 'api_key'],
  ['subscription', 'api_key'],
  ['license', 'api_key'],
  ['auth', 'api_key'],
  ['access', 'access_key'],
  ['account', 'access_key'],
  ['storage', 'access_key'],
  ['shared', 'access_key'],
  ['master', 'access_key'],
  ['admin', 'access_key'],
  ['deploy', 'access_key'],
  ['service', 'access_key'],
  ['private', 'private_key'],
  ['signing', 'private_key'],
  ['encryption', 'private_key'],
  ['ssh', 'private_key'],
  ['ssl', 'private_key'],
  ['tls', 'private_key'],
]);

/** Last words of names that are about a secret and do not hold it: `token_count`, `cookie_policy`, `password_length`. */
const ABOUT: ReadonlySet<string> = new Set(
  (
    'count limit length len type name policy size usage used budget expiry expires expiration ttl age url uri endpoint field required ' +
    'enabled index min max format strength rule description hint manager store path file filename dir folder ref arn version rotation ' +
    'consent banner window cost rate price per ids position server address email reset method mode scope status provider issuer ' +
    'prefix suffix pattern regex regexp alphabet separator delimiter error message warning label placeholder algorithm alg encoding ' +
    'scheme realm audience supported'
  ).split(' '),
);

/** With one of these, tokens are those of a language model, or a position in a list or a task: `max_tokens`, `nextPageToken`. */
const COUNTED: ReadonlySet<string> = new Set(
  'max min num number total prompt completion input output context reasoning thinking cached remaining page next continuation progress'.split(
    ' ',
  ),
);

/** Right before it, a token is a place in a list or a transfer, guards a form, or is a coin: `syncToken`, `csrf_token`, `fromToken`. */
const NO_SECRETS: ReadonlySet<string> = new Set('sync resume upload csrf xsrf from to start delta'.split(' '));

/** Most characters of a name that are read, from its end, which tells its meaning. */
const MOST_NAME = 256;

/**
 * The kind of secret that a name tells of (an argument's, a header's, a variable's, a form field's). Words are separated by case, `_`, `-`
 * and the like, so that `author`, `secretary`, `keyboard` and `tokenizer` tell of none.
 *
 * @returns the kind, e.g. `password` or `api_key`; undefined if the name tells of none
 */
export function secretNameKind(name: string): string | undefined {
  if (!HINT.test(name)) return undefined;
  if (name.length > MOST_KNOWN_NAME) return judge(name.slice(-MOST_NAME));
  let kind = known.get(name);
  if (kind === undefined) {
    kind = judge(name) ?? NONE;
    if (known.size >= MOST_KNOWN) known.clear();
    // A copy, since a part of a text keeps all of the text in memory.
    known.set(Array.from(name).join(''), kind);
  }
  return kind === NONE ? undefined : kind;
}

/** Cache, since the same few names recur. */
const known = new Map<string, string>();
const MOST_KNOWN = 256;
const MOST_KNOWN_NAME = 64;
const NONE = '';

function judge(name: string): string | undefined {
  const words = wordsOf(name);
  const last = words.at(-1);
  if (last === undefined || ABOUT.has(last)) return undefined;
  let kind = LAST_WORDS.get(last);
  for (const [index, word] of words.entries()) {
    kind = pairKind(words[index - 1], word) ?? wordKind(word) ?? kind;
  }
  // The number of a key, as in files of Google's service accounts.
  if (kind === 'private_key' && last === 'id') return undefined;
  const isPlain = (word: string, index: number): boolean =>
    COUNTED.has(word) || (NO_SECRETS.has(word) && words[index + 1] === 'token');
  return kind === 'token' && words.some(isPlain) ? undefined : kind;
}

function wordsOf(name: string): string[] {
  const apart = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
  const words = apart.toLowerCase().split(/[^a-z]+/);
  return words.filter((word) => word !== '').map((word) => (isPlural(word) ? word.slice(0, -1) : word));
}

function isPlural(word: string): boolean {
  return word.endsWith('s') && !word.endsWith('ss') && !KEPT_S.has(word);
}

/** Words whose final `s` is no plural, or matters. */
const KEPT_S = new Set(['ids', 'status', 'expires', 'tls']);

function pairKind(before: string | undefined, word: string): string | undefined {
  if (before === undefined) return undefined;
  if (word === 'key') return KEYS.get(before);
  const isConnection = (before === 'connection' || before === 'conn') && (word === 'string' || word === 'str');
  return isConnection ? 'connection_string' : undefined;
}

/** The kind of a word, also of joined ones: `PGPASSWORD`, `dbpwd`, `authtoken`. */
function wordKind(word: string): string | undefined {
  const own = WORDS.get(word);
  if (own !== undefined || word.length < 5) return own;
  for (const [ending, kind] of WORDS) if (ending !== 'cred' && word.endsWith(ending)) return kind;
  return undefined;
}
