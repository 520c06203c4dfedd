import type { LintRule } from '../finding.ts';
import { fieldsOf } from '../rule-fields.ts';

/** `args."a.b"` is one argument with a dot in its name. */
export const dottedArgument: LintRule = {
  id: 'dotted-argument',
  severity: 'warning',
  summary: 'A quoted key with a dot is one name, not a path.',
  *find({ policy }) {
    for (const { field, path } of policy.rules.flatMap(fieldsOf)) {
      if (field !== 'args') continue;
      const name = path
        .slice(path.indexOf('args') + 1)
        .find((key) => typeof key === 'string' && !key.startsWith('/') && /\w\.\w/.test(key));
      if (typeof name !== 'string') continue;
      yield {
        path,
        message: `"${name}" in quotes is one argument with a dot in its name`,
        hint: `args.${name} looks into ${name.split('.')[0]}; args."/${name}" says that the dot is meant`,
      };
    }
  },
};
