import { expect, it } from 'vitest';
import type { Frame } from '../../../src/protocol/llm/typed-frame.ts';
import { PendingFrames } from '../../../src/protocol/llm/pending-frames.ts';

const frame = (type: string, data = '{}'): Frame => ({ type, payload: {}, data, id: undefined, retry: undefined, isPlain: true });

function pending(maxSize = 100): { readonly all: PendingFrames; readonly done: string[]; run(): void } {
  const done: string[] = [];
  const all = new PendingFrames({ maxSize, take: ({ type }) => done.push(type) });
  return {
    all,
    done,
    run() {
      while (!all.isEmpty) all.runNext();
    },
  };
}

it('what waits has its turn in order', () => {
  const { all, done, run } = pending();
  all.add(frame('b'));
  all.add(frame('c'));
  all.prepend([() => done.push('a1'), () => done.push('a2')]);
  run();
  expect(done).toEqual(['a1', 'a2', 'b', 'c']);
});

it('what waits behind a call comes before what came later, also where some of that has been done', () => {
  const { all, done, run } = pending();
  all.add(frame('a'));
  all.add(frame('d'));
  all.addBehind(frame('b'));
  all.addBehind(frame('c'));
  expect(all.hasBehind).toBe(true);
  all.runNext();
  all.releaseBehind();
  expect(all.hasBehind).toBe(false);
  run();
  expect(done).toEqual(['a', 'b', 'c', 'd']);
});

it('what waits is counted, until it has had its turn', () => {
  const { all, run } = pending(10);
  all.add(frame('a', 'x'.repeat(5)));
  all.addBehind(frame('b', 'x'.repeat(5)));
  expect(all.isTooMuch).toBe(false);
  all.add(frame('c', 'x'));
  expect(all.isTooMuch).toBe(true);
  run();
  expect(all.isTooMuch).toBe(false);
  all.add(frame('d', 'x'.repeat(6)));
  expect(all.isTooMuch).toBe(true);
  all.clear();
  expect([all.isTooMuch, all.isEmpty, all.hasBehind]).toEqual([false, true, false]);
});

it('little may wait behind a call by count, however short it is', () => {
  const { all } = pending(1 << 20);
  for (let i = 0; i < 4096; i++) all.addBehind(frame('a'));
  expect(all.isTooMuch).toBe(false);
  all.addBehind(frame('a'));
  expect(all.isTooMuch).toBe(true);
});
