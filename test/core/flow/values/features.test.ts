import { describe, expect, it } from 'vitest';
import { visitFeatures, type FeatureVisitor } from '../../../../src/core/flow/values/features.ts';
import { hasher } from './memory.ts';

interface Feature {
  readonly kind: string;
  readonly mark: number;
  readonly text: string;
}

function featuresOf(text: string, mayMatter: FeatureVisitor['mayMatter'] = () => true): readonly Feature[] {
  const features: Feature[] = [];
  const visit: FeatureVisitor['visit'] = (kind, mark, start, end) => features.push({ kind, mark, text: text.slice(start, end) });
  visitFeatures(text, hasher, { mayMatter, visit });
  return features;
}

describe('visitFeatures', () => {
  it('gives numbers, pieces, passages and lines with their places', () => {
    const texts = (kind: string): readonly string[] =>
      featuresOf('x 536-90-4271\nthe quick brown foxes, they jump')
        .filter((one) => one.kind === kind)
        .map(({ text }) => text);
    expect(texts('number')).toEqual(['536-90-4271']);
    expect(texts('line')).toEqual(['the quick brown foxes, they jump']);
    expect(texts('piece')).toContain('quick brown fo');
    expect(texts('passage')).toContain('the quick brown foxes, they ju');
  });

  it('gives the same where another text is visited meanwhile', () => {
    const features: Feature[] = [];
    const text = 'the quick brown foxes, they jump';
    const visit: FeatureVisitor['visit'] = (kind, mark, start, end) => {
      features.push({ kind, mark, text: text.slice(start, end) });
      featuresOf('something else that is long enough');
    };
    visitFeatures(text, hasher, { mayMatter: () => true, visit });
    expect(features).toEqual(featuresOf(text));
  });

  it('gives the same marks whatever separates the letters, and wherever they stand', () => {
    const marks = new Map(featuresOf('the quick brown foxes, they jump').map(({ mark, kind }) => [mark, kind]));
    const found = featuresOf(`${'something else. '.repeat(600)}The-Quick Brown_Foxes/They Jump`.toLowerCase()).filter(
      ({ mark }) => marks.has(mark),
    );
    // 26 letters make 15 pieces and 3 passages; the line is another one.
    expect(found.filter(({ kind }) => kind === 'piece')).toHaveLength(15);
    expect(found.filter(({ kind }) => kind === 'passage')).toHaveLength(3);
    expect(found.filter(({ kind }) => kind === 'line')).toHaveLength(0);
  });

  it('gives no piece and passage that cannot matter', () => {
    expect(featuresOf('the quick brown foxes they jump', () => false).map(({ kind }) => kind)).toEqual(['line']);
  });
});
