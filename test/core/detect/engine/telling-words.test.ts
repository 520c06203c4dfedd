import { expect, it } from 'vitest';
import * as words from '../../../../src/core/detect/engine/telling-words.ts';

it.each(Object.entries(words))('%s: each as texts are read, in lower case and without blanks', (_name, set) => {
  expect(set.size).toBeGreaterThan(2);
  for (const word of set) expect(word).toMatch(/^[\p{Ll}\d_]+$/u);
});
