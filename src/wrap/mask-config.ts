import { JsonTokens } from '../clients/json-tokens.ts';
import { redactedMark, redactText } from '../core/dlp/redact-text.ts';
import { secretNameKind } from '../core/dlp/secret-name.ts';
import { showUrl } from '../remote/show-url.ts';
import type { CommandLine } from './wrapped-command.ts';

/** Objects of which no value is shown: who reads a diff needs to see that they are there, and no more. */
const TABLES: ReadonlyMap<string, string> = new Map([
  ['env', 'env'],
  ['envs', 'env'],
  ['environment', 'env'],
  ['headers', 'header'],
  ['http_headers', 'header'],
]);

/** A value that its client fills in, with a word such as `Bearer` in front as it may be, has no secret in it. */
const REFERENCE = /^(?:[A-Za-z]+ )?(?:\$\{(?:\w+:)?\w+\}|\{(?:env|file):[^{}]+\}|\$[A-Za-z_]\w*)$/;

/** Flags whose value is `NAME=value` or `Name: value`. */
const PAIR_FLAGS: ReadonlyMap<string, string> = new Map([
  ['-e', 'env'],
  ['--env', 'env'],
  ['-H', 'header'],
  ['--header', 'header'],
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
  const tokens = new JsonTokens(text, text.startsWith('\uFEFF') ? 1 : 0);
  const frames: Frame[] = [];
  const parts: string[] = [];
  let at = 0;
  const put = (shown: string): void => {
    parts.push(text.slice(at, tokens.start), shown);
    at = tokens.end;
  };
  for (;;) {
    const token = tokens.next();
    const frame = frames.at(-1);
    if (token === 'end') break;
    if (token === 'bad') return parts.join('') + redactText(text.slice(at), text.length).text;
    if (token === 'comment') put(redactText(text.slice(tokens.start, tokens.end), text.length).text);
    else if (token === '{' || token === '[') {
      const kind = frame?.kind ?? (frame?.isObject === true && token === '{' ? TABLES.get(frame.before) : undefined);
      frames.push({ isObject: token === '{', kind, isKeyNext: token === '{', before: '' });
    } else if (token === '}' || token === ']') frames.pop();
    else if (frame !== undefined && (token === ',' || token === ':')) frame.isKeyNext = token === ',' && frame.isObject;
    else if (token === 'string' || token === 'number') {
      const value = tokens.value();
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

/** One of several values in a row, as arguments are. */
function maskItem(item: string, before: string, isOwn: IsOwnUrl): string {
  const pair = PAIR_FLAGS.get(before);
  const [, name = '', mark = '', value = ''] = /^([\w-]+)(=|: ?)(.+)$/s.exec(item) ?? [];
  const kind = pair ?? (item.startsWith('-') ? secretNameKind(name) : undefined);
  if (value !== '' && kind !== undefined) return REFERENCE.test(value) ? item : `${name}${mark}${redactedMark(kind)}`;
  const isValue = before.startsWith('-') && !before.includes('=') && !item.startsWith('-') && !REFERENCE.test(item);
  const named = isValue ? secretNameKind(before.replace(/^-+/, '')) : undefined;
  return named === undefined ? maskText(item, isOwn) : redactedMark(named);
}

function maskText(text: string, isOwn: IsOwnUrl): string {
  if (/^[a-z][\w+.-]*:\/\//i.test(text)) return isOwn(text) ? text : showUrl(text);
  return redactText(text, text.length).text;
}
