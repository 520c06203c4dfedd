import { describe, expect, it } from 'vitest';
import {
  METADATA_HOSTS,
  PERSISTENT_PATH_PARTS,
  SECRET_PATH_PARTS,
  TOP_LEVEL_DOMAINS,
} from '../../../../src/core/detect/words/paths.ts';

describe('paths', () => {
  it('are compared in lower case', () => {
    const all = [...SECRET_PATH_PARTS, ...PERSISTENT_PATH_PARTS, ...TOP_LEVEL_DOMAINS, ...METADATA_HOSTS];
    expect(all.filter((part) => part === '' || part !== part.toLowerCase())).toEqual([]);
  });

  it('none is so short that any word could have it', () => {
    expect([...SECRET_PATH_PARTS, ...PERSISTENT_PATH_PARTS].filter((part) => part.length < 4)).toEqual([]);
  });
});
