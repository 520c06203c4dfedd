import { isPathLike } from '../../path-forms.ts';
import { kindOfArgument } from '../../text-argument.ts';
import type { LintRule } from '../finding.ts';
import { argumentName, passesBy, stoppingPatterns } from '../stopping-patterns.ts';

/** Names that hardly anything but a file has, where any argument is meant. */
const OF_FILES =
  /^(?:\.(?:env|netrc|npmrc|pypirc|pgpass|git-credentials|ssh|aws|gnupg|kube)\b[\w.*?-]*|id_(?:rsa|dsa|ecdsa|ed25519)[\w.*?-]*|\*?\.(?:env|pem|key|p12|pfx|kdbx|ppk|jks)(?:\.?\*)?)$/;
/** Arguments that are paths whatever is in them. A `base` or a `source` is often a branch or a word. */
const PATH_NAME =
  /(?:^|_|[a-z](?=[A-Z]))(?:path|file|file_?name|dir|directory|folder|cwd|workdir)s?$|^(?:file|dir)(?:path|name)s?$/i;

/** `".env"` is not `./.env`. */
export const bareFileName: LintRule = {
  id: 'bare-file-name',
  severity: 'warning',
  summary: 'A rule denies a file by its bare name, so its path passes.',
  *find(subject) {
    for (const pattern of stoppingPatterns(subject)) {
      const { glob, path } = pattern;
      const name = argumentName(pattern);
      if (name === undefined || isPathLike(glob) || glob.startsWith('**') || !/^[\w.*?@+~-]*\w[\w.*?@+~-]*$/.test(glob)) continue;
      if (!PATH_NAME.test(name) && !(OF_FILES.test(glob) && (/^\*+$/.test(name) || kindOfArgument(name) === 'place'))) continue;
      const anywhere = `**/${glob}`;
      if (!passesBy(pattern, anywhere, subject)) continue;
      const example = glob.replaceAll(/\*+/g, 'x').replaceAll('?', 'x');
      yield {
        path,
        message: `"${glob}" has no slash, so it is compared as a text: "./${example}" and "/path/to/${example}" pass by it`,
        hint: `"${anywhere}" is that name in every folder, however its path is written`,
      };
    }
  },
};
