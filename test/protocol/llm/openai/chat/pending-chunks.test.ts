import { describe, expect, it } from 'vitest';
import type { Chunk } from '../../../../../src/protocol/llm/openai/chat/chunk.ts';
import { PendingChunks } from '../../../../../src/protocol/llm/openai/chat/pending-chunks.ts';

function chunkOf(...indices: readonly number[]): Chunk {
  const choices = indices.map((index) => ({
    index,
    value: {},
    delta: {},
    toolCalls: [],
    functionCall: undefined,
    finish: undefined,
  }));
  return { kind: 'chunk', payload: {}, choices, data: 'x'.repeat(10), id: undefined, retry: undefined, isPlain: true };
}

describe('what waits', () => {
  it('is done in order, steps that come of others before the rest', () => {
    const pending = new PendingChunks(100);
    const done: string[] = [];
    pending.add(chunkOf(0), () => {
      done.push('a');
      pending.prepend([() => done.push('a1'), () => done.push('a2')]);
    });
    pending.add(chunkOf(0), () => done.push('b'));
    pending.addLast(() => done.push('c'));
    while (!pending.isEmpty) pending.runNext();
    expect(done).toEqual(['a', 'a1', 'a2', 'b', 'c']);
  });

  it('holds up its own choices, and all where it is about none', () => {
    const pending = new PendingChunks(100);
    expect([pending.isBlocked(0), pending.isChunkBlocked(chunkOf(0)), pending.isChunkBlocked(chunkOf())]).toEqual([
      false,
      false,
      false,
    ]);
    pending.block([0]);
    expect([pending.isBlocked(0), pending.isBlocked(1)]).toEqual([true, false]);
    expect([chunkOf(0), chunkOf(1), chunkOf(1, 0), chunkOf()].map((each) => pending.isChunkBlocked(each))).toEqual([
      true,
      false,
      true,
      true,
    ]);
    pending.add(chunkOf(1, 2), () => {});
    expect([1, 2, 3].map((choice) => pending.isBlocked(choice))).toEqual([true, true, false]);
    pending.add(chunkOf(), () => {});
    expect([pending.isBlocked(3), pending.isChunkBlocked(chunkOf(3))]).toEqual([true, true]);
    pending.unblock();
    expect(pending.isBlocked(0)).toBe(false);
  });

  it('is too much at some time, in characters or in chunks', () => {
    const pending = new PendingChunks(25);
    for (const isTooMuch of [false, false, true]) {
      pending.add(chunkOf(0), () => {});
      expect(pending.isTooMuch).toBe(isTooMuch);
    }
    pending.runNext();
    expect(pending.isTooMuch).toBe(false);
    pending.clear();
    expect([pending.isEmpty, pending.isBlocked(0)]).toEqual([true, false]);
    const many = new PendingChunks(1 << 20);
    for (let at = 0; at < 4097; at++) many.add(chunkOf(0), () => {});
    expect(many.isTooMuch).toBe(true);
  });
});
