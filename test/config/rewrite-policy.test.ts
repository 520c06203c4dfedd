import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixPolicy } from '../../src/config/rewrite-policy.ts';
import { decideBy, policyFrom } from '../support/policy.ts';
import { runs } from '../support/runs.ts';

const fixed = async (text: string): Promise<string> => (await fixPolicy(policyFrom(text), { file: 'test.toml' })).policy.text;
const rule = (tool: string, more = ''): string => `[[rule]]\naction = "deny"\ntool = "${tool}"\n${more}`;

describe('fixing a policy', () => {
  it.each([
    [
      'a rule with its comments',
      `${rule('a*')}\n# about ab\n# more\n${rule('ab')}\n# about c\n${rule('c')}`,
      `${rule('a*')}\n# about c\n${rule('c')}`,
    ],
    ['the last rule', `${rule('a*')}\n${rule('ab')}`, `${rule('a*')}\n`],
    [
      'a rule with tables of its own',
      `${rule('a*')}${rule('ab', '[rule.args]\nx = "1"\n')}[flow]\nenabled = true\n`,
      `${rule('a*')}[flow]\nenabled = true\n`,
    ],
    ['several rules', `${rule('a*')}${rule('ab')}${rule('ac')}${rule('d')}`, `${rule('a*')}${rule('d')}`],
    [
      'a rule with a comment that ignores nothing',
      `${rule('a*')}${rule('ab', 'id = "x" # lint-ignore foreign-glob: y\n')}${rule('c')}`,
      `${rule('a*')}${rule('c')}`,
    ],
    [
      'a rule, and leaves headings and what is commented out behind it',
      `${rule('a*')}\n${rule('ab', '[rule.args] # x\nx = """\n# y\n"""  # z\n# last\n')}\n# == c ==\n\n# about c\n${rule('c')}\n${rule('ad')}\n#[[rule]]\n#tool = "e"\n\n# end`,
      `${rule('a*')}\n# == c ==\n\n# about c\n${rule('c')}\n#[[rule]]\n#tool = "e"\n\n# end`,
    ],
    [
      'CRLF and a BOM stay',
      `\uFEFF${rule('a*')}${rule('ab')}# end\n`.replaceAll('\n', '\r\n'),
      `\uFEFF${rule('a*')}`.replaceAll('\n', '\r\n'),
    ],
    [
      'a comment that ignores nothing',
      `# lint-ignore shadowed-rule: none\n${rule('a', 'id = "x" # lint-ignore foreign-glob: y\n')}`,
      rule('a', 'id = "x"\n'),
    ],
  ])('removes %s', async (_what, before, after) => expect(await fixed(before)).toBe(after));

  it.each([
    ['a rule that another action is above of', `[[rule]]\naction = "allow"\ntool = "a*"\n${rule('ab')}`],
    ['a rule that is ignored', `${rule('a*')}# lint-ignore shadowed-rule: for later\n${rule('ab')}`],
    ['a rule of a list', 'rule = [{ action = "deny", tool = "a*" }, { action = "deny", tool = "ab" }]\n'],
    ['what links could make different', `${rule('a', 'args.p = "/etc/**"\n')}${rule('a', 'args.p = "/etc/ssl/**"\n')}`],
  ])('leaves %s', async (_what, text) => expect(await fixed(text)).toBe(text));

  const tool = fc.constantFrom('a', 'ab', 'a*', '*b', '**');
  const line = fc.constantFrom(
    '',
    'args.x = "1*"\n',
    'args.x = "12"\n',
    'server = "s"\n',
    'args."**" = "/etc/**"\n',
    'unless.server = "s"\n',
  );
  const action = fc.constantFrom('allow', 'deny', 'prompt');
  const policies = fc
    .array(fc.tuple(action, tool, line), { maxLength: 7 })
    .map((rules) =>
      rules.map(([does, name, more]) => `# about it\n[[rule]]\naction = "${does}"\ntool = "${name}"\n${more}\n`).join(''),
    );

  it('changes no decision, and leaves nothing to fix', async () => {
    await fc.assert(
      fc.asyncProperty(policies, async (text) => {
        const after = await fixed(text);
        for (const name of ['a', 'ab', 'b']) {
          for (const server of ['s', 't']) {
            for (const x of ['1', '12', ['12', '3'], '/etc/x', '\0', undefined]) {
              const call = { tool: name, server, args: x === undefined ? {} : { x } };
              const [was, is] = [decideBy(text, call), decideBy(after, call)];
              expect([is.action, is.reason]).toEqual([was.action, was.reason]);
            }
          }
        }
        expect(await fixed(after)).toBe(after);
      }),
      { numRuns: runs(150) },
    );
  });
});
