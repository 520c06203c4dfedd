import { splitName } from '../classify/split-name.ts';
import type { JsonValue } from '../json.ts';
import { remember } from '../remember.ts';
import { isCommandName } from '../shell/command-names.ts';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Words of argument names whose texts people or models read, or search for. */
const TEXTS = words(
  'content contents body message messages text texts query queries q description descriptions title titles comment comments subject summary prompt ' +
    'prompts instruction instructions question questions answer thought thoughts note notes observation observations replacement pattern patterns regex ' +
    'search keyword keywords term terms phrase value html markdown md caption label reason explanation details excerpt quote snippet review feedback transcript ' +
    'exclude excludes excluded ignore ignored ' +
    'changelog headline bio topic purpose reply response criteria goal objective task story readme paragraph insight insights step steps plan fact facts memory memories information manifest yaml form',
);
/** Last words that tell only a text's form, so that a word before them decides: `body_raw`. */
const FORMS = words('string str plain raw adf');
/** First words of names that hold a text before or after a change: `new_source`. */
const BEFORE = words('old new insert');
const OF_CHANGES = words('string str source code lines');

/** Names of arguments that hold the cells of a table, row by row. */
const TABLES = words('values rows cells');
/** Name of an argument that holds a message, unless its value looks like JSON. */
const PAYLOAD = 'payload';
const BEGINS_AS_JSON = /^\s*[[{"]/;

/** Last words of names whose values a server opens. */
const PLACES = words(
  'path paths file files filename filenames filepath filepaths uri uris url urls src source destination dest dir directory directories folder folders cwd root roots ' +
    'location href workdir base home',
);

/** Words of names that hold changes of files, and name the files in the text. */
const PATCHES = words('patch patches diff diffs input');

/** `text`: read by people or models. `change`: the same, and never opened, whatever it says. `place`: opened. `patch`: may be a patch. `command`: run. */
export type ArgumentKind = 'text' | 'change' | 'place' | 'patch' | 'command' | 'other';

/** Tells whether an argument of this kind is read by people or models, unless it is a path by itself. */
export function isTextual(kind: ArgumentKind): boolean {
  return kind === 'text' || kind === 'change';
}

/** Nobody calls an argument by a longer name. */
const LONGEST = 64;

/** The kind of an argument by its own name: `issue_body` and `newText` are texts, `text_path` is none. */
export const kindOfArgument = remember(readKind, { most: 1024, longest: LONGEST });

/** The kind of an argument by its own name and its value: rows of cells are text, other lists may be of files. */
export function kindOfMember(name: string, value: JsonValue): ArgumentKind {
  const kind = kindOfArgument(name);
  if (kind !== 'other' || !isTextByItsForm(name)) return kind;
  const isText = name === PAYLOAD ? typeof value === 'string' && !BEGINS_AS_JSON.test(value) : isTable(value);
  return isText ? 'text' : kind;
}

/** Tells whether an argument of this name is text if its value has the form of a table or a message. */
export function isTextByItsForm(name: string): boolean {
  return name === PAYLOAD || TABLES.has(name);
}

function isTable(value: JsonValue): boolean {
  return Array.isArray(value) && value.length > 0 && (value as readonly JsonValue[]).every(Array.isArray);
}

function readKind(name: string): ArgumentKind {
  if (name.length > LONGEST) return 'other';
  // Some servers cut names at a NUL: this is the name they see.
  const [whole = ''] = name.split('\0', 1);
  const parts = splitName(whole);
  const last = parts.at(-1) ?? '';
  const [first = ''] = parts;
  if (PATCHES.has(last) || (PATCHES.has(first) && TEXTS.has(last))) return 'patch';
  if (parts.length > 1 && BEFORE.has(first)) {
    // `new_source` may be where something is taken from from now on.
    if (last !== 'source' && (TEXTS.has(last) || OF_CHANGES.has(last))) return 'change';
    if (OF_CHANGES.has(last)) return 'text';
  }
  if (TEXTS.has(last)) return 'text';
  if (PLACES.has(last)) return 'place';
  if (FORMS.has(last) && parts.some((part) => TEXTS.has(part))) return 'text';
  return isCommandName(whole) ? 'command' : 'other';
}

/** Beginnings of paths: `~/x`, `/x`, `./x`, `C:\x`, `$HOME/x`, and the same with what is encoded in front. */
const BEGINS_AS_PATH = /^(?:[/~]|\\\\|\.\.?(?:[/\\]|%2f|%5c)|[a-z]:[/\\]|%2f|%5c|%7e|%2e|\$\{?HOME\b|file:)/i;
const ONE_URL = /^[a-z][a-z0-9+.-]*:\S*$/i;
/** Names of folders with spaces, such as `Application Support` or `Profile 1`: a sentence hardly goes on like this. */
const TITLE = /^[\p{Lu}\d][^\s]*(?: [\p{Lu}\d(][^\s]*)+$/u;

/** Tells whether a text of this kind is only read, and never opened. */
export function isReadOnlyText(text: string, kind: ArgumentKind): boolean {
  return kind === 'change' || (kind === 'text' && !isOnePath(text));
}

/** Tells whether a text is one path or one URL, and nothing else. A server opens it as such under any name. */
export function isOnePath(text: string): boolean {
  if (text.includes('\n') || text.includes('\r')) return false;
  const bare = text.trim();
  if (ONE_URL.test(bare)) return true;
  return (
    BEGINS_AS_PATH.test(bare) && (!/\s/.test(bare) || bare.split(/[/\\]/).every((name) => !/\s/.test(name) || TITLE.test(name)))
  );
}
