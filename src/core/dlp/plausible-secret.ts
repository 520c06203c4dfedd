import { secretNameKind } from './secret-name.ts';

/** Words that stand for a secret in examples: `<YOUR_KEY>`, `xxxx`, `…`, `your-api-key`, `password`. */
const PLACEHOLDER =
  /^(?:pass(?:word|wd)?|pwd|secrets?|tests?|admin|root|user(?:name)?|example|changeme|tokens?|(?:api[-_]?)?key|none|null|undefined|true|false)$|^(?:your|insert|enter|replace|change|add|put)[-_ ]|(?:^|[-_ ])(?:your|here)(?:$|[-_ ])|^x{3}|[-_ ]x{3}|x{6}|\.{3}$|…/i;

/** Signs of code or of a template, which stands for a value. */
const CODE = /[<>{}()[\]]|^\$|process\.env|\bgetenv\b|^(?:await|async|new|const|let|var)\b/;

/** A long key, whatever stands right behind it. */
const KEY = /^(?=\S{0,40}\d)[A-Za-z0-9+/=-]{24}/;

/** The beginning of one in a value of several words. */
const BEGINS_AS_KEY = /^["'`\\]*(?=\S{0,40}\d)[A-Za-z0-9+/=_-]{16}/;

/** Signs of a place: a secret may lie there, and is not in the text. An address may have a key in its query. */
const PLACE = /^(?:[.~]{0,2}\/[\w./-]+|[A-Za-z][\w+.-]*:\/\/[^@\s]*)$/;
const ADDRESS = /^https?:\/\/(?![^?#]{0,256}[?#].{0,256}(?:key|code|sig\w{0,8}|token|secret|pass\w{0,4})=)[^@\s]*$/i;

/** Most characters that are looked at: examples are short. */
const MOST = 512;

/**
 * Versions, colours, formats and the syntax of standards and languages behind a secret's name: `"auth-token": "^6.0.0"`, `Token: '#dddddd'`,
 * `TOKEN = /^[a-z]+$/`, `{token:e,type:…`.
 */
const HARMLESS =
  /^(?:[\^~<>=v]{0,2}\d+(?:\.[\dx*]+)+(?:-[\w.]+)?|#[\da-f]{3,8}|%(?:\(\w+\))?[sdiv@]|\d\*[a-z]+|\*[a-z-]+|![01]|(?:Big)?U?(?:int|float)\d+(?:clamped)?array|urn:[\w:.-]+)[,.;:?]{0,2}$|^\/(?:[*/^([]|\\[wdsbWDSB])|^![01][,;}]|^!!\w|^[A-Za-z_$][\w$]{0,2},[A-Za-z_$][\w$]*[:=]/i;

/** A name in a program, or a path of such: `config.auth?.token`, `this.#token`. */
const EXPRESSION = /^(?:\.{3})?!?[#A-Za-z_$][A-Za-z_$]*(?:\??\.#?[A-Za-z_$][A-Za-z_$]*)*$/;

/** The same with a number in it, where keys hardly have one: `X509Credential`, `credentials_1.Credentials`, `this.x509Token`. */
const NUMBERED = /^[#A-Za-z_$.?]{0,64}(?:\d{1,3}[A-Z][a-z]|_\d\.[A-Za-z])[#A-Za-z_$.?]{0,64}$/;

/** Signs that end a value in a program: `a ? b : c`, `a | b`. */
const END = /[\s,.;:?|&)}\]]+$/;

/** Matches the replacement of a secret value, and nothing else that begins like it. */
const REDACTED_MARK = /\[redacted:[\w -]{1,64}\]/g;

/** Tells whether nothing is left of a value but marks in place of secrets. */
export function isRedacted(value: string): boolean {
  return value.includes('[redacted:') && value.replaceAll(REDACTED_MARK, '').trim() === '';
}

/** Tells whether the value of a member with a secret's name can be one. Examples, references, code and places are none. */
export function canBeSecret(value: string): boolean {
  if (value.length > MOST) return true;
  if (isRedacted(value)) return false;
  // A key in base64 may begin with a slash.
  return (
    !PLACEHOLDER.test(value) &&
    !(value.length < 40 && PLACE.test(value)) &&
    !ADDRESS.test(value) &&
    !/^\$\{?\w+\}?$|^\S{0,64}(?:\$\(|\(\?[:=!<]|\[\^)/.test(value)
  );
}

/**
 * Tells whether a value that stands in a text behind a secret's name looks like one. Texts are full of code (`token = config.token`), so
 * words alone don't count: there must be a digit, or a sign that names lack.
 */
export function looksSecret(given: string, kind = 'password'): boolean {
  const value = given.replaceAll(REDACTED_MARK, '');
  if (HARMLESS.test(value)) return false;
  // A key has no blanks, however long it is; code does.
  if (value.length > MOST) return BEGINS_AS_KEY.test(value) || !/\s/.test(value.slice(0, MOST));
  if (value.length < (kind === 'password' ? SHORTEST_CHOSEN : SHORTEST) || !canBeSecret(value)) return false;
  if (kind === 'cookie' && !value.split(/;\s*/).some(hasSecretValue)) return false;
  if (
    value
      .replace(END, '')
      .split(/(?:[\s,|&:]|\?(?!\.))+/)
      .every(isName)
  )
    return false;
  if (!KEY.test(value.replace(/^["'`\\]+/, '')) && CODE.test(value.replace(/[\]})>]+$/, ''))) return false;
  return hasSign(value.replaceAll(FORMAT, '')) && !(/%[sdr]/.test(value) && !/\d/.test(value.replaceAll(FORMAT, '')));
}

/** Stands for a value that a program puts in. */
const FORMAT = /%(?:\(\w{1,64}\))?[sdr]/g;

/** Least characters of what people choose, and of what programs make. */
const SHORTEST_CHOSEN = 6;
const SHORTEST = 8;

function hasSign(value: string): boolean {
  return /\d/.test(value)
    ? !/^[\d.:]+$/.test(value) || value.length > 8
    : /[!@#$%^&*+=~?|]/.test(value) && /[A-Za-z]/.test(value);
}

/** Tells whether a cookie's value looks like a secret; its name and the sign between do not matter. */
function hasSecretValue(cookie: string): boolean {
  return hasSign(cookie.slice(cookie.indexOf('=') + 1));
}

function isName(word: string): boolean {
  return EXPRESSION.test(word) || (NUMBERED.test(word) && secretNameKind(word) !== undefined);
}
