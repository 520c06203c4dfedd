import fc from 'fast-check';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_REAL_PATH, shortenPath } from '../../../src/core/paths/shorten-path.ts';

describe('shortenPath', () => {
  it.each([
    ['/a/./b//c/', '/a/b/c'],
    ['a/../../b', '../b'],
    ['/..', '/'],
    ['~/x/../../.ssh', '~/../.ssh'],
    ['$HOME/../x', '$HOME/../x'],
    ['//host/share/./x', '//host/share/x'],
    [`${'a/'.repeat(100_000)}${'../'.repeat(100_000)}etc`, 'etc'],
    [`/${'a/'.repeat(100_000)}${'../'.repeat(100_001)}etc`, '/etc'],
  ])('%.40s is %j', (path, short) => {
    expect(shortenPath([path])).toBe(short);
  });

  it.each([`/${'a'.repeat(MAX_REAL_PATH + 1)}`, 'a/'.repeat(MAX_REAL_PATH), `x/${'y'.repeat(MAX_REAL_PATH)}`])(
    'gives up on %.10s…, which no system opens',
    (path) => {
      expect(shortenPath([path])?.length).toBeUndefined();
    },
  );

  it('climbs no further than any folder is deep', () => {
    expect(shortenPath([`${'../'.repeat(1_000_000)}etc`])?.length).toBeLessThan(MAX_REAL_PATH);
  });

  it('names what the path named', () => {
    const segment = fc.constantFrom('a', 'b', '..', '.', '', 'c d');
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 12 }), fc.boolean(), (segments, isAbsolute) => {
        const path = (isAbsolute ? '/' : '') + segments.join('/');
        expect(posix.resolve('/1/2/3/4/5/6/7/8/9/10/11/12', shortenPath([path]) ?? '')).toBe(
          posix.resolve('/1/2/3/4/5/6/7/8/9/10/11/12', path),
        );
      }),
    );
  });

  it('says the same of a path in pieces', () => {
    const segment = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom('a', '..', '.', '', '...', 'c d', '~') },
      fc.constantFrom('x'.repeat(MAX_REAL_PATH - 3), 'y'.repeat(MAX_REAL_PATH), 'z'.repeat(20_000)),
    );
    fc.assert(
      fc.property(
        fc.array(segment, { maxLength: 12 }),
        fc.array(fc.oneof(fc.nat(8), fc.nat(40_000)), { maxLength: 12 }),
        (segments, sizes) => {
          const path = segments.join('/');
          const pieces: string[] = [];
          let at = 0;
          for (const size of sizes) {
            pieces.push(path.slice(at, at + size));
            at += size;
          }
          expect(shortenPath([...pieces, path.slice(at)]) === shortenPath([path])).toBe(true);
        },
      ),
    );
  });
});
