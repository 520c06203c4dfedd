import { expect, it } from 'vitest';
import { argField } from '../../src/policy-tools/arg-path.ts';
import { policyFrom } from '../support/policy.ts';

it.each(['args.path', 'args.options.path', 'args."**"', 'args.a."*".b', 'args."/a.b/0"', 'args."/a~1b/~0"', 'args."a b"'])(
  '%s is named as it is written',
  (field) => {
    const { rules } = policyFrom(`[[rule]]\naction = "deny"\ntool = "t"\n${field} = "x"\n`);
    expect(argField(rules[0]?.args[0]?.path ?? [])).toBe(field);
  },
);

it('all arguments have no name of their own', () => {
  expect(argField([])).toBe('args');
});
