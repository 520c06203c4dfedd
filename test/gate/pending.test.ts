import { describe, expect, it } from 'vitest';
import { type PendingRequest, PendingRequests } from '../../src/gate/pending.ts';

function request(id: string): PendingRequest {
  return { id, method: 'ping', batch: undefined, isCancelled: false };
}

describe('PendingRequests', () => {
  it('gives back what was added, once', () => {
    const pending = new PendingRequests();
    const one = request('1');
    pending.add(one);
    expect(pending.get('1.0')).toBe(one);
    expect(pending.take('1')).toBe(one);
    expect(pending.take('1')).toBeUndefined();
  });

  it('hazard 13: tells ids apart by type', () => {
    const pending = new PendingRequests();
    pending.add(request('1'));
    expect(pending.get('"1"')).toBeUndefined();
    expect(pending.findObstacle('"1"')).toBeUndefined();
    expect(pending.findObstacle('1')).toContain('in use');
  });

  it('gives back all in order', () => {
    const pending = new PendingRequests();
    for (const id of ['3', '"x"', '1']) pending.add(request(id));
    expect(pending.takeAll().map(({ id }) => id)).toEqual(['3', '"x"', '1']);
    expect(pending.takeAll()).toEqual([]);
  });
});
