import { readsPaths } from '../../relation/arg-relation.ts';
import { includesName } from '../../relation/name-relation.ts';
import { withMethod } from '../../relation/rule-relation.ts';
import { SUBJECT_METHODS } from '../../../core/call.ts';
import { kindOfArgument } from '../../../core/match/text-argument.ts';
import { isPathLike } from '../../../core/paths/path-forms.ts';
import type { Matcher } from '../../../core/policy/types.ts';
import type { LintRule } from '../finding.ts';
import { argumentName, eachGlob, passesBy, patternsOf, ruleName, stoppingPatterns } from '../rule-fields.ts';

/** Hardly a tool has a slash in its name, so `*` is any tool as well. */
const ANY_TOOL: Matcher = { op: 'globs', patterns: ['*'] };
const CALLING: Matcher = { op: 'equals', value: SUBJECT_METHODS.tool };

/** An allow rule that looks at a path and at nothing else: what is done there, it does not ask. */
export const pathOnlyAllow: LintRule = {
  id: 'path-only-allow',
  severity: 'warning',
  summary: 'An allow rule only names a path, so it also allows tools that delete or run what is there.',
  *find({ policy }) {
    for (const rule of policy.rules) {
      const { action, tool, server, category, fingerprint, args } = rule;
      if (action !== 'allow' || server !== undefined || category !== undefined || fingerprint !== undefined) continue;
      const { method } = withMethod(rule);
      if (method === undefined || !includesName([method], CALLING)) continue;
      if (tool !== undefined && !includesName([tool], ANY_TOOL)) continue;
      if (!args.some(({ matcher }) => readsPaths(matcher))) continue;
      yield {
        path: ['rule', rule.index, tool === undefined ? 'method' : 'tool'],
        message: `${ruleName(rule)} allows every tool of every server that takes such a path, even one that deletes or runs what is there`,
        hint: 'name the tools or the server, or what the tools do: category = "read"',
      };
    }
  },
};

/** A pattern with `~name`: `~` is the home of the server's user, and the home of somebody else has no short name. */
export const homeOfOther: LintRule = {
  id: 'home-of-other',
  severity: 'warning',
  summary: 'A path begins with ~name, which is not a home in a pattern.',
  find: eachGlob(({ glob, field }) => {
    const name = /^~([A-Za-z_][\w.-]*)(?=\/)/.exec(glob)?.[1];
    if (name === undefined || (field !== 'args' && field !== 'resource')) return undefined;
    return {
      message: `"~${name}" is not the home of ${name} in a pattern, but a folder of that name`,
      hint: `write the whole path, as in "/home/${name}/**"`,
    };
  }),
};

/** Names that hardly anything but a file has, if any argument is meant. */
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
        message: `"${glob}" has no slash, so it does not match "./${example}" and "/path/to/${example}"`,
        hint: `"${anywhere}" matches that name in every folder, however its path is written`,
      };
    }
  },
};

const VARIABLE = /^(?:file:\/\/)?(\$[A-Za-z_]\w*|\$\{\w+\}|\$\(\w+\)|\$env:\w+|%[A-Za-z_]\w{2,}%)(?:[/\\]|$)/i;

/** The usual places of variables. */
const PLACES: ReadonlyMap<string, string> = new Map([
  ['HOME', '~'],
  ['PWD', '.'],
  ['USERPROFILE', '~'],
  ['XDG_CONFIG_HOME', '~/.config'],
  ['XDG_DATA_HOME', '~/.local/share'],
  ['APPDATA', '~/AppData/Roaming'],
  ['LOCALAPPDATA', '~/AppData/Local'],
]);

/** `$HOME/.ssh/**` is about a folder that is called `$HOME`. */
export const variableInPath: LintRule = {
  id: 'variable-in-path',
  severity: 'warning',
  summary: 'A path begins with a variable, which patterns do not expand.',
  find: eachGlob(({ rule, glob, path, field, ...rest }) => {
    const variable = VARIABLE.exec(glob)?.[1];
    if (variable === undefined || (field !== 'args' && field !== 'resource')) return undefined;
    const name = argumentName({ rule, glob, path, field, ...rest });
    // A command may well have its variables as they are.
    if (name !== undefined && kindOfArgument(name) !== 'place' && !/^\*+$/.test(name)) return undefined;
    const place = PLACES.get(
      variable
        .replace(/^\$env:/i, '')
        .replaceAll(/\W/g, '')
        .toUpperCase(),
    );
    const better =
      place === undefined
        ? undefined
        : glob
            .replace(variable, place)
            .replace(/^file:\/\//, '')
            .replaceAll('\\', '/');
    // Both may be meant.
    if (better !== undefined && patternsOf(rule).some(({ glob: other }) => other === better)) return undefined;
    return {
      message: `"${glob}" only matches a path that is written with ${variable}: patterns do not expand variables`,
      hint: better === undefined ? 'write the whole path; "~" is the home' : `write "${better}"`,
    };
  }),
};
