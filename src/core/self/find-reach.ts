import type { Call } from '../call.ts';
import { type PathContext, toAbsolutePath } from '../paths/absolute-path.ts';
import { MAX_REAL_PATH } from '../paths/long-text.ts';
import { foldPath, toPathForms } from '../paths/path-forms.ts';
import { MOST_PATHS } from '../match/paths-to-resolve.ts';
import type { Reading } from '../match/reading.ts';
import { changesHooks } from './hook-writes.ts';
import { imitatesUs } from './imitates.ts';
import { isDestinationName, isRemovingTool } from './names.ts';
import { holdsOwn, isOwn, type OwnPaths, PROJECT_FOLDER } from './own-paths.ts';
import { findPathWords, leadsFromVariable, type PathWord } from './path-words.ts';
import { isShellPattern, patternLeads, patternNames } from '../shell/shell-pattern.ts';
import { findSuspects, type Suspects } from './suspects.ts';

/** The paths in a call that may be clawai's own. */
export interface Reach {
  /** True if the call reaches for clawai itself; known without asking the disk. */
  isOurs: boolean;
  /** Number of texts that were read as paths. */
  texts: number;
  /** Absolute paths to ask the disk about; the value says whether what lies below them is taken away. */
  readonly toResolve: Map<string, boolean>;
}

/** Looks through a call for what may be clawai's own. Pure; questions to the disk are left open. */
export function findReach(call: Call, reading: Reading, own: OwnPaths): Reach {
  const reach: Reach = { isOurs: false, texts: 0, toResolve: new Map() };
  if (call.isInert === true) return reach;
  const { paths } = reading;
  const suspects = findSuspects(call, reading, own);
  if (suspects.runsChange || changesHooks(call, suspects, reading) || imitatesUs(call)) return { ...reach, isOurs: true };
  const isRemoving = suspects.paths.size > 0 && call.tool !== undefined && isRemovingTool(call.tool);
  for (const [text, name] of suspects.paths) {
    addPath(reach, { text, isRemoved: isRemoving && !isDestinationName(name) }, { reading, paths, own });
    if (reach.isOurs || reach.texts > MOST_PATHS) return reach;
  }
  addJoined(reach, suspects, { reading, paths, own });
  if (reach.isOurs || suspects.commands.size === 0) return reach;
  const inside = foldersOf(suspects, reading);
  for (const [text, isShell] of suspects.commands) {
    for (const word of findPathWords(text, { own, paths, isShell })) {
      if (startsFromVariable(word, own)) reach.isOurs = true;
      else addPath(reach, word, { reading, paths: inside(word), own, isCommand: true });
      if (reach.isOurs || reach.texts > MOST_PATHS) return reach;
    }
  }
  return reach;
}

/** Adds the paths that come in two parts: `{ "folder": "~", "name": ".claude.json" }`. */
function addJoined(reach: Reach, { paths: texts, folders }: Suspects, { reading, paths, own }: Place): void {
  if (folders.size === 0 || texts.size < 2 || texts.size > MOST_JOINED) return;
  for (const folder of [...folders].slice(0, MOST_FOLDERS)) {
    const [base = ''] = reading.forms(folder).absolute;
    for (const text of texts.keys()) {
      if (text === folder || /^[/~$\\]|:/.test(text) || text.length > LONGEST_PATH) continue;
      const path = toAbsolutePath(`${base}/${text}`, paths);
      if (isOwn(foldPath(path, paths.platform), own)) reach.isOurs = true;
      else if (isOpenable(path)) addToResolve(reach, path, false);
    }
  }
}

/** Calls with more paths are lists of whole ones. */
const MOST_JOINED = 16;

/** More folders in one call are no honest command's. */
const MOST_FOLDERS = 8;

/** Most absolute paths that the folders of one word are resolved to. */
const MOST_PLACES = 32;

/** Tells whether a word leads from a variable to clawai's own files: `$X/clawai`, `cd $X && rm -rf clawai`. */
function startsFromVariable({ text, isRemoved, folders }: PathWord, own: OwnPaths): boolean {
  if (leadsFromVariable(text, own)) return true;
  // A mere name may be that of a program.
  if (!isRemoved && !text.includes('/')) return false;
  return folders.some((folder) => folder.startsWith('$') && leadsFromVariable(`${folder}/${text}`, own));
}

/** Relative words of a command are meant from where it goes or is told to run. */
function foldersOf({ folders: named }: Suspects, reading: Reading): (word: PathWord) => PathContext {
  const { paths } = reading;
  const known = new Map<string, PathContext>();
  const there = [...named].slice(0, MOST_FOLDERS).flatMap((folder) => reading.forms(folder).absolute.slice(0, 1));
  const outer: PathContext = there.length === 0 ? paths : { ...paths, roots: [...(paths.roots ?? []), ...there] };
  return ({ folders }) => {
    const key = folders.join('\0');
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = folders.flatMap((folder) => (folder === '' ? [] : toPathForms(folder, outer).absolute)).slice(0, MOST_PLACES);
    const [first, ...others] = found;
    let context = outer;
    if (first !== undefined) {
      const isHere = folders.includes('');
      context = isHere ? { ...outer, roots: [...(outer.roots ?? []), ...found] } : { ...paths, cwd: first, roots: others };
    }
    known.set(key, context);
    return context;
  };
}

interface Asked {
  readonly text: string;
  readonly isRemoved: boolean;
  /** The folders, as texts, that a relative path may be meant from. */
  readonly folders?: readonly string[];
}

interface Place {
  readonly reading: Reading;
  /** The context, with the folders that the text may be meant from. */
  readonly paths: PathContext;
  readonly own: OwnPaths;
  readonly isCommand?: boolean;
}

function addPath(
  reach: Reach,
  { text, isRemoved, folders = [] }: Asked,
  { reading, paths, own, isCommand = false }: Place,
): void {
  reach.texts++;
  const { absolute, climbing, hasNul } = paths === reading.paths ? reading.forms(text) : toPathForms(text, paths);
  const isPattern = isCommand && [text, ...folders].some((each) => isShellPattern(each) || each.includes('{'));
  for (const path of absolute) {
    const folded = foldPath(path, paths.platform);
    const isFound =
      isOwn(folded, own) ||
      (isRemoved && holdsOwn(folded, own)) ||
      (isPattern &&
        (patternNames(folded, PROJECT_FOLDER) ||
          patternLeads(folded, own.roots, false) ||
          (isRemoved && patternLeads(folded, own.held, true)))) ||
      (hasNul && isOwn(beforeNul(folded), own));
    if (isFound) {
      reach.isOurs = true;
      return;
    }
    if (isOpenable(path)) addToResolve(reach, path, isRemoved);
  }
  for (const path of climbing) if (path.length <= LONGEST_PATH) addToResolve(reach, path, isRemoved);
}

function addToResolve({ toResolve }: Reach, path: string, isRemoved: boolean): void {
  // One more than may be is enough to know.
  if (toResolve.size <= MOST_PATHS) toResolve.set(path, isRemoved || toResolve.get(path) === true);
}

/** The path as C reads it, up to the first NUL. */
function beforeNul(path: string): string {
  const nul = path.indexOf('\0');
  return nul === -1 ? path : path.slice(0, nul).replace(/\/$/, '');
}

/** PATH_MAX of Linux is 4,096, that of macOS 1,024; Windows goes further. */
const LONGEST_PATH = 4096;

const LONG_NAME = /[^/]{256}/;

/** Tells whether a system could open this path. A path that it can't open leads nowhere, and most long texts are no paths. */
function isOpenable(path: string): boolean {
  return path.length <= LONGEST_PATH
    ? !(path.length > 255 && LONG_NAME.test(path))
    : path.length <= MAX_REAL_PATH && path[1] === ':';
}
