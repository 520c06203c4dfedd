import { describe, expect, it } from 'vitest';
import { visitFeatures } from '../../../../src/core/flow/values/features.ts';
import { wellKnownMarks } from '../../../../src/core/flow/values/known-values.ts';
import { hasher } from './memory.ts';

function known(text: string): readonly boolean[] {
  const found: boolean[] = [];
  visitFeatures(text, hasher, {
    mayMatter: () => true,
    visit: (kind, mark) => kind !== 'line' && found.push(wellKnownMarks(hasher).has(mark)),
  });
  return found;
}

describe('wellKnownMarks', () => {
  it('has what is everywhere', () => {
    expect(known('6ba7b810-9dad-11d1-80b4-00c04fd430c8')).toContain(true);
    expect(known('6ba7b810-9dad-11d1-80b4-00c04fd430c8')).not.toContain(false);
  });

  it('has nothing else', () => {
    expect(known('3f8b1c6e-92d4-4a7b-8e15-c07d9f2a6b43')).not.toContain(true);
  });
});
