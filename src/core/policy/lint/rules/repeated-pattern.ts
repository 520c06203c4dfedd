import { NATIVE_SERVER } from '../../../call.ts';
import { isPathLike } from '../../path-forms.ts';
import { includesGlob } from '../../relation/glob-language.ts';
import type { LintRule } from '../finding.ts';
import { fieldsOf } from '../rule-fields.ts';

/** A glob of a list that another of the list includes. */
export const repeatedPattern: LintRule = {
  id: 'repeated-pattern',
  severity: 'info',
  summary: 'A list has a glob that another one of it includes.',
  *find({ policy }) {
    for (const { matcher, path, field } of policy.rules.flatMap(fieldsOf)) {
      if (matcher.op !== 'globs') continue;
      const isName = field !== 'args' && field !== 'resource';
      for (const [index, pattern] of matcher.patterns.entries()) {
        // Only the word itself is about the agent's own tools, whatever else there is.
        if (field === 'server' && pattern === NATIVE_SERVER && matcher.patterns.indexOf(pattern) === index) continue;
        const other = matcher.patterns.findIndex(
          (wider, at) =>
            at !== index &&
            (wider === pattern
              ? at < index
              : (isName || !(isPathLike(wider) || isPathLike(pattern))) &&
                includesGlob(wider, pattern) &&
                !includesGlob(pattern, wider)),
        );
        if (other === -1) continue;
        yield {
          path: [...path, index],
          message: `"${pattern}" adds nothing: "${matcher.patterns[other]}" of the same list matches all that it does`,
          hint: 'remove it',
        };
      }
    }
  },
};
