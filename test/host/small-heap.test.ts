import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** Young generation, in MiB, after a lot of objects that live for a moment. */
function youngSpace(prelude: string, afterEach: string): number {
  const code = `${prelude}
    import { getHeapSpaceStatistics } from 'node:v8';
    let kept = [];
    for (let i = 0; i < 6_000_000; i++) {
      kept.push({ i });
      if (kept.length % 100 === 0) { ${afterEach} }
      if (kept.length === 60_000) kept = [];
    }
    console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20);`;
  return Number(
    execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: import.meta.dirname, encoding: 'utf8' }),
  );
}

it('the space for young objects stops growing, where it would go on', () => {
  const prelude = "import { createHeapLimit } from '../../src/host/small-heap.ts'; const limit = createHeapLimit();";
  expect(youngSpace('', '')).toBeGreaterThan(16);
  expect(youngSpace(prelude, 'limit.afterChunk(0);')).toBeLessThanOrEqual(16);
});

it('the same while a big message is looked at, and grows again after it', () => {
  const prelude =
    "import { createHeapLimit } from '../../src/host/small-heap.ts'; const limit = createHeapLimit(); limit.beforeBig();";
  // Mostly 2. A page more, where a collection found more alive than it had room for; without the limit it is 32.
  expect(youngSpace(prelude, '')).toBeLessThanOrEqual(8);
  expect(youngSpace(`${prelude} limit.afterChunk(0);`, '')).toBeGreaterThan(16);
});
