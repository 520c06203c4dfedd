import { describe, expect, it } from 'vitest';

import { compileMatcher, pathGlobsOf } from '../../../src/core/match/compile-matcher.ts';
import type { Matcher } from '../../../src/core/policy/types.ts';
import { MACOS, POSIX } from '../../support/policy.ts';

const list: Matcher = { op: 'globs', patterns: ['/etc/**', 'x*', '~/y'] };

describe('compileMatcher', () => {
  it('keeps globs about paths apart where paths are read', () => {
    const compiled = compileMatcher(list, true);
    expect(compiled).toMatchObject({ op: 'globs', plain: [{ pattern: 'x*' }] });
    expect(
      pathGlobsOf(compiled)[0]
        ?.patterns(POSIX)
        .map(({ base }) => base),
    ).toEqual(['/etc', '/home/user/y']);
  });

  it('takes them for text in names', () => {
    const compiled = compileMatcher(list, false);
    expect(pathGlobsOf(compiled)).toEqual([]);
    expect(compiled).toMatchObject({ plain: [{ pattern: '/etc/**' }, { pattern: 'x*' }, { pattern: '~/y' }] });
  });

  it('compiles for each path context once', () => {
    const [globs] = pathGlobsOf(compileMatcher(list, true));
    expect(globs?.patterns(POSIX)).toBe(globs?.patterns(POSIX));
    expect(globs?.patterns(MACOS)[1]?.base).toBe('/Users/user/y');
  });

  it('finds path globs inside of other operators', () => {
    const nested: Matcher = {
      op: 'all',
      of: [
        { op: 'not', inner: list },
        { op: 'any', of: [list, { op: 'exists', present: true }] },
      ],
    };
    expect(pathGlobsOf(compileMatcher(nested, true))).toHaveLength(2);
  });
});
