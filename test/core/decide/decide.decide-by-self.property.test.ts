import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isDeniedBySelf, OWN_FILES } from '../../support/own.ts';

/** Ways of writing a path that servers are known to undo. Each takes an absolute path, or what another way made of it. */
const WAYS: readonly ((path: string, noise: readonly number[]) => string)[] = [
  (path) => path,
  (path) => path.replace(/^\/home\/user(?=\/)/, '~'),
  (path) => path.replace(/^\/home\/user(?=\/)/, '$HOME'),
  (path) => path.replace(/^\/home\/user\//, '../'),
  (path, noise) => mapSlashes(path, (i) => ['/', '//', '/./', '/x/../', '/.//'][(noise[i] ?? 0) % 5] ?? '/'),
  (path) => `${path}/`,
  (path) => `${path}/deeper/file`,
  (path, noise) =>
    Array.from(path, (letter, i) => (isEncodable(letter) && (noise[i] ?? 0) % 3 === 0 ? percent(letter) : letter)).join(''),
];

const SCHEMES: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => (path.startsWith('/') ? `file://${path}` : path),
  (path) => (path.startsWith('/') ? `FILE://localhost${path}` : path),
];

function mapSlashes(path: string, to: (index: number) => string): string {
  let index = 0;
  return path.replaceAll('/', () => to(index++));
}

function isEncodable(letter: string): boolean {
  return letter !== '~' && letter !== '$' && letter !== '%' && letter !== '/';
}

function percent(letter: string): string {
  return `%${(letter.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`;
}

const spelling = fc
  .record({
    file: fc.constantFrom(...OWN_FILES),
    ways: fc.array(fc.constantFrom(...WAYS), { maxLength: 4 }),
    scheme: fc.constantFrom(...SCHEMES),
    noise: fc.array(fc.nat(99), { minLength: 60, maxLength: 60 }),
  })
  // What is decoded last has to be encoded last.
  .map(({ file, ways, scheme, noise }) =>
    scheme(ways.toSorted((a, b) => WAYS.indexOf(a) - WAYS.indexOf(b)).reduce((path, way) => way(path, noise), file)),
  );

/** Somewhere in a call's arguments. */
const within = fc.constantFrom<((text: string) => object)[]>(
  (text) => ({ path: text }),
  (text) => ({ anything: { deep: [1, [text]] } }),
  (text) => ({ paths: ['/tmp/decoy', text] }),
  (text) => ({ [text]: 1 }),
  (text) => ({ json: JSON.stringify({ x: text }) }),
);

it('hazard 7: whatever is ours is denied in any spelling, wherever it stands', () => {
  fc.assert(
    fc.property(spelling, within, (text, place) => {
      expect(isDeniedBySelf({ args: place(text) as never })).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

it('in a command that is run too, quoted as a shell needs it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...OWN_FILES),
      fc.constantFrom('cat', 'rm', 'vi', 'echo x >'),
      fc.boolean(),
      (file, program, isSingle) => {
        const quoted = isSingle ? `'${file}'` : file.replaceAll(' ', '\\ ');
        expect(isDeniedBySelf({ tool: 'bash', args: { command: `cd /tmp; ${program} ${quoted} && ls` } })).toBe(true);
      },
    ),
  );
});

const otherName = fc.stringMatching(/^[a-z][a-z0-9_ -]{0,12}$/).filter((name) => !/^(?:home|usr)$/.test(name));

it('another path is not, in any spelling', () => {
  const other = fc.array(otherName, { minLength: 1, maxLength: 6 }).map((names) => `/home/user/${names.join('/')}`);
  fc.assert(
    fc.property(
      other,
      fc.constantFrom(...WAYS),
      within,
      fc.array(fc.nat(99), { minLength: 60, maxLength: 60 }),
      (path, way, place, noise) => {
        expect(isDeniedBySelf({ args: place(way(path, noise)) as never })).toBe(false);
      },
    ),
    { numRuns: 2000 },
  );
});
