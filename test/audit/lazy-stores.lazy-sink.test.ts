import { describe, expect, it } from 'vitest';
import { LazySink, type Recording } from '../../src/audit/lazy-stores.ts';
import { MemoryRegistry } from '../support/memory-registry.ts';
import { MemoryBuckets, MemorySessionLog, memoriesOf } from '../support/memory-session-log.ts';
import { MemorySeenCalls } from '../support/memory-seen-calls.ts';
import { createTestSink } from '../support/sink.ts';

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function createStores(): Omit<Recording, 'sink'> {
  const sessionLog = new MemorySessionLog();
  const stores = { registry: new MemoryRegistry(), sessionLog, buckets: new MemoryBuckets(), seenCalls: new MemorySeenCalls() };
  return { stores, memories: memoriesOf(sessionLog)() };
}

describe('LateSink', () => {
  it('loads at the first beginning, once, and is busy until then', async () => {
    const made = createTestSink();
    let loads = 0;
    const sink = new LazySink(() => {
      loads++;
      return Promise.resolve({
        sink: made.sink,
        ...createStores(),
      });
    });
    expect([sink.begin(), sink.begin(), loads]).toEqual([false, false, 1]);
    await tick();
    expect(sink.begin()).toBe(true);
    sink.record({ type: 'call' } as never);
    sink.record({ type: 'body' } as never);
    sink.stores.registry.write('files', [], 1);
    sink.commit();
    expect([made.calls.length, made.bodies.length, loads]).toEqual([1, 1, 1]);
  });

  it('is loaded by the way, and then begins at once', async () => {
    let loads = 0;
    const sink = new LazySink(() => {
      loads++;
      return Promise.resolve({
        sink: createTestSink().sink,
        ...createStores(),
      });
    });
    expect(() => sink.stores.registry.pin('files', 'tool', 'read')).toThrow('before it was begun');
    sink.warm();
    sink.warm();
    await tick();
    sink.warm();
    expect([sink.begin(), loads]).toEqual([true, 1]);
    expect(sink.stores.registry.pin('files', 'tool', 'read')).toBeUndefined();
  });

  it('fails where it could not be loaded', async () => {
    const sink = new LazySink(() => Promise.reject(new Error('no such module')));
    sink.begin();
    await tick();
    expect(() => sink.begin()).toThrow('no such module');
  });

  it('takes nothing that was not begun, and ends without having begun', () => {
    const sink = new LazySink(() =>
      Promise.resolve({
        sink: createTestSink().sink,
        ...createStores(),
      }),
    );
    expect(() => sink.record({ type: 'call' } as never)).toThrow('before it was begun');
    sink.rollback();
    sink.close();
  });
});
