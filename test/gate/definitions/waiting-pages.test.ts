import { expect, it } from 'vitest';
import { type WaitingPage, WaitingPages } from '../../../src/gate/definitions/waiting-pages.ts';

const MIB = 1024 * 1024;
const page = (place: string, size = 100): WaitingPage => ({
  kind: 'tool',
  member: 'tools',
  cursor: '',
  digest: place,
  place,
  size,
  read: () => undefined,
});

function placesOf(waiting: WaitingPages): readonly string[] {
  const places: string[] = [];
  for (let first = waiting.first; first !== undefined; first = waiting.first) {
    places.push(first.place);
    waiting.drop();
  }
  return places;
}

it('pages in the order they came; those that are put back come first', () => {
  const waiting = new WaitingPages();
  for (const place of ['c', 'd']) waiting.add(page(place));
  waiting.putBack([page('a'), page('b')]);
  expect(waiting.size).toBe(4);
  expect(placesOf(waiting)).toEqual(['a', 'b', 'c', 'd']);
  expect(waiting.size).toBe(0);
});

it('there is room for one of any size, for 16 MiB of several, and for 64', () => {
  const waiting = new WaitingPages();
  expect(waiting.hasRoom(page('a', 64 * MIB))).toBe(true);
  waiting.add(page('a', 15 * MIB));
  expect(waiting.hasRoom(page('b', MIB))).toBe(true);
  expect(waiting.hasRoom(page('b', MIB + 1))).toBe(false);
  for (let i = 1; i < 64; i++) waiting.add(page(`${i}`, 1));
  expect(waiting.hasRoom(page('c', 1))).toBe(false);
});
