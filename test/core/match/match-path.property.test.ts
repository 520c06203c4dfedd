import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pathGlobsOf, compileMatcher } from '../../../src/core/match/compile-matcher.ts';
import { createMatchContext } from '../../../src/core/match/match-context.ts';
import { matchesPath } from '../../../src/core/match/match-path.ts';
import { Reading } from '../../../src/core/match/reading.ts';
import { foldPath } from '../../../src/core/paths/path-forms.ts';
import { MACOS, POSIX, WINDOWS } from '../../support/policy.ts';
import { runs } from '../../support/runs.ts';

const NAMES = [
  '.config',
  'gh',
  'hosts.yml',
  'token',
  'a-token.json',
  '.x',
  'user',
  'home',
  'Users',
  'a',
  'id_rsa',
  'key.pem',
  '..',
  '.',
  '',
];
const GLOBS = ['*', '**', '*.pem', '*token*', '.c*', 'hos*', '?ey.pem', '.*', '*.json', 'id_*'];
const STARTS = ['', '~/', '/', '**/', '/home/user/', './', '../', 'C:/', '~'];

const pattern = fc
  .tuple(fc.constantFrom(...STARTS), fc.array(fc.constantFrom(...NAMES, ...GLOBS), { minLength: 1, maxLength: 4 }))
  .map(([start, names]) => start + names.join('/'))
  .filter((text) => text !== '');
const path = fc
  .tuple(
    fc.constantFrom('/home/user/', '/', '/Users/user/', 'C:/Users/user/', '/data/'),
    fc.array(fc.constantFrom(...NAMES), { maxLength: 4 }),
  )
  .map(([start, names]) => start + names.join('/'));

it('finds by names what is found by going through all patterns', () => {
  fc.assert(
    fc.property(
      fc.array(pattern, { minLength: 1, maxLength: 6 }),
      path,
      fc.constantFrom(POSIX, MACOS, WINDOWS),
      fc.array(fc.tuple(path, fc.constantFrom('/data', '/data/gh', '/data/a/key.pem')), { maxLength: 2 }),
      (patterns, text, paths, links) => {
        const [globs] = pathGlobsOf(compileMatcher({ op: 'globs', patterns }, true));
        fc.pre(globs !== undefined);
        // A folder that a pattern starts in leads elsewhere, too.
        const [base] = globs.patterns(paths).flatMap((each) => each.base ?? []);
        const realPaths = new Map([...links, ...(base === undefined || links.length === 0 ? [] : [[base, '/data'] as const])]);
        const context = createMatchContext({}, { reading: new Reading(paths), realPaths });
        const forms = context.forms(text);
        const all = [...forms.any, ...forms.absolute.map((each) => foldPath(context.realPath(each), paths.platform))];
        const isFound = globs.patterns(paths).some(({ written, absolute, base: folder, withBase }) => {
          const real = folder === undefined ? written : withBase(context.realPath(folder));
          return all.some((form) => [written, absolute, real].some((glob) => glob?.matches(form) === true));
        });
        // What the disk leads to has more spellings than one.
        const found = matchesPath(globs, text, { mode: 'possible', context });
        expect(isFound ? found : realPaths.size > 0 || !found).toBe(true);
      },
    ),
    { numRuns: runs(3000) },
  );
});
