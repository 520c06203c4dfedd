import { describe, expect, it } from 'vitest';
import { BUCKETS, readSentences } from '../../../../src/core/detect/model/read-sentences.ts';
import { weigh, type Weighing } from '../../../../src/core/detect/model/weigh.ts';
import { normalise } from '../../../../src/core/detect/normalise/normalise.ts';
import type { Detection } from '../../../../src/core/detect/types.ts';

const weights = new Int8Array(BUCKETS);
for (const [word, weight] of Object.entries({ suspicious: 40, hostile: 80, deadly: 127 }))
  weights[readSentences(word).features[0] ?? 0] = weight;
const MODEL = { weights, scale: 1, bias: 0, medium: 5, high: 12, critical: 20 };
const ALONE: Weighing = {
  field: 'description',
  model: MODEL,
  doubted: new Set(['exfiltration.money']),
  isReported: true,
  isKnown: () => false,
  allByRules: () => [],
};

function byRule(severity: Detection['severity']): Detection {
  return { rule: 'exfiltration.money', family: 'exfiltration', severity, description: '', field: 'description', matches: [] };
}

function found(
  text: string,
  rules: readonly Detection[] = [],
  weighing: Weighing = { ...ALONE, allByRules: () => rules },
): readonly (readonly [string, string])[] {
  return weigh(text, normalise(text), rules, weighing).map(({ rule, severity }) => [rule.split('.')[1] ?? '', severity]);
}

describe('weigh', () => {
  it.each([
    ['An honest text.', []],
    ['Something suspicious.', []],
    ['Something hostile.', [['like_an_attack', 'high']]],
    ['Something deadly and hostile.', [['like_an_attack', 'critical']]],
    [`Hints: ${btoa('Something hostile here.')}`, [['like_an_attack', 'high']]],
  ])('%s', (text, findings) => {
    expect(found(text)).toEqual(findings);
  });

  it('lowers what a doubted rule flags high and the model does not bear out; a critical one stays, and what is of other rules', () => {
    expect(found('An honest text.', [byRule('high')], { ...ALONE, doubted: new Set<string>() })).toEqual([['money', 'high']]);
    expect(found('An honest text.', [byRule('high'), byRule('critical'), byRule('low')])).toEqual([
      ['money', 'medium'],
      ['money', 'critical'],
      ['money', 'low'],
    ]);
    expect(found('Something suspicious.', [byRule('high')])).toEqual([['money', 'high']]);
  });

  it('reports no passage that is known, and none if its family is off; rules are borne out all the same', () => {
    expect(found('Something hostile.', [byRule('high')], { ...ALONE, isKnown: () => true })).toEqual([['money', 'high']]);
    expect(found('Something hostile.', [byRule('high')], { ...ALONE, isReported: false })).toEqual([['money', 'high']]);
  });

  it('is silent where a rule found something as severe, and not where the rule is milder or elsewhere', () => {
    const text = 'Something hostile. A rule is here.';
    const at = (severity: Detection['severity'], position: number): Detection => ({
      ...byRule(severity),
      matches: [{ text: 'hostile', position, context: text }],
    });
    expect(found(text, [at('high', 10)])).toEqual([['money', 'high']]);
    expect(found(text, [at('critical', 10)])).toEqual([['money', 'critical']]);
    expect(found(text, [at('medium', 10)])).toEqual([
      ['money', 'medium'],
      ['like_an_attack', 'high'],
    ]);
    expect(found(text, [at('high', 21)])).toHaveLength(2);
    // The rule found the same sentence in another definition before.
    expect(found(text, [], { ...ALONE, allByRules: () => [at('high', 10)] })).toEqual([]);
  });

  it('says where, and by what words', () => {
    const text = 'An honest text.  Something HOSTILE here. The end.';
    const [detection] = weigh(text, normalise(text), [], ALONE);
    expect(detection?.description).toContain('"hostile"');
    expect(detection?.matches[0]?.text.trim()).toBe('Something HOSTILE here.');
    expect(detection?.matches[0]?.position).toBe(text.indexOf('Something'));
  });
});
