import type { SteeringKind } from '../../finding.ts';
import { lowerCase, plainText } from '../values/letters.ts';

/** A value by which something is reached or named, in one spelling, so that two writings of it are equal. */
export interface Address {
  /** `name@host.example`, `host.example/path`, `de89370400440532013000`, `+491701234567` as `491701234567`, `src/index.ts`, `pod-7f9c`. */
  readonly text: string;
  /** Positions in the text that was read, in UTF-16. */
  readonly start: number;
  readonly end: number;
  readonly kind: AddressKind;
}

type AddressKind = Exclude<SteeringKind, 'words' | 'digits'>;

/** Most characters of one address, and most addresses of one text. */
const LONGEST = 200;
const MOST = 4096;

/** Matches a run of what addresses are written with. Letters of other scripts begin a run of their own: some write no spaces. */
const RUN = /[\w\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}.%+@:/~#?=&\\$*-]+|[\p{L}\p{N}_.-]+/gu;

/** Matches characters that nobody sees, which would part an address that a model reads as one. */
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Matches words as most are, which name nothing. */
const PLAIN_WORD = /^\p{L}+[.:?]?$/u;

const MAIL = /^[\p{L}\p{N}_.%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,6}$/u;
/** Matches what may stand around a mail address without a blank: `to:`, `mailto:`, `?subject=`. */
const AROUND_MAIL = /^(?:[\w-]{1,20}[:=])+(?=[^/])|(?:[?&][\w-]+=.*|\/)$/g;
/** Matches the scheme of a URL; browsers need no slashes after those of the web, and take backslashes for slashes. */
const SCHEME = /^(?:[a-z][a-z0-9+.-]{1,15}:\/\/|https?:[/\\]*)/;
const HOST = /^(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?\.){1,8}\p{L}[\p{L}\p{N}]{1,23}$/u;
const ADDRESS_4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const PATH = /^(?:~|\.{1,2}|[a-z]:|\$\w+)?[/\\]|^[\p{L}\p{N}_.@+-]+(?:[/\\][\p{L}\p{N}_.@+*-]+)+[/\\]?$/u;
const HANDLE = /^[#@][\p{L}\p{N}]/u;

/** Words for the signs of a mail address, as people spell it out in some languages. */
const AT = String.raw`[([{<]?\b(?:at|arroba|arobase|chiocciola|małpa|ät|klammeraffe|apenstaartje)\b[)\]}>]?|@`;
const DOT = String.raw`[([{<]?\b(?:dot|punkt|point|punto|ponto|kropka|punt)\b[)\]}>]?|\.`;
const SPELLED = new RegExp(
  String.raw`([\w.+-]{1,64})\s{0,2}(?:${AT})\s{0,2}([a-z0-9-]{1,63}(?:\s{0,2}(?:${DOT})\s{0,2}[a-z0-9-]{1,63}){1,4})`,
  'g',
);
const DOTS = new RegExp(String.raw`\s*(?:${DOT})\s*`, 'g');
const SPELLED_OUT =
  /\b(?:dot|punkt|point|punto|ponto|kropka|punt)\b|\b(?:at|arroba|arobase|chiocciola|małpa|ät|klammeraffe|apenstaartje)\b[)\]}>]?\s{0,2}[a-z0-9-]{1,63}\s{0,2}\.[a-z]/;
/** Matches what has as many digits as an account or a phone, not far from each other. */
const MANY_DIGITS = /(?:\d\D{0,8}){6}\d/;
/** Matches account numbers in groups, as ISO 13616 prints them: two letters, two digits, groups with a digit each. */
const GROUPED_ACCOUNT = /\b[a-z]{2} ?\d{2}(?:[ -]?[a-z]{4})?(?:[ -]?(?=[a-z]{0,3}\d)[a-z0-9]{2,4}){2,8}\b/g;
/** Matches digits in groups: phones, cards, accounts. */
const GROUPED_DIGITS = /(?<![\p{L}\p{N}.])\+?\(?\d(?:[ ().\u00a0/-]{0,2}\d){6,30}(?![\p{L}\p{N}])/gu;

/** Finds the addresses in a text, those within others included, such as the host of a URL. Takes linear time. */
export function addressesIn(original: string): readonly Address[] {
  const text = lowerCase(seenText(original));
  const found: Address[] = [];
  const add = (kind: AddressKind, value: string, start: number, end: number): void => {
    if (value.length >= 3 && value.length <= LONGEST && found.length < MOST) found.push({ text: value, start, end, kind });
  };
  for (const match of text.matchAll(RUN)) if (!PLAIN_WORD.test(match[0])) addRun(match[0], match.index, add);
  if (SPELLED_OUT.test(text)) {
    for (const match of text.matchAll(SPELLED)) {
      const [all, name = '', host = ''] = match;
      const mail = `${name}@${host.replaceAll(DOTS, '.')}`;
      // With both signs it was found as it is; with a word for neither it is prose.
      if (!(name.includes('@') || (/@/.test(all) && !SPELLED_OUT.test(all))) && MAIL.test(mail))
        add('mail', mail, match.index, match.index + all.length);
    }
  }
  if (!MANY_DIGITS.test(text)) return found;
  for (const match of text.matchAll(GROUPED_ACCOUNT)) {
    const value = match[0].replaceAll(/[ -]/g, '');
    if (value.length >= 14 && value.length <= 34) add('account', value, match.index, match.index + match[0].length);
  }
  for (const match of text.matchAll(GROUPED_DIGITS)) {
    const value = match[0].replaceAll(/\D/g, '').replace(/^00/, '');
    if (!/^\d{4}-\d\d-\d\d/.test(match[0])) add('number', value, match.index, match.index + match[0].length);
  }
  return found;
}

/** Returns a text as its reader sees it, whatever it is written with. */
export function seenText(text: string): string {
  return plainText(text).replaceAll(UNSEEN, '');
}

/** Returns a text with blanks in place of its addresses. */
export function withoutAddresses(text: string, addresses: readonly Address[]): string {
  const characters = seenText(text).split('');
  for (const { start, end } of addresses) characters.fill(' ', start, end);
  return characters.join('');
}

type Add = (kind: AddressKind, value: string, start: number, end: number) => void;

function addRun(raw: string, start: number, add: Add): void {
  const run = raw
    .slice(0, LONGEST * 2)
    .replace(/[.:?*&#=%+$-]+$/, '')
    .replace(/^[*.:=&?%]+(?=\w)/, '');
  const end = start + raw.length;
  if (run.includes('@')) {
    const bare = run.replaceAll(AROUND_MAIL, '');
    const turned = [...bare].toReversed().join('');
    const mail = [bare, turned].find((spelling) => MAIL.test(spelling));
    if (mail !== undefined) {
      add('mail', mail, start, end);
      return;
    }
  }
  if (SCHEME.test(run)) {
    addWeb(run.replace(SCHEME, '').replaceAll('\\', '/'), { start, end }, add);
    return;
  }
  const slash = run.search(/[/\\]/);
  const head = (slash === -1 ? run : run.slice(0, slash)).replace(/:\d{1,5}$/, '');
  if (slash !== 0 && (ADDRESS_4.test(head) || HOST.test(head)) && !run.includes('\\')) {
    addWeb(run, { start, end }, add);
    return;
  }
  if (slash !== -1 && PATH.test(run)) {
    add('path', run.replaceAll('\\', '/').replace(/\/+$/, '').replace(/^\.\//, ''), start, end);
    return;
  }
  if (HANDLE.test(run)) add('handle', run.slice(1), start, end);
  for (const [index, part] of partsOf(run)) if (isMachineName(part)) add('id', part, start + index, start + index + part.length);
}

/** The parts of a run between signs that no identifier has. */
function partsOf(run: string): readonly (readonly [number, string])[] {
  const parts: [number, string][] = [];
  for (const match of run.matchAll(/[\p{L}\p{N}_-]+/gu)) parts.push([match.index, match[0].replace(/^-+|-+$/g, '')]);
  return parts;
}

/** Tells whether a name is one that a machine gives: letters with digits, or words joined by signs. */
function isMachineName(part: string): boolean {
  if (part.length < 4) return false;
  return (/\d/.test(part) && /\p{L}/u.test(part)) || /_|-.*-/.test(part);
}

function addWeb(rest: string, { start, end }: { readonly start: number; readonly end: number }, add: Add): void {
  const slash = rest.search(/[/?#]/);
  const authority = (slash === -1 ? rest : rest.slice(0, slash)).replace(/^.*@/, '');
  const host = authority.replace(/^www\./, '').replace(/:(?:80|443)$/, '');
  add('web', host, start, end);
  if (slash === -1) return;
  const path = rest.slice(slash);
  const place = path.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  if (place !== '') add('web', host + place, start, end);
  if (path.length > place.length + 1) add('web', host + path, start, end);
}
