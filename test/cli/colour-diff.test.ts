import { expect, it } from 'vitest';
import { colourDiff } from '../../src/cli/colour-diff.ts';

it('colours what goes and what comes, and lets nothing in it steer the terminal', () => {
  const diff = '--- /a\n+++ /a\n@@ -1,2 +1,2 @@\n \tsame\r\n-old \u001b[2J\n+new\u202E\n';
  expect(colourDiff(diff).split('\n')).toEqual([
    '\u001b[1m--- /a\u001b[22m',
    '\u001b[1m+++ /a\u001b[22m',
    '\u001b[36m@@ -1,2 +1,2 @@\u001b[39m',
    ' \tsame\uFFFD',
    '\u001b[31m-old \uFFFD[2J\u001b[39m',
    '\u001b[32m+new\uFFFD\u001b[39m',
    '',
  ]);
});
