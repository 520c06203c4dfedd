import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { lintPolicy } from '../../../src/policy-tools/lint/lint-policy.ts';
import { parsePolicy } from '../../../src/core/policy/parse.ts';
import { compileRegex } from '../../../src/core/patterns/regex.ts';
import { policyFrom } from '../../support/policy.ts';
import { policyText } from '../../support/lints-of.ts';
import { blocksOf } from '../../support/written-documents.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SHADOWED = '[[rule]]\naction = "deny"\ntool = "a*"\n\n[[rule]]\naction = "deny"\ntool = "ab"\n';

function idsAt(text: string): string[] {
  return lintPolicy(policyFrom(text)).lints.map(({ id, line, column }) => `${line}:${column} ${id}`);
}

describe('lint of a policy', () => {
  it('says where, in the order of the text, and where the other rule is', () => {
    const { lints } = lintPolicy(
      policyFrom(`${SHADOWED}\n[[rule]]\naction = "prompt"\ntool = "b"\nargs.p = ["/x/**", "/y/*"]\n`),
    );
    expect(
      lints.map(({ id, severity, line, column, related }) => [id, severity, line, column, related.map((other) => other.line)]),
    ).toEqual([
      ['shadowed-rule', 'warning', 5, 1, [1]],
      ['undescribed-prompt', 'info', 9, 1, []],
      ['shallow-path', 'warning', 12, 20, []],
    ]);
  });

  it('a rule that would deny what one above allows is an error', () => {
    const [lint] = lintPolicy(policyFrom(policyText('allow; tool = "**"\ndeny; tool = "x"'))).lints;
    expect(lint).toMatchObject({ id: 'shadowed-rule', severity: 'error' });
    // Which of the two is meant, nobody can tell.
    expect(lint?.fix).toBeUndefined();
  });

  it('offers to remove only what is covered wherever folders are links to', () => {
    const fixes = (lines: string): boolean =>
      lintPolicy(policyFrom(policyText(lines))).lints.some(({ fix }) => fix !== undefined);
    expect(fixes('deny; tool = "a*"\ndeny; tool = "ab"')).toBe(true);
    expect(fixes('deny; tool = "a"; args.p = "/etc/**"\ndeny; tool = "a"; args.p = "/etc/ssl/**"')).toBe(false);
    expect(fixes('deny; tool = "a"; args.n = "1*"\ndeny; tool = "a"; args.n = "12"')).toBe(true);
  });

  it.each([
    ['above the rule', '# lint-ignore shadowed-rule: kept for later\n[[rule]]\naction = "deny"\ntool = "ab"\n'],
    ['in the rule', '[[rule]]\naction = "deny"\n# lint-ignore shadowed-rule: kept for later\ntool = "ab"\n'],
    ['behind a key', '[[rule]]\naction = "deny"\ntool = "ab" # lint-ignore undescribed-prompt, shadowed-rule: kept for later\n'],
    [
      'in a table of the rule',
      '[[rule]]\naction = "deny"\ntool = "ab"\n[rule.unless]\nserver = "x"\n# lint-ignore shadowed-rule: kept\n',
    ],
  ])('a comment with a reason %s takes a finding out', (_where, rule) => {
    const { lints, ignored } = lintPolicy(policyFrom(`[[rule]]\naction = "deny"\ntool = "a*"\n\n${rule}`));
    expect(ignored).toMatchObject([{ id: 'shadowed-rule', reason: expect.stringMatching(/^kept/) }]);
    expect(lints.map(({ id }) => id).filter((id) => id === 'shadowed-rule')).toEqual([]);
  });

  it.each([
    [
      'without a reason',
      SHADOWED.replace('\n\n', '\n\n# lint-ignore shadowed-rule\n'),
      ['5:1 unreasoned-ignore', '6:1 shadowed-rule'],
    ],
    [
      'with an empty reason',
      SHADOWED.replace('\n\n', '\n\n# lint-ignore shadowed-rule:  \n'),
      ['5:1 unreasoned-ignore', '6:1 shadowed-rule'],
    ],
    ['of another rule', `# lint-ignore shadowed-rule: not here\n${SHADOWED}`, ['1:1 unused-ignore', '6:1 shadowed-rule']],
    [
      'of nothing that there is',
      SHADOWED.replace('\n\n', '\n\n# lint-ignore shadow: so\n'),
      ['5:1 unused-ignore', '6:1 shadowed-rule'],
    ],
  ])('a comment %s is told itself', (_what, text, expected) => expect(idsAt(text)).toEqual(expected));

  it('a comment is about the line below it outside of rules', () => {
    const text = '[flow]\nenabled = false\nburst = { max_calls = 3 }\n';
    expect(idsAt(text)).toEqual(['1:1 inactive-guard']);
    expect(idsAt(`# lint-ignore inactive-guard: off for a week\n# see the ticket\n${text}`)).toEqual([]);
  });

  it('text that looks like a comment is none', () => {
    expect(idsAt('[[rule]]\naction = "deny"\ntool = "a"\ndescription = """\n# lint-ignore shadowed-rule: x\n"""\n')).toEqual([]);
  });

  it.each(readdirSync(join(ROOT, 'policies')))('has nothing to say about the shipped %s', (name) => {
    expect(lintPolicy(policyFrom(readFileSync(join(ROOT, 'policies', name), 'utf8')))).toEqual({ lints: [], ignored: [] });
  });

  it('has nothing to say about what the documentation shows', () => {
    const blocks = blocksOf('toml');
    const policies = blocks.flatMap((text) => {
      const result = parsePolicy(text, { file: 'policy.toml', regex: compileRegex });
      return result.ok ? [result.policy] : [];
    });
    expect(policies.length).toBeGreaterThan(15);
    expect(policies.flatMap((policy) => lintPolicy(policy).lints.map(({ id, message }) => [id, message]))).toEqual([]);
  });
});
