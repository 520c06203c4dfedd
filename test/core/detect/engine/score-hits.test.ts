import { describe, expect, it } from 'vitest';
import { scoreHits } from '../../../../src/core/detect/engine/score-hits.ts';
import { type Rule, toRules } from '../../../../src/core/detect/engine/rule.ts';

const rules = toRules(
  'exfiltration',
  [1, 3, 4, 6, 11].map((definition) => ({ id: String(definition), says: 'A', words: ['send'], definition })),
);

function severities(...hits: readonly (readonly [points: number, clause: number])[]): readonly string[] {
  const all = hits.flatMap(([points, clause]) => {
    const rule = rules.find(({ definition }) => definition === points);
    return rule === undefined ? [] : [{ rule, clause, first: 0, last: 0, share: 1 }];
  });
  return scoreHits(all, ({ rule }) => rule.definition).map(({ hit, severity }) => `${hit.rule.definition} ${severity}`);
}

describe('scoreHits', () => {
  it('each by itself', () => {
    expect([severities([1, 0]), severities([3, 0]), severities([4, 0]), severities([6, 0]), severities([11, 0])]).toEqual([
      [],
      ['3 low'],
      ['4 medium'],
      ['6 high'],
      ['11 critical'],
    ]);
  });

  it('neighbours are added to the strongest', () => {
    expect(severities([3, 0], [4, 3])).toEqual(['3 low', '4 high']);
  });

  it('what is far away, or the same again, is not', () => {
    expect(severities([3, 0], [4, 4])).toEqual(['3 low', '4 medium']);
    expect(severities([4, 0], [4, 1])).toEqual(['4 medium', '4 medium']);
  });

  describe('what is asked of a model that is spoken to', () => {
    const [speaks, beside, other] = toRules('exfiltration', [
      { id: 'speaks', says: 'A', words: ['send'], definition: 4, toModel: 'speaks' },
      { id: 'beside', says: 'A', words: ['send'], definition: 2, toModel: 'beside' },
      { id: 'other', says: 'A', words: ['send'], definition: 4 },
    ]);
    const told = (...all: readonly (Rule | undefined)[]): readonly string[] => {
      const hits = all.flatMap((rule, clause) => (rule === undefined ? [] : [{ rule, clause, first: 0, last: 0, share: 1 }]));
      return scoreHits(hits, ({ rule }) => rule.definition).map(({ hit, severity }) => `${hit.rule.id} ${severity}`);
    };

    it('counts beside that, before or behind it', () => {
      expect(told(speaks, beside)).toEqual(['exfiltration.speaks high']);
      expect(told(beside, speaks)).toEqual(['exfiltration.speaks high']);
    });

    it('and nowhere else', () => {
      expect(told(beside)).toEqual([]);
      expect(told(other, beside)).toEqual(['exfiltration.other medium']);
      expect(told(speaks)).toEqual(['exfiltration.speaks medium']);
    });
  });
});
