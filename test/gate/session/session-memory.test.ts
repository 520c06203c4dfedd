import { describe, expect, it } from 'vitest';
import { memoriesOf, MemorySessionLog, NO_PROVENANCE } from '../../support/memory-session-log.ts';
import { policyFrom } from '../../support/policy.ts';

const FLOW = policyFrom('').flow;

describe('SessionMemory', () => {
  it('reads what others have remembered of results once, and what this process adds as well', () => {
    const log = new MemorySessionLog();
    const added: number[] = [];
    const memory = memoriesOf(log, { provenance: { ...NO_PROVENANCE, add: ({ n }) => void added.push(n) } })().of('s');
    const values = { source: 'x', server: 'db', time: 1, hashes: new Uint8Array() };
    const other = log.ofAnother();
    other.addValues('s', values);
    memory.read(log.version(), 0, FLOW);
    for (let i = 0; i < 2; i++) memory.readValues();
    expect(added).toEqual([1]);
    memory.addValues(values);
    other.addValues('s', values);
    memory.readValues();
    expect(added).toEqual([1, 2, 3]);
  });

  it('is stale when others have written, when a transaction was lost, and after a while', () => {
    const log = new MemorySessionLog();
    const memory = memoriesOf(log)().of('s');
    const version = { others: 1, lost: 0 };
    expect(memory.isStale(version, 0)).toBe(true);
    memory.read(version, 0, FLOW);
    expect(memory.isStale(version, 29_999)).toBe(false);
    expect(memory.isStale(version, 30_000)).toBe(true);
    expect(memory.isStale({ ...version, others: 2 }, 0)).toBe(true);
    expect(memory.isStale({ ...version, lost: 1 }, 0)).toBe(true);
  });

  it('does not keep in mind that nobody has a tool: somebody may from now on', () => {
    const memory = memoriesOf(new MemorySessionLog())().of('s');
    const ask = (first: string | undefined, now = 0): string | undefined =>
      memory.ownerOf('lookup', 'mail', { now, find: () => first });
    expect(ask(undefined)).toBeUndefined();
    expect(ask('db')).toBe('db');
    expect(ask('mail')).toBe('db');
    expect(ask('mail', 250)).toBeUndefined();
  });
});

describe('SessionMemories', () => {
  it('are the same for all connections of a process, and not without end', () => {
    const memories = memoriesOf(new MemorySessionLog())();
    const first = memories.of('s');
    expect(memories.of('s')).toBe(first);
    for (let i = 0; i < 100; i++) memories.of(`s${i}`);
    expect(memories.of('s')).not.toBe(first);
  });

  it('forget the one that was used least recently, and none whose results are being read', () => {
    const memories = memoriesOf(new MemorySessionLog())();
    const [busy, used] = [memories.of('busy'), memories.of('used')];
    const settle = busy.unread.pass('db');
    for (let i = 0; i < 100; i++) {
      memories.of(`s${i}`);
      memories.of('used');
    }
    expect(memories.of('busy')).toBe(busy);
    expect(memories.of('used')).toBe(used);
    settle();
    for (let i = 0; i < 100; i++) memories.of(`t${i}`);
    expect(memories.of('busy')).not.toBe(busy);
  });
});
