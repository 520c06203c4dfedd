import { kindOfArgument } from '../../text-argument.ts';
import type { LintRule } from '../finding.ts';
import { patternsOf } from '../rule-fields.ts';
import { argumentName } from '../stopping-patterns.ts';

const VARIABLE = /^(?:file:\/\/)?(\$[A-Za-z_]\w*|\$\{\w+\}|\$\(\w+\)|\$env:\w+|%[A-Za-z_]\w{2,}%)(?:[/\\]|$)/i;

/** What is the same where nobody has moved it. */
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
  *find({ policy }) {
    for (const { rule, glob = '', path, field, ...rest } of policy.rules.flatMap(patternsOf)) {
      const variable = VARIABLE.exec(glob)?.[1];
      if (variable === undefined || (field !== 'args' && field !== 'resource')) continue;
      const name = argumentName({ rule, glob, path, field, ...rest });
      // A command may well have its variables as they are.
      if (name !== undefined && kindOfArgument(name) !== 'place' && !/^\*+$/.test(name)) continue;
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
      if (better !== undefined && patternsOf(rule).some(({ glob: other }) => other === better)) continue;
      yield {
        path,
        message: `"${glob}" is about a path that is written with ${variable}: patterns do not expand variables, so the folder itself is not meant`,
        hint: better === undefined ? 'write the whole path; "~" is the home' : `write "${better}"`,
      };
    }
  },
};
