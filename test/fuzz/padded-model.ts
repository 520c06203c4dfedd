import fc from 'fast-check';
import { decide } from '../../src/core/decide/decide.ts';
import { compilePolicy } from '../../src/core/match/compile.ts';
import type { PathContext } from '../../src/core/match/paths-to-resolve.ts';
import { MACOS, policyFrom, POSIX, WINDOWS } from '../support/policy.ts';

/** A path, and where in it how much of what a server leaves out is put. */
export interface Padded {
  readonly paths: PathContext;
  readonly text: string;
  readonly at: number;
  readonly padding: string;
}

const NAME = fc.constantFrom('etc', 'secret', 'a', '.ssh', 'id_rsa', 'x y', 'user', 'home', 'project', '.', 'SECRET', 'é');
const START = fc.constantFrom(
  '/',
  '',
  '~/',
  './',
  '../',
  'file:///',
  'C:/',
  'C:\\',
  '$HOME/',
  '/home/user/',
  '%2f',
  'file:',
  '//',
  '~root/',
);
const SEPARATOR = fc.constantFrom('/', '/', '/', '\\', '%2f', '%5C', '%252F', '//');

export const PADDED: fc.Arbitrary<Padded> = fc.record({
  paths: fc.constantFrom(POSIX, POSIX, MACOS, WINDOWS),
  text: fc
    // Rules also match what is climbed out of, where the disk may have links; nobody climbs in so long a path. What ends in `.` may name a folder itself, which is another question.
    .tuple(START, fc.array(fc.tuple(NAME, SEPARATOR), { maxLength: 5 }), fc.constantFrom('a', 'id_rsa', 'secret'))
    .map(([start, rest, last]) => start + rest.map(([name, separator]) => name + separator).join('') + last),
  at: fc.nat(6),
  padding: fc.constantFrom('./', 'x/../', 'y/x/../../', './x/../', './/'),
});

const PATTERNS = [
  '/etc/**',
  '/secret/**',
  '~/.ssh/**',
  '**/.ssh/**',
  '**/id_rsa',
  '/home/user/**',
  'C:/secret/**',
  './secret/**',
  '/root/**',
  '**/secret/a',
  '/a',
];
const POLICIES = PATTERNS.map((pattern) =>
  compilePolicy(
    policyFrom(`[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\ntool = "**"\nargs.path = ${JSON.stringify(pattern)}\n`),
  ),
);

const SEPARATORS = /\/|\\|%2f|%5c|%252f/gi;
/** As many characters as the longest padding that is read like any path, and some. */
const MANY = 70_000;

/** What is denied with a little padding is denied however much there is. Throws where it is not. */
export function checkPadded({ paths, text, at, padding }: Padded): void {
  const separators = [...text.matchAll(SEPARATORS)];
  const separator = separators[at % Math.max(1, separators.length)];
  const spot = separator === undefined ? 0 : separator.index + separator[0].length;
  // A host's name is no segment.
  if (spot < (/^(?:file:)?[/\\]*/.exec(text)?.[0].length ?? 0)) return;
  const filler = padding.replaceAll('/', separator?.[0] ?? '/');
  const withPadding = (times: number): string => text.slice(0, spot) + filler.repeat(times) + text.slice(spot);
  const [once, twice, long] = [withPadding(1), withPadding(2), withPadding(Math.ceil(MANY / filler.length))];
  // Taken literally, an encoded separator is a part of a name, and no name is so long.
  const plain = [once, twice].map((path) => path.replaceAll(SEPARATORS, '/'));
  for (const [index, policy] of POLICIES.entries()) {
    const isDenied = (path: string): boolean =>
      decide({ method: 'tools/call', server: 'files', tool: 't', args: { path } }, { policy, paths, realPaths: new Map() })
        .action === 'deny';
    if ([once, twice, ...plain].every(isDenied) && !isDenied(long))
      throw new Error(`${PATTERNS[index] ?? ''} matches ${once} and not with more padding`);
  }
}
