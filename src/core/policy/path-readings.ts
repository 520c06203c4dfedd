import type { PathContext } from './path-context.ts';
import { decodePercent, decodeRounds } from './percent.ts';

/** A text that a server may make out of the one it was sent, before it opens anything. */
export interface Reading {
  readonly text: string;
  /** False where only a careless server reads it so: reason enough to deny, none to refuse to allow. */
  readonly isUsual: boolean;
}

/**
 * Every way in which servers are known to read a text on the way to a path or URL: percent-decoded, as the URL that parsers tidy
 * it to, with `$HOME` expanded, with the bytes that Python writes as lone surrogates. The text itself comes first. Linear.
 */
export function readTexts(text: string, context: PathContext): Reading[] {
  const readings: Reading[] = [];
  for (const round of decodeRounds(text)) {
    readings.push({ text: round, isUsual: true });
    const inHome = round.startsWith('$') ? round.replace(HOME_VARIABLE, '~') : round;
    if (inHome !== round) readings.push({ text: inHome, isUsual: true });
    const escaped = readSurrogateEscapes(round);
    if (escaped !== round) readings.push({ text: escaped, isUsual: true });
    const url = tidyUrl(round, context);
    if (url === undefined || url === round) continue;
    const isFile = url.startsWith('file:');
    // What it encodes by itself (spaces, letters with accents) was meant as written.
    readings.push({ text: url, isUsual: isFile });
    if (!isFile) readings.push({ text: decodePercent(url), isUsual: true });
  }
  for (const { text: url } of readings.slice()) {
    const bare = url.replace(USER_INFO, '$1').replace(FINAL_DOT, '$1');
    if (bare !== url) readings.push({ text: bare, isUsual: true });
    const old = bare.replace(OLD_ADDRESS, toOldAddress);
    if (old !== bare) readings.push({ text: old, isUsual: false });
  }
  return readings;
}

/** An IPv6 address that leads to one of IPv4, as `tidyUrl` prints it: mapped, compatible, translated (RFC 4291, 6052), or by 6to4 (RFC 3056). */
const OLD_ADDRESS =
  /^([a-z][a-z0-9+.-]*:\/\/)\[(?:(?:::(?:ffff:(?:0:)?)?|64:ff9b:(?:1)?:+)([0-9a-f]{1,4}):([0-9a-f]{1,4})|2002:([0-9a-f]{1,4}):([0-9a-f]{1,4}):[0-9a-f:]*)\]/;

function toOldAddress(_all: string, scheme: string, ...halves: readonly (string | undefined)[]): string {
  const [high = 0, low = 0] = halves.slice(0, 4).flatMap((half) => (half === undefined ? [] : [Number.parseInt(half, 16)]));
  return `${scheme}${[high >> 8, high & 255, low >> 8, low & 255].join('.')}`;
}

/** `http://name:password@host/` and `http://host./` are the same host. */
const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i;
const FINAL_DOT = /^([a-z][a-z0-9+.-]*:\/\/[^/?#:]+)\.(?=[/?#:]|$)/i;

const HOME_VARIABLE = /^\$(?:HOME(?![A-Za-z0-9_])|\{HOME\})/;

/** Control characters and spaces in front, tabs and line ends anywhere are dropped by URL parsers (WHATWG URL §4.4). */
// oxlint-disable-next-line no-control-regex
const URL_LIKE = /^[\0-\x20]*[a-z][a-z0-9+.\t\n\r-]*:/i;
const DRIVE = /^[a-z]:/i;

/**
 * A URL as WHATWG parsers print it: scheme and host in lower case, numeric hosts in one form, the scheme's own port, `..` and
 * white space gone, `\` as `/` where the scheme is special. Servers look up resources and open pages by this form, so it is one
 * of the names of what was asked for. Undefined for what is no URL.
 */
export function tidyUrl(text: string, { platform }: PathContext): string | undefined {
  if (!URL_LIKE.test(text) || (platform === 'windows' && DRIVE.test(text))) return undefined;
  return URL.parse(text)?.href;
}

const ESCAPED_BYTES = /(?<![\uD800-\uDBFF])[\uDC80-\uDCFF]+/g;
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Python opens a lone U+DC80 to U+DCFF as the byte 0x80 to 0xFF (PEP 383), so two of them can spell one letter. */
export function readSurrogateEscapes(text: string): string {
  if (text.isWellFormed()) return text;
  return text.replace(ESCAPED_BYTES, (run) => utf8.decode(Uint8Array.from(run, (unit) => unit.charCodeAt(0) & 0xff)));
}
