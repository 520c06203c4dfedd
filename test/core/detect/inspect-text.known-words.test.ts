import { describe, expect, it } from 'vitest';
import { meets, toConceptSet } from '../../../src/core/detect/engine/concepts.ts';
import { knownWords } from '../../../src/core/detect/inspect-text.ts';

describe('knownWords', () => {
  it.each([
    ['ignore', 'override'],
    ['credentials', 'secretword'],
    ['ignoriere', 'override'],
    ['отправь', 'send'],
    ['gönderin', 'send'],
    ['पासवर्ड', 'secretword'],
    ['المستخدم', 'user'],
  ])('%s stands for %s', (word, concept) => {
    expect(meets(knownWords().look(word).concepts, toConceptSet([concept]))).toBe(true);
  });

  it('are made once', () => {
    expect(knownWords()).toBe(knownWords());
  });
});
