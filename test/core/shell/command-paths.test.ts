import { describe, expect, it } from 'vitest';
import { pathsOfCommand } from '../../../src/core/shell/command-paths.ts';

describe('pathsOfCommand', () => {
  it.each([
    ['cat a b/c', ['a', 'b/c']],
    ['x --file=/a -C/b @/c', ['/a', '/b', '/c']],
    ['cd ~/x && cat y', ['~/x', 'y', '~/x/y']],
    ['D=/a; cat $D/b', ['/a/b']],
    ['cat "/a b"', ['/a b']],
    ["ssh host 'cat /a'", ['/a']],
    ['x > /a 2>/b', ['/a', '/b']],
    ['git -c core.pager="cat /a" log', ['/a']],
    ['"$(cat /a)"', ['/a']],
    ['awk \'BEGIN{getline < "/a"}\'', ['/a']],
  ])('finds what %j names', (line, paths) => {
    expect(pathsOfCommand(line)).toEqual(expect.arrayContaining(paths));
  });

  it.each([
    ['npm'],
    ['ls -la'],
    ['echo a b'],
    ['grep a'],
    ["sed -e s/a/b/ -e 's/c d/e/'"],
    ["git -m 'a b'"],
    ["cat <<'E'\n/a\nE"],
    ['ls .*'],
  ])('finds nothing in %j', (line) => {
    expect(pathsOfCommand(line)).toEqual([]);
  });

  it.each([
    'a '.repeat(100_000),
    '$('.repeat(100_000),
    '<<E\n'.repeat(50_000),
    `"${'`'.repeat(100_000)}"`,
    "$'".repeat(100_000),
    `sh -c ${'"'.repeat(100_000)}`,
  ])('takes no longer for a crafted line (%#)', (line) => {
    const start = performance.now();
    pathsOfCommand(line);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
