import { jsonTokens } from '../../clients/jsonc.ts';
import { redactedMark, redactText } from '../../core/dlp/redact-text.ts';
import { secretNameKind } from '../../core/dlp/secret-name.ts';
import { showUrl } from '../../remote/remote-server.ts';
import type { CommandLine } from '../wrapped-command.ts';

/**
 * Objects and lists whose values are all masked: a reader of a diff only needs to see that they are there. Keys in lower case, without
 * separators.
 */
const TABLES: ReadonlyMap<string, string> = new Map([
  ['env', 'env'],
  ['envs', 'env'],
  ['environment', 'env'],
  ['envvars', 'env'],
  ['headers', 'header'],
  ['httpheaders', 'header'],
]);

/** Matches a value that its client fills in, perhaps after a word such as `Bearer`; it contains no secret. */
const REFERENCE = /^(?:[A-Za-z]+ )?(?:\$\{(?:\w+:)?\w+\}|\{(?:env|file):[^{}]+\}|\$[A-Za-z_]\w*)$/;

/** Flags whose value is `NAME=value` or `name:value`. */
const PAIR_FLAGS: ReadonlyMap<string, string> = new Map([
  ['-e', 'env'],
  ['--env', 'env'],
  ['-H', 'header'],
  ['--header', 'header'],
  ['-u', 'password'],
  ['--user', 'password'],
]);

/** The place of a value. */
export interface ValuePlace {
  readonly isObject: boolean;
  /** The kind of every value there; undefined if each is checked by itself. */
  readonly kind: string | undefined;
  /** The key of the value, or the previous item. */
  readonly before: string;
}

interface Frame extends ValuePlace {
  isKeyNext: boolean;
  before: string;
}

/** Tells whether this is the URL of a server at `clawai serve`. Its secret is useless to others, so it is shown. */
export type IsOwnUrl = (url: string) => boolean;

/**
 * Masks the secrets in the text of a client's config: environments, headers, values of flags or keys with a telling name, and anything that
 * looks like a secret. Lines stay as they are, so that a diff of two masked texts has the lines of the originals.
 */
export function maskConfig(text: string, isOwn: IsOwnUrl): string {
  const frames: Frame[] = [];
  const parts: string[] = [];
  let at = 0;
  for (const { kind: token, start, end, value } of jsonTokens(text.replace(/^\uFEFF/, ' '))) {
    const put = (shown: string): void => {
      parts.push(text.slice(at, start), shown);
      at = end;
    };
    const frame = frames.at(-1);
    if (token === 'bad') return parts.join('') + redactText(text.slice(at), text.length).text;
    if (token === 'comment') put(redactText(text.slice(start, end), text.length).text);
    else if (token === '{' || token === '[') {
      const kind = frame?.kind ?? (frame?.isObject === true ? tableKind(frame.before) : undefined);
      frames.push({ isObject: token === '{', kind, isKeyNext: token === '{', before: '' });
    } else if (token === '}' || token === ']') frames.pop();
    else if (frame !== undefined && (token === ',' || token === ':')) frame.isKeyNext = token === ',' && frame.isObject;
    else if (token === 'string' || token === 'number') {
      if (frame?.isKeyNext !== true) {
        const shown = maskValue(value, frame, isOwn);
        if (shown !== value) put(JSON.stringify(shown));
      }
      if (frame !== undefined && (frame.isKeyNext || !frame.isObject)) frame.before = value;
    }
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** Masks the secrets in a command line's arguments. */
export function maskCommand({ command, args }: CommandLine): CommandLine {
  const shown = args.map((arg, i) => maskItem(arg, args[i - 1] ?? '', () => false));
  return { command: maskText(command, () => false), args: shown };
}

/** Masks one value. @param frame undefined if it is the whole text */
export function maskValue(value: string, frame: ValuePlace | undefined, isOwn: IsOwnUrl): string {
  if (value === '' || REFERENCE.test(value)) return value;
  if (frame === undefined) return maskText(value, isOwn);
  const { kind, isObject, before } = frame;
  if (kind !== undefined) return redactedMark(kind);
  if (!isObject) return maskItem(value, before, isOwn);
  const named = secretNameKind(before);
  return named === undefined ? maskText(value, isOwn) : redactedMark(named);
}

/** The kind of all values below a key; undefined if each is checked by itself. */
export function tableKind(key: string): string | undefined {
  return TABLES.get(key.toLowerCase().replaceAll(/[_-]/g, ''));
}

/** Masks one of several values in a row, such as arguments: a flag with its value in one word, or the value of the flag before it. */
function maskItem(item: string, before: string, isOwn: IsOwnUrl): string {
  const [, start = '', flag = '', value = ''] =
    /^((-[eH]))([\w-]+[=:].+)$/s.exec(item) ?? /^((--?[A-Za-z][\w.-]*)(?:=|: ?))(.+)$/s.exec(item) ?? [];
  if (value !== '') return `${start}${maskGiven(value, flag, isOwn)}`;
  const isValue = before.startsWith('-') && !before.includes('=') && !item.startsWith('-');
  return isValue ? maskGiven(item, before, isOwn) : maskText(item, isOwn);
}

/** Masks the value of a flag. */
function maskGiven(value: string, flag: string, isOwn: IsOwnUrl): string {
  if (REFERENCE.test(value)) return value;
  const [, start = '', held = ''] = URL_START.test(value) ? [] : (/^([^=:\s]+(?:=|: ?))(.+)$/s.exec(value) ?? []);
  const pair = PAIR_FLAGS.get(flag);
  if (held !== '' && pair !== undefined) return REFERENCE.test(held) ? value : `${start}${redactedMark(pair)}`;
  const name = flag.replace(/^-+/, '');
  const named = SHORT_NAMES.has(name) ? 'secret' : secretNameKind(name);
  return named === undefined ? maskText(value, isOwn) : redactedMark(named);
}

/** Names of flags that only after a dash mean a secret. */
const SHORT_NAMES: ReadonlySet<string> = new Set(['key', 'pat', 'pw']);

const URL_START = /^[a-z][\w+.-]*:\/\//i;

function maskText(text: string, isOwn: IsOwnUrl): string {
  if (URL_START.test(text)) return isOwn(text) ? text : showUrl(text);
  // The text is a config in an argument or a variable.
  if (/^\s*[{[]/.test(text)) return maskConfig(text, isOwn);
  return redactText(text, text.length).text;
}
