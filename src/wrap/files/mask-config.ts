import { jsonTokens } from '../../clients/jsonc.ts';
import { redactedMark, redactText } from '../../core/dlp/redact-text.ts';
import { secretNameKind } from '../../core/dlp/secret-name.ts';
import { showUrl } from '../../remote/remote-server.ts';
import type { CommandLine } from '../wrapped-command.ts';

/** Objects and lists of which no value is shown: who reads a diff needs to see that they are there, and no more. In small letters alone. */
const TABLES: ReadonlyMap<string, string> = new Map([
  ['env', 'env'],
  ['envs', 'env'],
  ['environment', 'env'],
  ['envvars', 'env'],
  ['headers', 'header'],
  ['httpheaders', 'header'],
]);

/** A value that its client fills in, with a word such as `Bearer` in front as it may be, has no secret in it. */
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

interface Frame {
  readonly isObject: boolean;
  /** What every value in it is called; undefined where each is looked at. */
  readonly kind: string | undefined;
  isKeyNext: boolean;
  /** The key of the value that comes next, or the item before it. */
  before: string;
}

/** Is this the URL of a server at `clawai serve`? The secrets in those are of use to nobody else, and are shown. */
export type IsOwnUrl = (url: string) => boolean;

/**
 * The text of a client's config without its secrets: environments, headers, what follows a flag or has a name that says so, and what
 * shows by its form, anywhere. Lines stay as they are, so that a diff of two such texts has the lines of one of the originals.
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

/** A command line without the secrets in its arguments. */
export function maskCommand({ command, args }: CommandLine): CommandLine {
  const shown = args.map((arg, i) => maskItem(arg, args[i - 1] ?? '', () => false));
  return { command: maskText(command, () => false), args: shown };
}

function maskValue(value: string, frame: Frame | undefined, isOwn: IsOwnUrl): string {
  if (value === '' || REFERENCE.test(value)) return value;
  if (frame === undefined) return maskText(value, isOwn);
  const { kind, isObject, before } = frame;
  if (kind !== undefined) return redactedMark(kind);
  if (!isObject) return maskItem(value, before, isOwn);
  const named = secretNameKind(before);
  return named === undefined ? maskText(value, isOwn) : redactedMark(named);
}

function tableKind(key: string): string | undefined {
  return TABLES.get(key.toLowerCase().replaceAll(/[_-]/g, ''));
}

/** One of several values in a row, as arguments are: a flag with its value in one word, or the value of the flag before it. */
function maskItem(item: string, before: string, isOwn: IsOwnUrl): string {
  const [, start = '', flag = '', value = ''] =
    /^((-[eH]))([\w-]+[=:].+)$/s.exec(item) ?? /^((--?[A-Za-z][\w.-]*)(?:=|: ?))(.+)$/s.exec(item) ?? [];
  if (value !== '') return `${start}${maskGiven(value, flag, isOwn)}`;
  const isValue = before.startsWith('-') && !before.includes('=') && !item.startsWith('-');
  return isValue ? maskGiven(item, before, isOwn) : maskText(item, isOwn);
}

/** What a flag was given. */
function maskGiven(value: string, flag: string, isOwn: IsOwnUrl): string {
  if (REFERENCE.test(value)) return value;
  const [, start = '', held = ''] = URL_START.test(value) ? [] : (/^([^=:\s]+(?:=|: ?))(.+)$/s.exec(value) ?? []);
  const pair = PAIR_FLAGS.get(flag);
  if (held !== '' && pair !== undefined) return REFERENCE.test(held) ? value : `${start}${redactedMark(pair)}`;
  const name = flag.replace(/^-+/, '');
  const named = SHORT_NAMES.has(name) ? 'secret' : secretNameKind(name);
  return named === undefined ? maskText(value, isOwn) : redactedMark(named);
}

/** Names of flags that elsewhere may mean anything. */
const SHORT_NAMES: ReadonlySet<string> = new Set(['key', 'pat', 'pw']);

const URL_START = /^[a-z][\w+.-]*:\/\//i;

function maskText(text: string, isOwn: IsOwnUrl): string {
  if (URL_START.test(text)) return isOwn(text) ? text : showUrl(text);
  // A config in an argument or a variable.
  if (/^\s*[{[]/.test(text)) return maskConfig(text, isOwn);
  return redactText(text, text.length).text;
}
