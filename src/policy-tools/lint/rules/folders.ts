import { isPathLike } from '../../../core/paths/path-forms.ts';
import type { Rule } from '../../../core/policy/types.ts';
import type { LintRule } from '../finding.ts';
import { eachGlob, passesBy, patternsOf, stoppingPatterns } from '../rule-fields.ts';

/** Arguments whose texts have slashes as often as not. */
const OF_ANY_TEXT = /^(?:command|cmd|command_?line|shell|script|code|sql|url|uri|text|body|content|message)$/i;

const ONE_STAR = /(?<!\*)\*(?!\*)/g;

/** `rm *` is not `rm -rf /home`, since `*` ends at a slash in arguments that are no paths, too. */
export const slashlessStar: LintRule = {
  id: 'slashless-star',
  severity: 'warning',
  summary: 'A pattern that denies has * where slashes are common, so a text with a slash passes.',
  find: eachGlob(({ glob, path, mode, field, rule }) => {
    if (field !== 'args' || mode !== 'possible' || rule.action === 'allow') return undefined;
    if (path.includes('unless') || isPathLike(glob) || glob.search(ONE_STAR) === -1) return undefined;
    const name = path.slice(path.indexOf('args') + 1).findLast((step) => typeof step === 'string' && step !== 'not');
    if (!/\S\s|\s\S/.test(glob) && !OF_ANY_TEXT.test(String(name).replace(/^.*\//, ''))) return undefined;
    const wider = glob.replaceAll(ONE_STAR, '**');
    // A pattern for texts with slashes may stand beside it.
    if (patternsOf(rule).some(({ glob: other }) => other === wider)) return undefined;
    return {
      message: `"${glob}" does not match "${glob.replaceAll(ONE_STAR, 'a/b')}": * stops at a slash`,
      hint: `"${wider}" matches any text there`,
    };
  }),
};

/** `/home/user/project**` is `/home/user/project-of-another/…` too. */
export const openEndedPath: LintRule = {
  id: 'open-ended-path',
  severity: 'warning',
  summary: 'A path that lets calls through ends in ** right after a name, so it also matches longer names.',
  find: eachGlob(({ glob, mode, field }) => {
    if (mode !== 'certain' || (field !== 'args' && field !== 'resource')) return undefined;
    if (!isPathLike(glob) || !/[^/*?]\*\*$/.test(glob) || !/^(?:[~./]|file:)/.test(glob)) return undefined;
    const name = glob.slice(0, -2);
    return {
      message: `"${glob}" also matches "${name}-other/…": ** matches any text, not only after a slash`,
      hint: `"${name}/**" matches what is in ${name}`,
    };
  }),
};

/** `/etc/*` is not `/etc/ssl/key`, which a rule that denies hardly means to let through. */
export const shallowPath: LintRule = {
  id: 'shallow-path',
  severity: 'warning',
  summary: 'A path that denies ends in /*, so deeper files pass.',
  find: eachGlob(({ glob, path, mode, field, rule }) => {
    if (mode !== 'possible' || rule.action === 'allow' || path.includes('unless')) return undefined;
    if ((field !== 'args' && field !== 'resource') || !isPathLike(glob) || !/[^*]\/\*$/.test(glob)) return undefined;
    // A pattern for deeper files may stand beside it.
    if (patternsOf(rule).some(({ glob: other }) => other === `${glob}*`)) return undefined;
    return {
      message: `"${glob}" only matches files right in the folder; deeper files pass`,
      hint: `"${glob}*" matches everything below`,
    };
  }),
};

/** `/home/user/` is the folder and nothing in it. */
export const folderSlash: LintRule = {
  id: 'folder-slash',
  severity: 'warning',
  summary: 'A path ends in a slash, so it matches the folder and nothing in it.',
  find: eachGlob(({ glob, field }) => {
    if ((field !== 'args' && field !== 'resource') || !isPathLike(glob)) return undefined;
    if (!/^(?:\/|~\/|\.\/|\*\*\/|file:\/\/\/).*[^/*]\/$/.test(glob)) return undefined;
    return {
      message: `"${glob}" matches the folder itself and nothing in it`,
      hint: `"${glob}**" matches what is in it`,
    };
  }),
};

/** Folders that are known by their names, wherever they lie. */
const FOLDERS =
  /(?:^|[/\\])(?:\.(?:ssh|aws|azure|gnupg|kube|docker|config|git|local|gcloud|mozilla|password-store|clawai|claude|cursor|vscode)|Documents|Desktop|Downloads|Library|AppData|node_modules)$/;
/** Folders that are known by their places. */
const PLACES = new RegExp(
  String.raw`^(?:file://)?(?:/(?:etc|usr|var|opt|srv|root|home|boot|proc|sys|dev|tmp|s?bin|lib(?:32|64)?|mnt|media|run|private)` +
    String.raw`|/(?:Users|System|Library|Applications|Volumes|secrets?|data)|/(?:home|Users|mnt|media|Volumes)/[\w-]+` +
    String.raw`|/var/(?:lib|log|www|run|db)|/etc/[\w-]+\.d|/usr/(?:s?bin|lib|local|share|src)|[A-Za-z]:[/\\]\w+)$`,
);

/** `"/etc"` is not `/etc/passwd`. */
export const folderItself: LintRule = {
  id: 'folder-itself',
  severity: 'warning',
  summary: 'A rule denies a folder by its path alone, so the files in it pass.',
  *find(subject) {
    for (const pattern of stoppingPatterns(subject)) {
      const { glob, path, rule } = pattern;
      if (/[*?]/.test(glob.replace(/^\*\*\//, '')) || !isPathLike(glob) || !isFolder(glob) || isAboutWhole(rule)) continue;
      const inside = glob.includes('/') ? `${glob}/**` : `${glob}\\**`;
      if (!passesBy(pattern, inside, subject)) continue;
      yield {
        path,
        message: `"${glob}" only matches the folder itself; the files in it pass`,
        hint: `add ${JSON.stringify(inside)}, which matches everything in it: [${JSON.stringify(glob)}, ${JSON.stringify(inside)}]`,
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
