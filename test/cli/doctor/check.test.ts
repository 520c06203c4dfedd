import { expect, it } from 'vitest';
import { fail, ok, warn, renderChecks } from '../../../src/cli/doctor/check.ts';

const CHECKS = [
  ok('node', 'v24'),
  warn('installation', 'a text that is so long that it has to be wrapped', 'do this'),
  fail('x', 'a\u001b[2Jb'),
];

it('is aligned, wrapped, and steers no terminal', () => {
  expect(renderChecks(CHECKS, { width: 50, colour: false })).toBe(
    [
      'ok    node          v24',
      'warn  installation  a text that is so long that it',
      '                    has to be wrapped',
      '                    -> do this',
      'fail  x             a\uFFFD[2Jb',
      '',
    ].join('\n'),
  );
});

it('colours the first word alone', () => {
  const [first] = renderChecks(CHECKS, { width: Infinity, colour: true }).split('\n');
  expect(first).toMatch(/^\u001b\[32mok\u001b\[39m {4}node/);
});
