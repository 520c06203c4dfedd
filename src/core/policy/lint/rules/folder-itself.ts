import { isPathLike } from '../../path-forms.ts';
import type { Rule } from '../../types.ts';
import type { LintRule } from '../finding.ts';
import { patternsOf } from '../rule-fields.ts';
import { passesBy, stoppingPatterns } from '../stopping-patterns.ts';

/** What is a folder by its name, wherever it lies. */
const FOLDERS =
  /(?:^|[/\\])(?:\.(?:ssh|aws|azure|gnupg|kube|docker|config|git|local|gcloud|mozilla|password-store|clawai|claude|cursor|vscode)|Documents|Desktop|Downloads|Library|AppData|node_modules)$/;
/** What is a folder by where it lies. */
const PLACES = new RegExp(
  String.raw`^(?:file://)?(?:/(?:etc|usr|var|opt|srv|root|home|boot|proc|sys|dev|tmp|s?bin|lib(?:32|64)?|mnt|media|run|private)` +
    String.raw`|/(?:Users|System|Library|Applications|Volumes|secrets?|data)|/(?:home|Users|mnt|media|Volumes)/[\w-]+` +
    String.raw`|/var/(?:lib|log|www|run|db)|/etc/[\w-]+\.d|/usr/(?:s?bin|lib|local|share|src)|[A-Za-z]:[/\\]\w+)$`,
);

/** `"/etc"` is not `/etc/passwd`. */
export const folderItself: LintRule = {
  id: 'folder-itself',
  severity: 'warning',
  summary: 'A rule denies a folder by its path alone, so what lies in it passes.',
  *find(subject) {
    for (const pattern of stoppingPatterns(subject)) {
      const { glob, path, rule } = pattern;
      if (/[*?]/.test(glob.replace(/^\*\*\//, '')) || !isPathLike(glob) || !isFolder(glob) || isAboutWhole(rule)) continue;
      const inside = glob.includes('/') ? `${glob}/**` : `${glob}\\**`;
      if (!passesBy(pattern, inside, subject)) continue;
      yield {
        path,
        message: `"${glob}" is the folder itself; what lies in it passes by it`,
        hint: `add ${JSON.stringify(inside)}, which is everything in it: [${JSON.stringify(glob)}, ${JSON.stringify(inside)}]`,
      };
    }
  },
};

function isFolder(glob: string): boolean {
  return FOLDERS.test(glob) || PLACES.test(glob);
}

/** A rule that lets reading be, or names all of a home too, is about what moves, packs, deletes or searches a folder as a whole. */
function isAboutWhole(rule: Rule): boolean {
  const { category, unless } = rule;
  if ((category !== undefined && !category.includes('read')) || unless?.category?.includes('read') === true) return true;
  return patternsOf(rule).some(({ glob }) => glob === '~' || glob === '/');
}
