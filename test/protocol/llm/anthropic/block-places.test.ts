import { expect, it } from 'vitest';
import { BlockPlaces } from '../../../../src/protocol/llm/anthropic/block-places.ts';

it('blocks are numbered as they are begun', () => {
  const places = new BlockPlaces();
  expect(places.isEmpty).toBe(true);
  expect([places.open(0, false), places.open(5, true), places.open(2, false)]).toEqual([0, 1, 2]);
  expect(places.isEmpty).toBe(false);
  expect(places.get(5)).toEqual({ out: 1, isWithheld: true });
  places.close(5);
  expect(places.get(5)).toBeUndefined();
  expect(places.open(5, false)).toBe(3);
});

it('blocks that a message begins with are counted, where upstream counts them', () => {
  const counting = new BlockPlaces();
  counting.begin(2);
  expect([counting.open(2, false), counting.open(3, false)]).toEqual([2, 3]);
  expect(counting.open(0, false)).toBe(4);
  const notCounting = new BlockPlaces();
  notCounting.begin(2);
  expect([notCounting.open(0, false), notCounting.open(1, false)]).toEqual([0, 1]);
});

it('what stands in the place of such a block comes behind those that are left', () => {
  const places = new BlockPlaces();
  places.begin(2);
  places.keep(1);
  expect([places.take(), places.open(0, false), places.open(1, false)]).toEqual([1, 2, 3]);
});
