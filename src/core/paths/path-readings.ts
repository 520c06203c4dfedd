import { type PathContext, toSlashes } from './absolute-path.ts';
import { decodePercent, decodeRounds } from './percent.ts';

const SCHEME = /^file:/i;

const FOREIGN = /^file:[\\/]{2}([^\\/]*)(.*)$/is;

/** A text that a server may make out of the one it was sent, before it opens anything. */
export interface Reading {
  readonly text: string;
  /** False if only a careless server reads it so: reason enough to deny, none to refuse to allow. */
  readonly isUsual: boolean;
}

/**
 * Every way in which servers are known to read a text on the way to a path or URL: percent-decoded, as the URL that parsers tidy
 * it to, without white space and quotes around it, with `$HOME` expanded, with the bytes that Python writes as lone surrogates, without a
 * query, as a list of paths. The text itself comes first. Linear.
 */
export function readTexts(text: string, context: PathContext): Reading[] {
  const readings: Reading[] = [];
  const rounds = decodeRounds(text);
  for (const decoded of rounds) readAs(decoded, readings, context);
  for (const part of new Set(Array.from(rounds, pathsIn).flat())) {
    const own: Reading[] = [];
    readAs(part, own, context);
    for (const reading of own) readings.push({ text: reading.text, isUsual: false });
  }
  for (const { text: url } of readings.slice()) {
    const bare = url.replace(USER_INFO, '$1').replace(FINAL_DOT, '$1');
    if (bare !== url) readings.push({ text: bare, isUsual: true });
    if (!bare.includes('://')) continue;
    const old = bare.replace(OLD_ADDRESS, toOldAddress);
    if (old !== bare) readings.push({ text: old, isUsual: false });
    const inName = bare.replace(NAMED_ADDRESS, toNamedAddress);
    if (inName !== bare) readings.push({ text: inName, isUsual: false });
  }
  return readings;
}

function readAs(decoded: string, readings: Reading[], context: PathContext): void {
  const inside = withoutWrapping(decoded);
  const named = withoutPosition(inside);
  const rounds = inside === decoded ? [decoded] : [decoded, inside];
  for (const round of named === inside ? rounds : [...rounds, named]) {
    const isUsual = round !== named || named === inside;
    readings.push({ text: round, isUsual });
    const inHome = withoutVariable(round);
    if (inHome !== round) readings.push({ text: inHome, isUsual });
    const bare = round.length <= LONGEST_LIST ? round.replace(QUERY, '') : round;
    if (bare !== round) readings.push({ text: bare, isUsual: false });
    const escaped = readSurrogateEscapes(round);
    if (escaped !== round) readings.push({ text: escaped, isUsual });
    const url = tidyUrl(round, context);
    if (url === undefined || url === round) continue;
    const isFile = url.startsWith('file:');
    // Characters that the URL parser encodes by itself (spaces, letters with accents) were meant as written.
    readings.push({ text: url, isUsual: isFile && isUsual });
    if (!isFile) readings.push({ text: decodePercent(url), isUsual });
  }
}

/** A path without the white space and the quotes around it, which many servers take off before they open it. */
export function withoutWrapping(text: string): string {
  const bare = text.trim();
  const quote = bare[0];
  const isQuoted = (quote === '"' || quote === "'" || quote === '`') && bare.length > 1 && bare.endsWith(quote);
  return isQuoted ? bare.slice(1, -1).trim() : bare;
}

/** The place in a file that editors and models write behind its path, as in `a.ts:12`, `a.ts:12:3` and `a.ts#L12-L15`. */
const POSITION = /(?::\d+(?:[:-]\d+)*|#L?\d+(?:-L?\d+)?)$/;
const LONGEST_POSITION = 32;

/** The path alone, for servers that go to the place in it. */
export function withoutPosition(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  if (last < 0x30 || last > 0x39) return text;
  const start = Math.max(0, text.length - LONGEST_POSITION);
  return text.slice(0, start) + text.slice(start).replace(POSITION, '');
}

/** The address in a host's name, which services such as nip.io and sslip.io answer with, whatever stands in front of it. */
const NAMED_ADDRESS =
  /^([a-z][a-z0-9+.-]*:\/\/)(?:[\w.-]{0,253}[.-])?(?:(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})|([0-9a-f]{8}))(?=[.-][\w.-]{0,253}[a-z])[\w.-]*/i;

function toNamedAddress(_all: string, scheme: string, ...parts: readonly (string | undefined)[]): string {
  const [a, b, c, d, hex] = parts;
  const bytes =
    hex === undefined ? [a, b, c, d].map(Number) : [0, 2, 4, 6].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return `${scheme}${bytes.join('.')}`;
}

/**
 * An IPv6 address that leads to one of IPv4, as `tidyUrl` prints it: mapped, compatible, translated (RFC 4291, 6052), or by 6to4 (RFC
 * 3056).
 */
const OLD_ADDRESS =
  /^([a-z][a-z0-9+.-]*:\/\/)\[(?:(?:::(?:ffff:(?:0:)?)?|64:ff9b:(?:1)?:+)([0-9a-f]{1,4}):([0-9a-f]{1,4})|2002:([0-9a-f]{1,4}):([0-9a-f]{1,4}):[0-9a-f:]*)\]/;

function toOldAddress(_all: string, scheme: string, ...halves: readonly (string | undefined)[]): string {
  const [high = 0, low = 0] = halves.slice(0, 4).flatMap((half) => (half === undefined ? [] : [Number.parseInt(half, 16)]));
  return `${scheme}${[high >> 8, high & 255, low >> 8, low & 255].join('.')}`;
}

/** `http://name:password@host/` and `http://host./` are the same host. */
const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i;
const FINAL_DOT = /^([a-z][a-z0-9+.-]*:\/\/[^/?#:]+)\.(?=[/?#:]|$)/i;

/** A query or fragment behind a path or URL: development servers open `/.env?raw` and `/@fs/home/u/.netrc?import` as the file. */
const QUERY = /[?#][^\s/\\]+$/;

/** A variable in front as shells, `cmd`, PowerShell and editors write it, with a default or without. */
const VARIABLE = /^(?:\$\{(?:env:)?(\w+)(?:[:%-][^{}]*)?\}|\$(?:env:)?(\w+)|%(\w+)%)/;

/** The folders in the home that variables name, where nobody has set them otherwise. */
const FOLDERS: ReadonlyMap<string, string> = new Map([
  ['HOME', '~'],
  ['userHome', '~'],
  ['USERPROFILE', '~'],
  ['XDG_CONFIG_HOME', '~/.config'],
  ['XDG_DATA_HOME', '~/.local/share'],
  ['XDG_STATE_HOME', '~/.local/state'],
  ['XDG_CACHE_HOME', '~/.cache'],
  ['APPDATA', '~/AppData/Roaming'],
  ['LOCALAPPDATA', '~/AppData/Local'],
]);

/** A path with the folder in the place of a variable in front. */
export function withoutVariable(text: string): string {
  if (!text.startsWith('$') && !text.startsWith('%')) return text;
  return text.replace(VARIABLE, (whole: string, ...names: readonly unknown[]) => {
    const name = names.slice(0, 3).find((each) => typeof each === 'string');
    return (typeof name === 'string' ? FOLDERS.get(name) : undefined) ?? whole;
  });
}

/** Longer texts are no list of a few paths. */
const LONGEST_LIST = 4096;
const MOST_IN_LIST = 32;
/** Separators in lists, without the colon of a drive or scheme. */
const SEPARATORS = /[,;=|&\n]|(?<=\w\w|\W):(?!\/\/|\d)/;
const JSON_LIKE = /^\s*(?:\{|\[\s*[[{"])/;
/** Quotes and brackets of lists that are no JSON, and of links. */
const AROUND = /^[\s[({<'"`]+|[\s\])}>'"`]+$/g;
const PATH_IN_LIST = /^(?:~|\.[\w./\\]|[\w.-]*[/\\])/;

/**
 * The paths of a text that lists several, as servers take them: `.env,README.md`, `/a:/b`, `~/.kube/config:/x:ro`, `source=/a,target=/b`,
 * `['/a']`. Only what looks like a path counts, and nothing in prose, which has spaces.
 */
function pathsIn(text: string): readonly string[] {
  if (text.length > LONGEST_LIST || !/[,;:=|&\n[(<]/.test(text) || JSON_LIKE.test(text)) return [];
  const parts = text.split(SEPARATORS, MOST_IN_LIST + 1);
  if (parts.length > MOST_IN_LIST) return [];
  const paths = parts.map((part) => part.replace(AROUND, '')).filter((part) => part !== text && isListed(part));
  // Queries have a plus for a space.
  return text.includes('?') ? paths.flatMap((path) => [path, path.replaceAll('+', ' ')]) : paths;
}

function isListed(part: string): boolean {
  return PATH_IN_LIST.test(part) && (part.startsWith('/') || part.startsWith('~/') || !/\s/.test(part));
}

/** Control characters and spaces in front, tabs and line ends anywhere are dropped by URL parsers (WHATWG URL §4.4). */
// oxlint-disable-next-line no-control-regex
const URL_LIKE = /^[\0-\x20]*[a-z][a-z0-9+.\t\n\r-]*:/i;
const DRIVE = /^[a-z]:/i;

/**
 * A URL as WHATWG parsers print it: scheme and host in lower case, numeric hosts in one form, the scheme's own port, `..` and
 * white space gone, `\` as `/` if the scheme is special. Servers look up resources and open pages by this form, so it is one
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

/**
 * The paths that a server may read a `file:` URI as: its decoded path, also without query and fragment (URL parsers drop them,
 * naive ones do not). Empty for another host's URI, which names nothing on this machine (on Windows it is a share). Undefined
 * when the text is no `file:` URI.
 */
export function readFileUri(text: string, { platform }: PathContext): readonly string[] | undefined {
  if (!SCHEME.test(text)) return undefined;
  const windows = platform === 'windows';
  let rest = text.slice('file:'.length);
  if (windows) rest = toSlashes(rest);
  if (rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2);
    const host = slash === -1 ? rest.slice(2) : rest.slice(2, slash);
    const path = slash === -1 ? '/' : rest.slice(slash);
    if (host === '' || host.toLowerCase() === 'localhost') rest = path;
    else if (windows) rest = /^[A-Za-z]:$/.test(host) ? `${host}${path}` : `//${host}${path}`;
    else return [];
  }
  if (windows) rest = rest.replace(/^\/+(?=[A-Za-z](?::|%3a))/i, '');
  const extra = rest.search(/[?#]/);
  const whole = decodePercent(rest);
  const paths = extra === -1 ? [whole] : [decodePercent(rest.slice(0, extra)), whole];
  // `file:etc/passwd` is `/etc/passwd` to URL parsers and a relative path to whoever cuts off the scheme.
  return windows || rest.startsWith('/') ? paths : [...paths, ...paths.map((path) => `/${path}`)];
}

/** The paths that servers which ignore the host read from `file://host/path`: `/path` (Python's urlparse), `host/path` (cut off). */
export function readForeignFileUri(text: string): readonly string[] {
  const [, host = '', path = ''] = FOREIGN.exec(text) ?? [];
  return [decodePercent(path), decodePercent(host + path)];
}
