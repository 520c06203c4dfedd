import { secretNameKind } from './secret-name.ts';
import type { SecretSpan } from './secret-forms.ts';
import { findValue, type ValuePlace } from './find-value.ts';

/** A quick check of the whole text: without one of these, no name in it tells of a secret. */
const HINT = /pass|pwd|secret|token|key|auth|cookie|cred|bearer|jwt|conn|dsn|sig/i;

/** Matches `=` and `:` and similar signs (`:=`, `=>`, `==`), a flag with its value after a space, or an element of XML. */
const SIGN = /[=:]{1,2}>?|<[A-Za-z][\w.:-]{2,63}>|(?<![\w-])--?[A-Za-z][\w-]{2,63}[ \t]/g;

/** Matches the sign behind the type in `password: string = "x"`. */
const TYPED = /[ \t]{0,8}=[ \t]{0,8}/y;

const SIGNATURE = /(?:^|[_-])sig(?:nature)?$/i;

/** Most characters of a name. */
const MOST_NAME = 64;

/**
 * Finds values whose name tells that they are secret: `PASSWORD=x`, `"api_key": "x"` (also in JSON within a JSON string), `Authorization:
 * Bearer x`, `--token x`, `<token>x</token>`, `?token=x`, `&sig=x`, `Password=x;Server=y`. Each character is looked at a bounded number of
 * times. References to a variable (`$TOKEN`) don't count.
 *
 * @returns in the order of their starts; a value without an end goes to the text's
 */
export function findAssignments(text: string): SecretSpan[] {
  if (!HINT.test(text)) return [];
  const spans: SecretSpan[] = [];
  SIGN.lastIndex = 0;
  for (let sign = SIGN.exec(text); sign !== null; sign = SIGN.exec(text)) {
    if (sign[0].startsWith('<')) {
      for (const span of element(text, sign)) spans.push(span);
      continue;
    }
    const place = sign[0].startsWith('-') ? afterFlag(text, sign) : afterSign(text, sign);
    if (place === undefined) continue;
    const found = findValue(text, place);
    TYPED.lastIndex = found.at(-1)?.end ?? text.length;
    if (place.isHeader && TYPED.test(text)) found.push(...findValue(text, { ...place, start: TYPED.lastIndex, isHeader: false }));
    for (const span of found) spans.push(span);
    const end = found.at(-1)?.end;
    // Another assignment may follow at once: the search goes on at the end of the value.
    if (end !== undefined && end > SIGN.lastIndex) SIGN.lastIndex = end;
  }
  return spans;
}

/** The content of an element up to the next tag. */
function element(text: string, sign: RegExpExecArray): SecretSpan[] {
  const kind = secretNameKind(sign[0].slice(1, -1));
  const start = sign.index + sign[0].length;
  const next = text.indexOf('<', start);
  const end = next === -1 ? text.length : next;
  return kind === undefined || end === start ? [] : [{ start, end, kind }];
}

function afterFlag(text: string, sign: RegExpExecArray): ValuePlace | undefined {
  const kind = secretNameKind(sign[0].trim());
  const start = skipBlanks(text, sign.index + sign[0].length);
  if (kind === undefined || text.startsWith('--', start)) return undefined;
  return { kind, start, isHeader: false };
}

function afterSign(text: string, sign: RegExpExecArray): ValuePlace | undefined {
  const after = sign.index + sign[0].length;
  if (sign[0] === ':' && text.startsWith('//', after)) return undefined;
  const [start, end] = nameBefore(text, sign.index);
  if (end - start < 3) return undefined;
  const name = text.slice(start, end);
  const kind = isSignature(text, start, name) ? 'signature' : secretNameKind(spacedName(text, start, name));
  return kind === undefined ? undefined : { kind, start: skipBlanks(text, after), isHeader: sign[0] === ':' };
}

/** The name before the sign, without the quotes around it: `"name" :`, `\"name\":`, `['name'] =`. */
function nameBefore(text: string, sign: number): [start: number, end: number] {
  let end = sign;
  while (end > 0 && sign - end < 32 && ` \t"'\`\\]`.includes(text.charAt(end - 1))) end -= 1;
  let start = end;
  while (start > 0 && end - start < MOST_NAME && isNameCode(text.charCodeAt(start - 1))) start -= 1;
  return [start, end];
}

function isNameCode(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2d || code === 0x2e;
}

/** Adds the word before a name: people write `API key: x` and `connection string = x`. */
function spacedName(text: string, start: number, name: string): string {
  if (!/^(?:key|string)$/i.test(name) || text.charAt(start - 1) !== ' ') return name;
  const [before, end] = nameBefore(text, start - 1);
  return `${text.slice(before, end)} ${name}`;
}

/** Tells whether a name is a URL's signature, which gives access to the URL. Other signatures are no secrets. */
function isSignature(text: string, start: number, name: string): boolean {
  return (text.charAt(start - 1) === '?' || text.charAt(start - 1) === '&') && SIGNATURE.test(name);
}

function skipBlanks(text: string, from: number): number {
  let index = from;
  while (text.charAt(index) === ' ' || text.charAt(index) === '\t') index += 1;
  return index;
}
