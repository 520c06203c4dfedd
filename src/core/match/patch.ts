const NO_FILES: readonly string[] = [];

/** A file in a patch as models write it. Programs that take patches trim all that Unicode calls white space. */
const BY_MODELS = /^[\s\u0085]*\*\*\* (?:(?:Add|Update|Delete) File|Move to):(.+)$/s;
/** Some of these programs end a line here, others only at a line feed. */
const ENDS_LINE = /[\r\u0085\u2028\u2029]/;
/** The two names above the changes of a file, as `diff -u` and `diff -c` print them; and what is added may look like one of them. */
const BY_DIFF = /^[ \t]*(?:---|\*\*\*) (.+)\n[ \t]*(?:\+\+\+|---) (.+)$/gm;
/** The only lines about a file of which just the name or the mode changes, or that is binary. */
const BY_GIT = /^[ \t]*(?:(?:rename|copy) (?:from|to)|Index:) (.+)$/gm;
const BOTH_BY_GIT = /^[ \t]*diff --git (.+) ("?b\/.+)$/gm;

/** A text without any of these is no patch, which saves a look at its lines. */
const SIGNS = ['*** Begin Patch', '+++ ', '--- ', 'diff --git ', 'Index: '];

/** The files that a patch changes, by their names with and without the folder that diffs put in front; none if the text is no patch. */
export function filesOfPatch(text: string): readonly string[] {
  if (!SIGNS.some((sign) => text.includes(sign))) return NO_FILES;
  const lines = text.replaceAll('\r\n', '\n');
  const files = new Set<string>();
  if (lines.includes('*** Begin Patch')) for (const path of lines.split('\n').flatMap(readByModel)) files.add(path);
  for (const form of [BY_DIFF, BY_GIT, BOTH_BY_GIT]) {
    for (const [, ...printed] of lines.matchAll(form)) for (const path of printed.flatMap(readPrinted)) files.add(path);
  }
  return files.size === 0 ? NO_FILES : [...files];
}

function readByModel(line: string): readonly string[] {
  const path = BY_MODELS.exec(line)?.[1] ?? '';
  return path === '' ? NO_FILES : [path, ...path.split(ENDS_LINE, 1)].map((each) => each.trim());
}

/** Tells whether a text holds the changes of one file that is named beside it, as agents send them. It then names no other file. */
export function isChange(text: string): boolean {
  return /^\s*(?:@@|<{7} SEARCH\b)/.test(text);
}

const NOWHERE = '/dev/null';

/** A name as diffs print it: quoted if it has other than plain letters, with a time behind a tab. */
function readPrinted(printed: string | undefined): readonly string[] {
  const [name = ''] = (printed ?? '').split('\t', 1);
  const bare = name.trim();
  const path = bare.startsWith('"') && bare.endsWith('"') ? unquote(bare.slice(1, -1)) : bare;
  if (path === '' || path === NOWHERE) return NO_FILES;
  const slash = path.indexOf('/');
  return slash > 0 ? [path, path.slice(slash + 1)] : [path];
}

function unquote(text: string): string {
  return text.replaceAll(/\\([0-7]{3}|.)/g, (_all, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : code,
  );
}
