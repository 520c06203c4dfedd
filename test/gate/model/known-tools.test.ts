import { expect, it } from 'vitest';
import { KnownTools } from '../../../src/gate/model/known-tools.ts';

/** A registry whose tools can be exchanged, and how often it was asked. */
function setUp(): { known: KnownTools; world: { now: number; asked: number; tools: Record<string, string[]> } } {
  const world = { now: 0, asked: 0, tools: { files: ['read'] } as Record<string, string[]> };
  const registry = {
    tools: () => {
      world.asked++;
      return new Map(Object.entries(world.tools));
    },
  };
  return { world, known: new KnownTools({ registry, clock: { elapsed: () => world.now * 1000 } }) };
}

it('are the same value as long as nothing changes', () => {
  const { known, world } = setUp();
  const first = known.servers();
  expect(first).toEqual([{ name: 'files', tools: ['read'] }]);
  world.now = 10_000;
  expect(known.servers()).toBe(first);
  expect(world.asked).toBe(2);
});

it('are asked for now and then', () => {
  const { known, world } = setUp();
  known.servers();
  world.tools = { files: ['read', 'write'], mail: [] };
  world.now = 249;
  expect(known.servers()).toHaveLength(1);
  world.now = 250;
  expect(known.servers()).toEqual([
    { name: 'files', tools: ['read', 'write'] },
    { name: 'mail', tools: [] },
  ]);
  expect(world.asked).toBe(2);
});

it('are asked for again at once where asking failed', () => {
  const { known, world } = setUp();
  const broken = new KnownTools({
    registry: {
      tools: () => {
        if (world.asked++ === 0) throw new Error('the disk is gone');
        return new Map();
      },
    },
    clock: { elapsed: () => 0 },
  });
  expect(() => broken.servers()).toThrow('the disk is gone');
  expect(broken.servers()).toEqual([]);
  expect(known.servers()).toHaveLength(1);
});

it('that take long to be told are asked for more seldom', () => {
  let [now, asked] = [0, 0];
  const registry = {
    tools: () => {
      now += 70;
      asked++;
      return new Map();
    },
  };
  const known = new KnownTools({ registry, clock: { elapsed: () => now * 1000 } });
  known.servers();
  now += 3400;
  known.servers();
  expect(asked).toBe(1);
  now += 100;
  known.servers();
  expect(asked).toBe(2);
});
