import { describe, expect, it } from 'vitest';
import { lazyStores } from '../../src/audit/lazy-stores.ts';
import type { Stores } from '../../src/gate/ports/ports.ts';
import { MemoryRegistry } from '../support/memory-registry.ts';
import { MemoryBuckets, MemorySessionLog } from '../support/memory-session-log.ts';
import { MemorySeenCalls } from '../support/memory-seen-calls.ts';
import { launched, sighted } from '../support/registered.ts';

const CALL = { server: 'files', tool: 'read', args: { path: 'a' } };
const SEEN_CALL = { record: 'r.1', time: 1, toolUseId: 't', isDenied: false, granted: undefined };

function createStores(): Stores {
  return {
    registry: new MemoryRegistry(),
    sessionLog: new MemorySessionLog(),
    buckets: new MemoryBuckets(),
    seenCalls: new MemorySeenCalls(),
  };
}

describe('lateStores', () => {
  it('are those that there are', () => {
    const there = createStores();
    const late = lazyStores((work) => work(there));
    late.buckets.write('a', { tokens: 2, time: 5 }, 10);
    expect(late.buckets.read('a', 9)).toEqual({ tokens: 2, time: 5 });
    late.seenCalls.add('s', CALL, SEEN_CALL);
    late.seenCalls.add('s', CALL, { ...SEEN_CALL, record: 'r.2' });
    late.seenCalls.remove('s', CALL, 1);
    expect(late.seenCalls.named(CALL, 't')).toEqual([{ ...SEEN_CALL, session: 's', n: 2, record: 'r.2' }]);
    late.sessionLog.addServer('s', 'files', 1);
    expect([late.sessionLog.servers('s'), late.sessionLog.version()]).toEqual([['files'], there.sessionLog.version()]);
    late.registry.write('files', [sighted('read', 'a', { isPinned: true })], 1);
    late.registry.writeServer('files', launched('npx'), { isPinned: true, now: 1 });
    expect(late.registry.pin('files', 'tool', 'read')).toEqual(there.registry.pin('files', 'tool', 'read'));
    expect(late.registry.text('files', 'tool', 'read', 'pinned')).toBe(sighted('read', 'a').seen?.text);
    expect(late.registry.server('files')?.pinned).toBe(launched('npx').fingerprint);
    expect([...late.registry.lookAlikes('other', ['READ']).keys()]).toEqual(['READ']);
  });

  it('are asked for anew with each call, and each value', () => {
    let there = createStores();
    const late = lazyStores((work) => work(there));
    expect(late.registry.database).toBe(there.registry.database);
    there = createStores();
    expect(late.registry.database).toBe(there.registry.database);
  });

  it('fail where there are none yet', () => {
    const late = lazyStores(() => {
      throw new Error('not yet');
    });
    expect(() => late.registry.pin('files', 'tool', 'read')).toThrow('not yet');
    expect(() => late.registry.database).toThrow('not yet');
    expect(() => late.sessionLog.version()).toThrow('not yet');
    expect(() => late.buckets.read('a', 1)).toThrow('not yet');
    expect(() => late.seenCalls.of('s', CALL)).toThrow('not yet');
  });
});
