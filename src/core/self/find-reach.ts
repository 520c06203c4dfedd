import type { Call } from '../call.ts';
import { toAbsolutePath } from '../policy/absolute-path.ts';
import { MAX_REAL_PATH } from '../policy/long-text.ts';
import type { PathContext } from '../policy/path-context.ts';
import { foldPath, toPathForms } from '../policy/path-forms.ts';
import { MOST_PATHS } from '../policy/paths.ts';
import { isDestinationName, isRemovingTool } from './names.ts';
import { holdsOwn, isOwn, type OwnPaths } from './own-paths.ts';
import { findPathWords, leadsFromVariable } from './path-words.ts';
import { isShellPattern, patternLeads } from './shell-pattern.ts';
import { findSuspects, type Suspects } from './suspects.ts';

/** What a call names, as far as it may be ours. */
export interface Reach {
  /** Reaching for what is ours was found out without asking the disk. */
  isOurs: boolean;
  /** How many texts were read as paths. */
  texts: number;
  /** Absolute paths to ask the disk about; the value says whether what lies below them is taken away. */
  readonly toResolve: Map<string, boolean>;
}

/** Looks through a call for what may be ours. Pure; what has to be asked of the disk is left open. */
export function findReach(call: Call, paths: PathContext, own: OwnPaths): Reach {
  const reach: Reach = { isOurs: false, texts: 0, toResolve: new Map() };
  const suspects = findSuspects(call, paths, own);
  if (suspects.runsChange) return { ...reach, isOurs: true };
  const isRemoving = suspects.paths.size > 0 && call.tool !== undefined && isRemovingTool(call.tool);
  for (const [text, name] of suspects.paths) {
    addPath(reach, { text, isRemoved: isRemoving && !isDestinationName(name) }, { paths, own });
    if (reach.isOurs || reach.texts > MOST_PATHS) return reach;
  }
  addJoined(reach, suspects, { paths, own });
  if (reach.isOurs) return reach;
  for (const text of suspects.commands) {
    const { words, folders } = findPathWords(text, own, paths);
    if (words.size === 0) continue;
    const inside = withFolders(paths, [...suspects.folders, ...folders]);
    for (const word of words.values()) {
      if (leadsFromVariable(word.text, own)) reach.isOurs = true;
      else addPath(reach, word, { paths: inside, own, isCommand: true });
      if (reach.isOurs || reach.texts > MOST_PATHS) return reach;
    }
  }
  return reach;
}

/** `{ "folder": "~", "name": ".claude.json" }`: a path in two parts. */
function addJoined(reach: Reach, { paths: texts, folders }: Suspects, { paths, own }: Place): void {
  if (folders.size === 0 || texts.size < 2 || texts.size > MOST_JOINED) return;
  for (const folder of [...folders].slice(0, MOST_FOLDERS)) {
    const [base = ''] = toPathForms(folder, paths).absolute;
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

/** Relative words of a command may be meant from where it goes or is told to run. */
function withFolders(paths: PathContext, folders: readonly string[]): PathContext {
  if (folders.length === 0) return paths;
  const found = folders.slice(0, MOST_FOLDERS).flatMap((folder) => toPathForms(folder, paths).absolute.slice(0, 1));
  return { ...paths, roots: [...(paths.roots ?? []), ...found] };
}

interface Asked {
  readonly text: string;
  readonly isRemoved: boolean;
}

interface Place {
  readonly paths: PathContext;
  readonly own: OwnPaths;
  readonly isCommand?: boolean;
}

function addPath(reach: Reach, { text, isRemoved }: Asked, { paths, own, isCommand = false }: Place): void {
  reach.texts++;
  const { absolute, climbing, hasNul } = toPathForms(text, paths);
  const isPattern = isCommand && (isShellPattern(text) || text.includes('{'));
  for (const path of absolute) {
    const folded = foldPath(path, paths.platform);
    const isFound =
      isOwn(folded, own) ||
      (isRemoved && holdsOwn(folded, own)) ||
      (isPattern && (patternLeads(folded, own.roots, false) || (isRemoved && patternLeads(folded, own.held, true)))) ||
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

/** What C makes of it. */
function beforeNul(path: string): string {
  const nul = path.indexOf('\0');
  return nul === -1 ? path : path.slice(0, nul).replace(/\/$/, '');
}

/** PATH_MAX of Linux is 4,096, that of macOS 1,024; Windows goes further. */
const LONGEST_PATH = 4096;

const LONG_NAME = /[^/]{256}/;

/** Could a system open this path? What it can't leads nowhere, and most long texts are no paths. */
function isOpenable(path: string): boolean {
  return path.length <= LONGEST_PATH
    ? !(path.length > 255 && LONG_NAME.test(path))
    : path.length <= MAX_REAL_PATH && path[1] === ':';
}
