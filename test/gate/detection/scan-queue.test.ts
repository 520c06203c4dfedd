import { setImmediate, setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ScanQueue } from '../../../src/gate/detection/scan-queue.ts';
import type { Clock, ScanTime } from '../../../src/gate/ports/ports.ts';
import { machineClock } from '../../../src/host/machine.ts';

/** A queue, and what has been scanned so far. */
function queue(clock: Clock = machineClock) {
  const seen: string[] = [];
  const scans = new ScanQueue(clock);
  const add = (server: string, bytes: number, work?: () => void, when: ScanTime = 'later'): boolean => {
    const hasRoom = scans.hasRoom(server, bytes);
    const scan = (): Promise<void> => {
      work?.();
      seen.push(server);
      return Promise.resolve();
    };
    if (hasRoom) void scans.add({ server, bytes, scan, when });
    return hasRoom;
  };
  const until = async (count: number): Promise<void> => {
    for (let tries = 0; seen.length < count && tries < 5000; tries++) await setTimeout(1);
    expect(seen).toHaveLength(count);
  };
  return { scans, seen, add, until };
}

/** Adds so many, and says how many there was room for. */
function fill(add: (server: string, bytes: number) => boolean, server: string, { messages = 300, bytes = 10 } = {}): number {
  let added = 0;
  for (let index = 0; index < messages; index++) added += Number(add(server, bytes));
  return added;
}

describe('ScanQueue', () => {
  it('has what is patient wait, however much it is', async () => {
    const { seen, add, until } = queue();
    const much = 2 * 1024 * 1024;
    add('a', much, undefined, 'last');
    await setTimeout(50);
    expect(seen).toEqual([]);
    add('b', much);
    await until(2);
  });

  it('waits a while for more, and does not when somebody waits for it', async () => {
    const { scans, seen, add, until } = queue();
    add('a', 10);
    await setTimeout(50);
    expect(seen).toEqual([]);
    scans.hurry();
    await until(1);
    await setTimeout(50);
    add('a', 10);
    await setTimeout(50);
    expect(seen).toHaveLength(1);
    scans.hurry();
    await until(2);
  });

  it('begins by itself when there is enough', async () => {
    const { add, until } = queue();
    expect(fill(add, 'a', { messages: 64 })).toBe(64);
    await until(64);
  });

  it('keeps room for the others where one server floods', async () => {
    const { scans, seen, add, until } = queue();
    expect(fill(add, 'a')).toBe(256);
    expect(fill(add, 'b', { messages: 3 })).toBe(3);
    scans.hurry();
    await until(259);
    expect(seen.filter((server) => server === 'b')).toHaveLength(3);
  });

  it('keeps less of a flood until all of it was scanned, and as much as before then', async () => {
    const { scans, seen, add, until } = queue();
    const slow = (): void => {
      const end = performance.now() + 0.2;
      while (performance.now() < end);
    };
    for (let index = 0; index < 300; index++) add('a', 10, slow);
    scans.hurry();
    for (let tries = 0; seen.length < 100 && tries < 5000; tries++) await setImmediate();
    // Some have gone, and still there is no room.
    expect(seen.length).toBeLessThan(220);
    expect(add('a', 10)).toBe(false);
    await until(256);
    await setImmediate();
    expect(fill(add, 'a')).toBe(256);
  });

  it('keeps so many bytes of one server, and so many of all', async () => {
    const { scans, add, until } = queue();
    const MIB = 1024 * 1024;
    const ofOne = fill(add, 'a', { messages: 30, bytes: MIB });
    expect(ofOne).toBe(16);
    const servers = ['b', 'c', 'd', 'e', 'f'].map((server) => fill(add, server, { messages: 30, bytes: MIB }));
    expect(servers).toEqual([16, 16, 16, 0, 0]);
    scans.hurry();
    await until(64);
    await setImmediate();
    expect(add('f', MIB)).toBe(true);
  });

  it('scans a few every two milliseconds as long as more come', async () => {
    let elapsed = 0;
    const { seen, add } = queue({ now: () => 0, elapsed: () => elapsed });
    const begin = performance.now();
    while (performance.now() - begin < 300) {
      for (let index = 0; index < 20; index++) add(`server ${index}`, 10, () => (elapsed += 50));
      await setTimeout(1);
    }
    const turns = (performance.now() - begin) / 1.5 + 2;
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.length).toBeLessThanOrEqual(turns * 4);
  });
});
