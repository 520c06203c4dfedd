import { describe, expect, it } from 'vitest';
import { batchText, deliver } from '../../../src/gate/answers/deliver.ts';
import { BatchAnswer, type PendingRequest, PendingRequests } from '../../../src/gate/messages/pending.ts';
import { JsonScanner } from '../../../src/protocol/json-scanner.ts';
import { readMessage } from '../../../src/protocol/jsonrpc.ts';

const REQUEST: PendingRequest = {
  key: 1,
  spelling: undefined,
  method: 'tools/call',
  deny: undefined,
  batch: undefined,
  isCancelled: false,
};

function waiting(request: PendingRequest): { fromClient: PendingRequests; waitingAnswers: Map<PendingRequest, AbortController> } {
  const fromClient = new PendingRequests();
  fromClient.add(request);
  return { fromClient, waitingAnswers: new Map() };
}

describe('deliver', () => {
  it('an answer goes on, or what takes its place, once', () => {
    const to = waiting(REQUEST);
    expect(deliver(to, REQUEST, undefined)).toEqual({ kind: 'forward' });
    expect(deliver(to, REQUEST, undefined)).toEqual({ kind: 'drop' });
    expect(deliver(waiting(REQUEST), REQUEST, undefined, 'other\n')).toEqual({ kind: 'replace', line: 'other\n' });
  });

  it('nobody waits for what was cancelled, and who is asked about it is not any more', () => {
    const cancelled = { ...REQUEST, isCancelled: true };
    expect(deliver(waiting(cancelled), cancelled, undefined)).toEqual({ kind: 'drop' });
    const to = waiting(REQUEST);
    const question = new AbortController();
    to.waitingAnswers.set(REQUEST, question);
    deliver(to, REQUEST, undefined);
    expect(question.signal.aborted).toBe(true);
  });

  it('within a batch it waits for the others', () => {
    const batch = new BatchAnswer([1, 2]);
    const [one, two] = [
      { ...REQUEST, batch },
      { ...REQUEST, key: 2, batch },
    ];
    const to = waiting(one);
    to.fromClient.add(two);
    const bytes = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}');
    const text = batchText(readMessage(new JsonScanner(), bytes, 0, bytes.length), one);
    expect(text).toBe(bytes.toString());
    expect(deliver(to, one, text)).toEqual({ kind: 'drop' });
    const whole = deliver(to, two, undefined, '{"id":2}\n');
    expect(whole.kind).toBe('replace');
    expect(JSON.parse(whole.kind === 'replace' ? whole.line : '')).toHaveLength(2);
    expect(batchText(readMessage(new JsonScanner(), bytes, 0, bytes.length), REQUEST)).toBeUndefined();
  });
});
