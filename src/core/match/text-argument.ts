import { splitName } from '../classify/split-name.ts';
import type { JsonValue } from '../json.ts';
import { remember } from '../remember.ts';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** What is written for people or models to read, or looked for in such. */
const TEXTS = words(
  'content contents body message messages text texts query queries q description descriptions title titles comment comments subject summary prompt ' +
    'prompts instruction instructions question questions answer thought thoughts note notes observation observations replacement pattern patterns regex ' +
    'search keyword keywords term terms phrase value html markdown md caption label reason explanation details excerpt quote snippet review feedback transcript ' +
    'exclude excludes excluded ignore ignored ' +
    'changelog headline bio topic purpose reply response criteria goal objective task story readme paragraph insight insights step steps plan fact facts memory memories information manifest yaml form',
);
/** The end of a name that is one by what stands before it: `old_string`, `body_html`. */
const FORMS = words('string str plain raw adf');
/** What stood there, or will: `new_source`. */
const BEFORE = words('old new insert');
const OF_CHANGES = words('string str source code lines');

/** What holds the cells of a table, row by row. */
const TABLES = words('values rows cells');
/** What is sent: a message, unless it has arguments of its own in it. */
const PAYLOAD = 'payload';
const BEGINS_AS_JSON = /^\s*[[{"]/;

/** What a server opens, whatever the name that it stands under. */
const PLACES = words(
  'path paths file files filename filenames filepath filepaths uri uris url urls src source destination dest dir directory directories folder folders cwd root roots ' +
    'location href workdir base home',
);

/** What holds the changes of files, and names them in its text. */
const PATCHES = words('patch patches diff diffs input');

/** `text`: it is to be read. `change`: so is it, and nobody opens it, whatever it says. `place`: it is to be opened. `patch`: it may be one. */
export type ArgumentKind = 'text' | 'change' | 'place' | 'patch' | 'other';

/** Is it to be read, unless it is a path by itself? */
export function isTextual(kind: ArgumentKind): boolean {
  return kind === 'text' || kind === 'change';
}

/** Nobody calls an argument by a longer name. */
const LONGEST = 64;

/** What an argument is by its own name: `issue_body` and `newText` are texts, `text_path` is none. */
export const kindOfArgument = remember(readKind, { most: 1024, longest: LONGEST });

/** What an argument is by its own name and what it holds: rows of cells are to be read, where other lists may be of files. */
export function kindOfMember(name: string, value: JsonValue): ArgumentKind {
  const kind = kindOfArgument(name);
  if (kind !== 'other' || !isTextByItsForm(name)) return kind;
  const isText = name === PAYLOAD ? typeof value === 'string' && !BEGINS_AS_JSON.test(value) : isTable(value);
  return isText ? 'text' : kind;
}

/** Is an argument of this name to be read where what it holds has the form of that? */
export function isTextByItsForm(name: string): boolean {
  return name === PAYLOAD || TABLES.has(name);
}

function isTable(value: JsonValue): boolean {
  return Array.isArray(value) && value.length > 0 && (value as readonly JsonValue[]).every(Array.isArray);
}

function readKind(name: string): ArgumentKind {
  if (name.length > LONGEST) return 'other';
  // Where a server cuts names at a NUL, this is the name.
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
  return FORMS.has(last) && parts.some((part) => TEXTS.has(part)) ? 'text' : 'other';
}

/** `~/x`, `/x`, `./x`, `C:\x`, `$HOME/x`, and the same with what is encoded in front. */
const BEGINS_AS_PATH = /^(?:[/~]|\\\\|\.\.?(?:[/\\]|%2f|%5c)|[a-z]:[/\\]|%2f|%5c|%7e|%2e|\$\{?HOME\b|file:)/i;
const ONE_URL = /^[a-z][a-z0-9+.-]*:\S*$/i;
/** `Application Support`, `User Data`, `Profile 1`: what folders with spaces in their names are called, and hardly how a sentence goes on. */
const TITLE = /^[\p{Lu}\d][^\s]*(?: [\p{Lu}\d(][^\s]*)+$/u;

/** Is a text under such a name to be read, and never opened? */
export function isReadOnlyText(text: string, kind: ArgumentKind): boolean {
  return kind === 'change' || (kind === 'text' && !isOnePath(text));
}

/** Is a text one path, or one URL, and nothing else? Then it is opened as such under whatever name it was sent. */
export function isOnePath(text: string): boolean {
  if (text.includes('\n') || text.includes('\r')) return false;
  const bare = text.trim();
  if (ONE_URL.test(bare)) return true;
  return (
    BEGINS_AS_PATH.test(bare) && (!/\s/.test(bare) || bare.split(/[/\\]/).every((name) => !/\s/.test(name) || TITLE.test(name)))
  );
}
