import { describe, expect, it } from 'vitest';
import { explore } from '../../../src/policy-tools/replay/explore.ts';

describe('explore', () => {
  it('runs once where nothing is unknown', () => {
    expect([...explore(() => 'a')]).toEqual([{ value: 'a', supposed: [], changed: undefined }]);
  });

  it('goes through every way that what is asked for may have been, in order', () => {
    const worlds = [...explore((choose) => `${choose('x', [1, 2])}${choose('y', ['a', 'b', 'c'])}`)];
    expect(worlds.map(({ value }) => value)).toEqual(['1a', '1b', '1c', '2a', '2b', '2c']);
    expect(worlds.map(({ supposed }) => supposed)).toEqual(worlds.map(() => ['x', 'y']));
  });

  it('tells apart only what is asked for in that world', () => {
    const worlds = [...explore((choose) => (choose('x', [true, false]) ? 'done' : choose('y', ['a', 'b'])))];
    expect(worlds).toEqual([
      { value: 'done', supposed: ['x'], changed: undefined },
      { value: 'a', supposed: ['x', 'y'], changed: 'x' },
      { value: 'b', supposed: ['x', 'y'], changed: 'y' },
    ]);
  });

  it('gives the same unknown the same answer in one world', () => {
    const worlds = [...explore((choose) => [choose('x', [1, 2]), choose('z', [3]), choose('x', [1, 2])])];
    expect(worlds.map(({ value }) => value)).toEqual([
      [1, 3, 1],
      [2, 3, 2],
    ]);
  });

  it('goes no further than somebody reads', () => {
    let runs = 0;
    for (const { value } of explore((choose) => ((runs += 1), Array.from({ length: 60 }, (_, at) => choose(`${at}`, [0, 1]))))) {
      if (value.includes(1)) break;
    }
    expect(runs).toBe(2);
  });
});
