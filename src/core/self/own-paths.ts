import { type PathContext, toAbsolutePath, toSlashes } from '../paths/absolute-path.ts';
import { foldPath, spellings } from '../paths/path-forms.ts';

/** A file or folder that makes up clawai, or that it depends on. */
export interface OwnPath {
  /** Absolute, as it is named. */
  readonly path: string;
  /** Where links lead from there; the same as `path` where there are none. */
  readonly real: string;
  /** What it is, for people: `the policy`. */
  readonly what: string;
  /** Nothing is there. Nobody may put anything there, and what lies above may be taken away. */
  readonly isMissing?: boolean;
}

/** Everything that no call may reach, made ready for comparing. */
export interface OwnPaths {
  readonly entries: readonly OwnPath[];
  /** Folded as the platform folds names, with `/` between them, by name and by real path. */
  readonly roots: readonly string[];
  /** Those that are lost with a folder above them. */
  readonly held: readonly string[];
  /** Each name on the way to one of them, folded. */
  readonly names: ReadonlySet<string>;
}

/** The folder of a project's own policy. It is out of reach wherever it lies, since a server may work in any project. */
export const PROJECT_FOLDER = '.clawai';

export function compileOwnPaths(entries: readonly OwnPath[], platform: PathContext['platform']): OwnPaths {
  const context: PathContext = { home: '', cwd: platform === 'windows' ? 'C:/' : '/', platform, remote: false };
  const roots = new Set<string>();
  const held = new Set<string>();
  for (const { path, real, isMissing } of entries) {
    for (const each of [path, real]) {
      for (const spelling of spellings(toAbsolutePath(toSlashesOn(platform, each), context))) {
        const root = foldPath(spelling, platform);
        // A mistake that makes everything ours would deny everything.
        if (root.split('/').length <= 2) continue;
        roots.add(root);
        if (isMissing !== true) held.add(root);
      }
    }
  }
  const names = new Set([...roots].flatMap((root) => root.split('/')));
  names.add(PROJECT_FOLDER);
  names.delete('');
  return { entries, roots: [...roots], held: [...held], names };
}

/** What a decision goes by where no machine is looked at, as for fixtures: only what is ours everywhere. */
export const NO_OWN_PATHS: OwnPaths = compileOwnPaths([], 'posix');

const PROJECT_PART = `/${PROJECT_FOLDER}/`;

/** Does this absolute path, folded, lead to something of ours or into it? */
export function isOwn(path: string, { roots }: OwnPaths): boolean {
  if (roots.some((root) => isBelow(path, root))) return true;
  return path.includes(PROJECT_PART) || path.endsWith(PROJECT_PART.slice(0, -1));
}

/** Does something of ours lie below this absolute path, folded? */
export function holdsOwn(path: string, { held }: OwnPaths): boolean {
  return held.some((root) => isBelow(root, path === '/' ? '' : path));
}

function isBelow(path: string, root: string): boolean {
  return path.startsWith(root) && (path.length === root.length || path[root.length] === '/');
}

function toSlashesOn(platform: PathContext['platform'], path: string): string {
  return platform === 'windows' ? toSlashes(path) : path;
}
