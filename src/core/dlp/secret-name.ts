/** Cheap first look: a name without any of these says nothing of a secret. */
const HINT = /pass|pwd|secret|token|key|auth|cookie|cred|bearer|jwt|conn|dsn/i;

/** Words that say it alone, wherever they stand in a name: `GITHUB_TOKEN_PROD`, `newPassword`. */
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

/** Words that say it only at a name's end: `db_pass`, `_auth`, but not `pass_through` or `auth_method`. */
const LAST_WORDS: ReadonlyMap<string, string> = new Map([
  ['pass', 'password'],
  ['auth', 'authorization'],
  ['dsn', 'connection_string'],
]);

/** What makes a `key` a secret one: `x-api-key`, `AWS_SECRET_ACCESS_KEY`, `sshPrivateKey`. */
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

/** A name that ends in one of these is about a secret and does not hold it: `token_count`, `cookie_policy`, `password_length`. */
const ABOUT: ReadonlySet<string> = new Set(
  (
    'count limit length len type name policy size usage used budget expiry expires expiration ttl age url uri endpoint field required ' +
    'enabled index min max format strength rule description hint manager store path file filename dir folder ref arn version rotation ' +
    'consent banner window cost rate price per ids position server address email reset method mode scope status provider issuer'
  ).split(' '),
);

/** With one of these, tokens are what a language model reads, or say where a list or a task is: `max_tokens`, `nextPageToken`. */
const COUNTED: ReadonlySet<string> = new Set(
  'max min num number total prompt completion input output context reasoning thinking cached remaining page next continuation progress'.split(
    ' ',
  ),
);

/** More of a name than this is not looked at: what it is stands at its end. */
const MOST_NAME = 256;

/**
 * Does this name (of an argument, a header, a variable, a field of a form) say that its value is a secret? Words are told apart
 * by case, `_`, `-` and the like, so that `author`, `secretary`, `keyboard` and `tokenizer` say nothing.
 *
 * @returns what kind of secret, e.g. `password` or `api_key`; undefined where the name says none
 */
export function secretNameKind(name: string): string | undefined {
  if (!HINT.test(name)) return undefined;
  if (name.length > MOST_KNOWN_NAME) return judge(name.slice(-MOST_NAME));
  let kind = known.get(name);
  if (kind === undefined) {
    kind = judge(name) ?? NONE;
    if (known.size >= MOST_KNOWN) known.clear();
    // A copy: a part of a text keeps all of the text in memory.
    known.set(Array.from(name).join(''), kind);
  }
  return kind === NONE ? undefined : kind;
}

/** The same few names come again and again. */
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
  return kind === 'token' && words.some((word) => COUNTED.has(word)) ? undefined : kind;
}

function wordsOf(name: string): string[] {
  const apart = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
  const words = apart.toLowerCase().split(/[^a-z]+/);
  return words.filter((word) => word !== '').map((word) => (isPlural(word) ? word.slice(0, -1) : word));
}

function isPlural(word: string): boolean {
  return word.endsWith('s') && !word.endsWith('ss') && !KEPT_S.has(word);
}

/** An `s` at the end that makes no plural, or one that says something. */
const KEPT_S = new Set(['ids', 'status', 'expires', 'tls']);

function pairKind(before: string | undefined, word: string): string | undefined {
  if (before === undefined) return undefined;
  if (word === 'key') return KEYS.get(before);
  const isConnection = (before === 'connection' || before === 'conn') && (word === 'string' || word === 'str');
  return isConnection ? 'connection_string' : undefined;
}

/** Also written together: `PGPASSWORD`, `dbpwd`, `authtoken`. */
function wordKind(word: string): string | undefined {
  const own = WORDS.get(word);
  if (own !== undefined || word.length < 5) return own;
  for (const [ending, kind] of WORDS) if (ending !== 'cred' && word.endsWith(ending)) return kind;
  return undefined;
}
