import { describe, expect, it } from 'vitest';
import { toConceptSet } from '../../../../src/core/detect/engine/concepts.ts';
import { Vocabulary } from '../../../../src/core/detect/engine/vocabulary.ts';

const words = new Vocabulary(
  { send: 'send|carry|stop', secretword: 'api key|password' },
  [{ override: 'ignorier*' }, { ban: 'pas' }],
  { user: '用户' },
);

describe('Vocabulary', () => {
  it.each<[word: string, form: string]>([
    ['send', 'base'],
    ['sends', 'third'],
    ['sending', 'other'],
    ['carries', 'third'],
    ['carried', 'other'],
    ['stopped', 'other'],
  ])('%s is found by its ending', (word, form) => {
    expect(words.look(word)).toMatchObject({ form, concepts: toConceptSet(['send']) });
  });

  it('what begins with a known stem is found, in any order of words', () => {
    expect(words.look('ignorieren')).toMatchObject({ isLoose: true, concepts: toConceptSet(['override']) });
  });

  it('an English ending says nothing of a word of another language', () => {
    expect(words.look('pas').concepts).toEqual(toConceptSet(['ban']));
    expect(words.look('pass').concepts).toEqual(toConceptSet([]));
  });

  it('phrases are found by their first words', () => {
    expect(words.phrasesFrom('api')?.get('key')).toMatchObject([{ words: ['api', 'key'] }]);
    expect(words.unspacedAt('的用户', 1)).toMatchObject({ words: ['用户'], isLoose: true });
    expect(words.unspacedAt('的用户', 0)).toBeUndefined();
  });

  it('any other word stands for nothing', () => {
    expect(words.look('table').concepts).toEqual(toConceptSet([]));
    expect(words.look('x'.repeat(1_000_000)).concepts).toEqual(toConceptSet([]));
  });
});
