import { describe, expect, it } from 'vitest';
import { findDifference, formatPolicy } from '../../src/config/rewrite-policy.ts';
import { ClawaiError } from '../../src/errors.ts';

const RULE = '[[rule]]\naction = "deny"\ntool = "x"\n';

describe('formatPolicy', () => {
  it('formats what is valid', async () => {
    expect(await formatPolicy("[[rule]]\ntool='x'\naction='deny'\n", { file: 'p.toml' })).toEqual({ ok: true, text: RULE });
  });

  it.each([
    ['no TOML', '[x', 'policy_syntax'],
    ['no policy', '[x]\n', 'policy_invalid'],
  ])('does not format what is %s', async (_, text, code) => {
    await expect(formatPolicy(text, { file: 'p.toml' })).rejects.toMatchObject({ code });
  });

  it("a project's is read as one", async () => {
    const allows = RULE.replace('deny', 'allow');
    await expect(formatPolicy(allows, { file: 'p.toml', isProject: true })).rejects.toBeInstanceOf(ClawaiError);
    expect(await formatPolicy(allows, { file: 'p.toml' })).toEqual({ ok: true, text: allows });
  });
});

describe('findDifference', () => {
  const regex = `${RULE}args.a = { regex = "x" }\nargs.b = "y"\n`;

  it.each([
    ['spaces', RULE, RULE.replaceAll(' ', '')],
    ['the order of keys', RULE, '[[rule]]\ntool = "x"\naction = "deny"\n'],
    ['the order of comments', `# a\n${RULE}# b\n`, `# b\n${RULE}# a\n`],
    ['nothing, with a regular expression', regex, `${regex}\n`],
  ])('%s is none', (_, before, after) => {
    expect(findDifference(before, after)).toBeUndefined();
  });

  it.each([
    ['another value', RULE, RULE.replace('"x"', '"y"'), 'say something else'],
    ['one rule less', RULE + RULE, RULE, 'say something else'],
    ['what is no TOML', RULE, '[', 'say something else'],
    ['another order of arguments', regex, regex.replace(/(args\.a.*\n)(.*\n)/, '$2$1'), 'mean something else'],
    ['a lost comment', `${RULE}# a\n`, RULE, 'a comment would be lost'],
    ['a comment that is another', `${RULE}# a\n`, `${RULE}# b\n`, 'a comment would be lost'],
  ])('%s is one', (_, before, after, said) => {
    expect(findDifference(before, after)).toContain(said);
  });
});
