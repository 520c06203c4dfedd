import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** Young generation, in MiB, after a lot of objects that live for a moment. */
function youngSpace(prelude: string): number {
  const code = `${prelude}
    import { getHeapSpaceStatistics } from 'node:v8';
    let kept = [];
    for (let i = 0; i < 3_000_000; i++) { kept.push({ i }); if (kept.length === 30_000) kept = []; }
    console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20);`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: import.meta.dirname, encoding: 'utf8' }));
}

it('the space for young objects stays as it is, where it would grow', () => {
  const prelude = "import { keepHeapSmall } from '../../src/host/small-heap.ts'; keepHeapSmall();";
  expect(youngSpace('')).toBeGreaterThanOrEqual(8);
  expect(youngSpace(prelude)).toBeLessThanOrEqual(4);
});
