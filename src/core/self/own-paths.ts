import { type PathContext, toAbsolutePath, toSlashes } from '../paths/absolute-path.ts';
import { foldPath, spellings } from '../paths/path-forms.ts';

/** A file or folder that makes up clawai, or that it depends on. */
export interface OwnPath {
  /** The absolute path, as it is named. */
  readonly path: string;
  /** The path that links lead to from there; the same as `path` if there are none. */
  readonly real: string;
  /** The description for people, such as `the policy`. */
  readonly what: string;
  /** True if nothing is there. Nobody may put anything there, and folders above may be removed. */
  readonly isMissing?: boolean;
}

/** Everything that no call may reach, made ready for comparing. */
export interface OwnPaths {
  readonly entries: readonly OwnPath[];
  /** The paths and real paths, folded as the platform folds names, with `/` between them. */
  readonly roots: readonly string[];
  /** The roots that are lost with a folder above them. */
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

/** The own paths for decisions without a machine, as for fixtures: only what is clawai's everywhere. */
export const NO_OWN_PATHS: OwnPaths = compileOwnPaths([], 'posix');

const PROJECT_PART = `/${PROJECT_FOLDER}/`;

/** Tells whether this absolute path, folded, leads to something of clawai's own or into it. */
export function isOwn(path: string, { roots }: OwnPaths): boolean {
  if (roots.some((root) => isBelow(path, root))) return true;
  return path.includes(PROJECT_PART) || path.endsWith(PROJECT_PART.slice(0, -1));
}

/** Tells whether something of clawai's own lies at or below this absolute path, folded. */
export function holdsOwn(path: string, { held }: OwnPaths): boolean {
  return held.some((root) => isBelow(root, path === '/' ? '' : path));
}

function isBelow(path: string, root: string): boolean {
  return path.startsWith(root) && (path.length === root.length || path[root.length] === '/');
}

function toSlashesOn(platform: PathContext['platform'], path: string): string {
  return platform === 'windows' ? toSlashes(path) : path;
}
