import { describe, expect, it } from 'vitest';

import fc from 'fast-check';
import { createCoverSearch } from '../../../src/policy-tools/lint/cover-search.ts';
import { covers } from '../../../src/policy-tools/relation/rule-relation.ts';
import { policyFrom } from '../../support/policy.ts';

const tool = fc.constantFrom(
  '"a"',
  '"ab"',
  '"a*"',
  '"*b"',
  '"**"',
  '["a", "b"]',
  '["b*", "ab"]',
  '{ not = "a" }',
  '{ equals = "ab" }',
  '{ regex = "^a" }',
);
const line = fc.oneof(
  tool.map((name) => `tool = ${name}`),
  tool.map((name) => `prompt = ${name}`),
  fc.constant('method = "tools/call"'),
  fc.constant('resource = "**"'),
);

describe('search for rules that cover another', () => {
  it('leaves none of them out', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const { rules } = policyFrom(lines.map((text) => `[[rule]]\naction = "deny"\n${text}\n`).join(''));
        const search = createCoverSearch(rules);
        for (const rule of rules) {
          const found = search.candidates(rule);
          expect(found.map(({ index }) => index)).toEqual(found.map(({ index }) => index).toSorted((a, b) => a - b));
          for (const other of rules) if (other !== rule && covers(other, rule)) expect(found).toContain(other);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('leaves out those that begin otherwise', () => {
    const { rules } = policyFrom(
      '[[rule]]\naction = "deny"\ntool = "b*"\n[[rule]]\naction = "deny"\ntool = "a"\n[[rule]]\naction = "deny"\ntool = "*"\n',
    );
    const [, second] = rules;
    expect(second === undefined ? [] : createCoverSearch(rules).candidates(second)).toEqual([rules[2]]);
  });
});
