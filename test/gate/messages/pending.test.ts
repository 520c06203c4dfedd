import { describe, expect, it } from 'vitest';
import { type IdKey, idKey } from '../../../src/gate/messages/id-key.ts';
import { idOf, type PendingRequest, PendingRequests } from '../../../src/gate/messages/pending.ts';

function request(key: IdKey, spelling?: string): PendingRequest {
  return { key, spelling, method: 'ping', deny: undefined, batch: undefined, isCancelled: false };
}

const SPAN = { start: 0, end: 1 };

describe('PendingRequests', () => {
  it('gives back what was added, once', () => {
    const pending = new PendingRequests();
    const one = request(1);
    pending.add(one);
    expect(pending.get(idKey('1.0'))).toBe(one);
    expect(pending.take(1)).toBe(one);
    expect(pending.take(1)).toBeUndefined();
  });

  it('hazard 13: tells ids apart by type', () => {
    const pending = new PendingRequests();
    pending.add(request(1));
    expect(pending.get(idKey('"1"'))).toBeUndefined();
    expect(pending.findObstacle(idKey('"1"'), SPAN)).toBeUndefined();
    expect(pending.findObstacle(1, SPAN)).toContain('in use');
  });

  it('has room for so many, and makes more of it out of what was cancelled', () => {
    const pending = new PendingRequests();
    for (let key = 0; key < 65_536; key++) pending.add(request(key));
    expect(pending.findObstacle(-1, SPAN)).toContain('too many');
    for (const key of [5, 7]) pending.cancel(pending.get(key) as PendingRequest);
    expect(pending.take(7)).toMatchObject({ isCancelled: true });
    pending.add(request(-1));
    expect(pending.findObstacle(-2, SPAN)).toBeUndefined();
    expect(pending.get(5)).toBeUndefined();
    pending.add(request(-2));
    expect(pending.findObstacle(-3, SPAN)).toContain('too many');
  });

  it('remembers no long ids', () => {
    const pending = new PendingRequests();
    expect(pending.findObstacle('"a"', { start: 10, end: 10 + 1024 })).toBeUndefined();
    expect(pending.findObstacle('"a"', { start: 10, end: 10 + 1025 })).toContain('longer than 1024 bytes');
  });

  it('keeps a plain request by its method alone, and as good as any other', () => {
    const pending = new PendingRequests();
    pending.addPlain(1, 'ping');
    pending.addPlain(2, 'ping');
    pending.add(request(3));
    expect(pending.findObstacle(1, SPAN)).toContain('in use');
    expect(pending.takePlain(1)).toBe(true);
    expect(pending.takePlain(1)).toBe(false);
    expect(pending.takePlain(3)).toBe(false);
    expect(pending.get(1)).toBeUndefined();
    expect(pending.get(2)).toEqual({ ...request(2), declaring: undefined });
    // Somebody has it now, and may note something on it.
    expect(pending.takePlain(2)).toBe(false);
    expect(pending.get(2)).toBe(pending.get(2));
    pending.cancel(pending.get(2) as PendingRequest);
    pending.addPlain(4, 'ping');
    expect(pending.take(2)).toMatchObject({ isCancelled: true });
    expect(pending.takeAll().map(({ key, method }) => [key, method])).toEqual([
      [3, 'ping'],
      [4, 'ping'],
    ]);
    expect(pending.takePlain(4)).toBe(false);
  });

  it('gives back all in order', () => {
    const pending = new PendingRequests();
    for (const key of [3, '"x"', 1]) pending.add(request(key));
    expect(pending.takeAll().map(({ key }) => key)).toEqual([3, '"x"', 1]);
    expect(pending.takeAll()).toEqual([]);
  });
});

describe('idOf', () => {
  it.each([
    [request(7), '7'],
    [request('"a"'), '"a"'],
    [request(1, '1.0'), '1.0'],
  ])('%o', (pending, id) => {
    expect(idOf(pending)).toBe(id);
  });
});
