import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findGlobFault } from '../../../src/core/patterns/glob.ts';
import { mutateGlob } from '../../../src/policy-tools/mutate/mutate-matcher.ts';

it.each([
  ['bash', []],
  ['*', ['**']],
  ['**', ['*']],
  ['read_*', ['read_**', 'read_']],
  ['**_shell', ['*_shell', '_shell']],
  ['**/.ssh/**', ['*/.ssh/**', '**/.ssh/*', '.ssh/**', '**/.ssh']],
  ['**/.kube/config', ['*/.kube/config', '.kube/config', '**/config', '**/.kube']],
  ['**/proc/**/mem', ['*/proc/**/mem', '**/proc/*/mem', 'proc/**/mem', '**/**/mem', '**/proc/mem', '**/proc/**']],
  ['**/*.p12', ['*/*.p12', '**/**.p12', '*.p12']],
  ['file:///home/*', ['file:///home/**', 'file:///home']],
  ['/etc/**', ['/etc/*', '/etc']],
  ['tools/call', []],
  ['a?', []],
])('%s', (pattern, expected) => {
  expect(mutateGlob(pattern)).toEqual(expected);
});

it('whatever the glob: each is another one, once, that a policy may have', () => {
  const pattern = fc.string({ unit: fc.constantFrom('*', '**', '/', 'a', '_', '.', '?', ':'), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(pattern, (glob) => {
      const found = mutateGlob(glob);
      expect(found).not.toContain(glob);
      expect(new Set(found).size).toBe(found.length);
      expect(found.filter((each) => findGlobFault(each) !== undefined)).toEqual([]);
    }),
  );
});
