import { describe, expect, it } from 'vitest';
import { locate } from '../../../src/core/policy/locate.ts';
import { parsePolicy } from '../../../src/core/policy/parse.ts';
import { compileRegex } from '../../../src/core/patterns/regex.ts';
import { policyFrom } from '../../support/policy.ts';

function errorsOf(text: string): readonly string[] {
  const result = parsePolicy(text, { file: 'p.toml', regex: compileRegex });
  return !result.ok && 'errors' in result ? result.errors.map(({ path, message }) => `${path.join('.')}: ${message}`) : [];
}

const PATTERN =
  '[[detection.pattern]]\nname = "internal_api"\npattern = "internal\\\\.corp"\nseverity = "high"\ndescription = "Ours"';

const USUAL = policyFrom('').detection;

describe('[detection]', () => {
  it('without the table, everything is looked at and nothing is denied', () => {
    expect(policyFrom('[detection]').detection).toEqual(USUAL);
    expect(USUAL).toEqual({
      enabled: true,
      onDefinition: 'alert',
      onResult: 'alert',
      onSampling: 'alert',
      requireApproval: false,
      threshold: 'high',
      rules: { families: {}, patterns: [] },
      suppress: [],
    });
  });

  it.each([
    ['enabled = false', { enabled: false }],
    ['on_definition = "hide"', { onDefinition: 'hide' }],
    ['on_result = "redact"', { onResult: 'redact' }],
    ['on_sampling = "deny"', { onSampling: 'deny' }],
    ['require_approval = true', { requireApproval: true }],
    ['threshold = "low"', { threshold: 'low' }],
    [
      '[detection.families]\nshell_injection = true\nobfuscation = false',
      {
        rules: { families: { shell_injection: true, obfuscation: false }, patterns: [] },
      },
    ],
    [
      PATTERN,
      {
        rules: {
          families: {},
          patterns: [{ name: 'internal_api', pattern: 'internal\\.corp', severity: 'high', description: 'Ours' }],
        },
      },
    ],
    [
      '[[detection.suppress]]\nserver = "fs"\nrule = "exfiltration.*"\nreason = "known"',
      {
        suppress: [{ server: 'fs', rule: 'exfiltration.*', reason: 'known' }],
      },
    ],
    [
      '[[detection.suppress]]\nserver = "fs"\ntool = "a*"\nrule = "**"\nreason = "known"',
      {
        suppress: [{ server: 'fs', tool: 'a*', rule: '**', reason: 'known' }],
      },
    ],
  ])('%j', (lines, expected) => {
    expect(policyFrom(`[detection]\n${lines}`).detection).toEqual({ ...USUAL, ...expected });
  });

  it.each([
    ['detection = 1', /^detection: detection must be a table/],
    ['[detection]\non_defintion = "hide"', /^detection.on_defintion: unknown key/],
    ['[detection]\non_definition = "redact"', /^detection.on_definition: unknown action "redact"/],
    ['[detection]\non_result = "hide"', /^detection.on_result: unknown action "hide"/],
    ['[detection]\nthreshold = "hgih"', /^detection.threshold: unknown severity "hgih"/],
    ['[detection]\nthreshold = 3', /^detection.threshold: .*must be/],
    ['[detection]\nenabled = "yes"', /^detection.enabled: .*must be true or false/],
    ['[detection.families]\nmagic = true', /^detection.families.magic: unknown key/],
    ['[detection.families]\nobfuscation = 1', /^detection.families.obfuscation: .*must be true or false/],
    ['[detection]\nfamilies = true', /^detection.families: .*must be a table/],
    ['[detection.pattern]\nname = "a"', /^detection.pattern: detection.pattern is a list of tables/],
    ['[[detection.pattern]]\nname = "a"\nseverity = "low"', /^detection.pattern.0: "pattern" is missing/],
    ['[[detection.pattern]]\nname = "a"\npattern = "x"', /^detection.pattern.0: a pattern needs a severity/],
    ['[[detection.pattern]]\nname = "a b"\npattern = "x"\nseverity = "low"', /^detection.pattern.0.name: a pattern's name has/],
    ['[[detection.pattern]]\nname = "a"\npattern = "x*"\nseverity = "low"', /^detection.pattern.0.pattern: .*empty text/],
    ['[[detection.pattern]]\nname = "a"\npattern = "x"\nseverity = "bad"', /^detection.pattern.0.severity: unknown severity/],
    [`${PATTERN}\n${PATTERN}`, /^detection.pattern.1.name: another pattern already has the name "internal_api"/],
    ['[[detection.suppress]]\nserver = "a"\nrule = "**"', /^detection.suppress.0: "reason" is missing/],
    ['[[detection.suppress]]\nrule = "**"\nreason = "c"', /^detection.suppress.0: "server" is missing/],
    ['[[detection.suppress]]\nserver = "a"\nreason = "c"', /^detection.suppress.0: "rule" is missing/],
    ['[[detection.suppress]]\nserver = "a"\nrule = "**"\nreason = " "', /^detection.suppress.0.reason: "reason" is empty/],
    [
      '[[detection.suppress]]\nserver = "a"\nrule = "exfiltration.imag"\nreason = "c"',
      /^detection.suppress.0.rule: detection has no rule "exf/,
    ],
    [
      '[[detection.suppress]]\nserver = "a"\nrule = "exfiltration.zz*"\nreason = "c"',
      /^detection.suppress.0.rule: detection has no rule/,
    ],
    [
      '[[detection.suppress]]\nserver = "a"\nrule = "custom.mine"\nreason = "c"',
      /^detection.suppress.0.rule: detection has no rule/,
    ],
    [
      '[[detection.suppress]]\nserver = "a"\ntool = 1\nrule = "**"\nreason = "c"',
      /^detection.suppress.0.tool: .*must be a string/,
    ],
  ])('%j is refused', (text, message) => {
    expect(errorsOf(text)).toEqual([expect.stringMatching(message)]);
  });

  it.each([
    ['(', 'bad regex'],
    ['a(?=b)', 'bad regex'],
    ['(a)\\\\1', 'bad regex'],
  ])('hazard 46: a pattern that does not compile is an error where it stands: %s', (pattern, message) => {
    const text = `[detection]\n\n[[detection.pattern]]\nname = "a"\nseverity = "low"\npattern = "${pattern}"`;
    const result = parsePolicy(text, { file: 'p.toml', regex: compileRegex });
    const [error] = !result.ok && 'errors' in result ? result.errors : [];
    expect(error?.message).toContain(message);
    expect(locate(text, error?.path ?? [])).toEqual({ line: 6, column: 1 });
  });

  it('the engine of patterns is asked for where there is one, and not elsewhere', () => {
    expect(parsePolicy(PATTERN, { file: 'p.toml' })).toMatchObject({ ok: false, needsRegex: true });
    expect(parsePolicy('[detection]', { file: 'p.toml' })).toMatchObject({ ok: true });
  });
});
