import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../src/gate/answers/deliver.ts';
import { idKey } from '../../../src/gate/messages/id-key.ts';
import { BatchAnswer, type PendingRequest } from '../../../src/gate/messages/pending.ts';

function pending(id: string, more: Partial<PendingRequest> = {}): PendingRequest {
  return { key: idKey(id), spelling: undefined, method: 'ping', deny: undefined, batch: undefined, isCancelled: false, ...more };
}

describe('failureOf', () => {
  it('answers in the place of a server', () => {
    expect(JSON.parse(failureOf(pending('7'), 'it is gone'))).toMatchObject({ id: 7, error: { message: 'it is gone' } });
  });

  it('repeats an id as it was spelt', () => {
    expect(failureOf(pending('1.0', { spelling: '1.0' }), 'x')).toContain('"id":1.0,');
  });

  it('answers nobody who does not wait any more', () => {
    expect(failureOf(pending('7', { isCancelled: true }), 'x')).toBe('');
  });

  it('hazard 15: waits for the rest of a batch', () => {
    const batch = new BatchAnswer([idKey('1'), idKey('2')]);
    expect(failureOf(pending('1', { batch }), 'x')).toBe('');
    expect(JSON.parse(failureOf(pending('2', { batch }), 'x'))).toMatchObject([{ id: 1 }, { id: 2 }]);
  });
});
