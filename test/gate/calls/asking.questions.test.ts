import { describe, expect, it } from 'vitest';
import { MOST_ASKED, untilAborted } from '../../../src/gate/calls/asking.ts';
import type { Approval } from '../../../src/gate/ports/approval-port.ts';
import type { Ports } from '../../../src/gate/ports/ports.ts';
import { createTestGate, type TestGate, toolCall } from '../../support/gate.ts';

const POLICY = `
[[rule]]
action = "prompt"
tool = "ask"

[[rule]]
action = "prompt"
resource = "**"

[[rule]]
action = "prompt"
method = "elicitation/create"

[defaults]
action = "allow"
`;

/** A gate whose person is asked and answers when told to; the approver does not hear of withdrawals. */
interface Asking extends TestGate {
  readonly questions: { readonly answer: (approval: Approval) => void; readonly withdrawn: AbortSignal }[];
}

function askingGate(more: Partial<Ports> = {}): Asking {
  const questions: Asking['questions'] = [];
  const ask: Ports['approver']['ask'] = (_call, _decision, withdrawn) =>
    new Promise((answer) => {
      questions.push({ answer, withdrawn });
    });
  return { ...createTestGate(POLICY, { approver: { ask }, ...more }), questions };
}

async function batchGate(): Promise<Asking> {
  const gate = askingGate();
  await gate.client('{"jsonrpc":"2.0","id":"i","method":"initialize","params":{}}');
  await gate.server('{"jsonrpc":"2.0","id":"i","result":{"protocolVersion":"2025-03-26"}}');
  return gate;
}

const elicit = (id: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'elicitation/create', params: { message: 'Colour?' } });
const cancel = (requestId: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
const ping = (id: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });
const done = (id: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result: {} });
const inputRequired = (id: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { inputRequests: { q: { method: 'elicitation/create', params: {} } } } });

const FLOOD = { result: { isError: true, _meta: { 'dev.clawai/decision': { reason: 'approval_flood' } } } };
const WITHDRAWN = { result: { isError: true, _meta: { 'dev.clawai/decision': { reason: 'approval_withdrawn' } } } };

describe('hazard 21: so many calls may wait at once', () => {
  it('of the client: more are denied at once and recorded, and there is room again whenever one has ended', async () => {
    const gate = askingGate();
    const waiting = Array.from({ length: MOST_ASKED }, (_, id) => gate.client(toolCall('ask', {}, { id })));
    expect(await gate.client(toolCall('ask', {}, { id: 'more' }))).toMatchObject(FLOOD);
    expect(gate.records).toMatchObject([{ requestId: '"more"', asked: 'flood', reason: 'approval_flood' }]);
    // Granted, refused, failed to be asked, cancelled: each makes room for one.
    gate.questions[0]?.answer('granted');
    gate.questions[1]?.answer('refused');
    await gate.client(cancel(2));
    expect(await waiting[0]).toBe('forward');
    expect(await waiting[1]).toMatchObject({ result: { isError: true } });
    expect(await waiting[2]).toBe('drop');
    for (const id of ['a', 'b', 'c']) void gate.client(toolCall('ask', {}, { id }));
    expect(gate.questions).toHaveLength(MOST_ASKED + 3);
    expect(await gate.client(toolCall('ask', {}, { id: 'd' }))).toMatchObject(FLOOD);
  });

  it('again and again, however they end', async () => {
    let isFailing = false;
    const ask = (): Promise<Approval> => (isFailing ? Promise.reject(new Error('no display')) : Promise.resolve('granted'));
    const { client, warnings } = createTestGate(POLICY, { approver: { ask } });
    for (let id = 0; id < 2 * MOST_ASKED; id++) {
      isFailing = id < MOST_ASKED;
      await client(toolCall('ask', {}, { id }));
    }
    expect(warnings).toHaveLength(MOST_ASKED);
    expect(await client(toolCall('ask', {}, { id: 'last' }))).toBe('forward');
  });

  it('in one message: it is denied', async () => {
    const gate = askingGate();
    const resourceSubscriptions = Array.from({ length: MOST_ASKED + 1 }, (_, i) => `file:///${i}`);
    const params = { notifications: { resourceSubscriptions } };
    const verdict = gate.client(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }));
    for (const { answer } of gate.questions) answer('granted');
    expect(gate.questions).toHaveLength(MOST_ASKED);
    expect(await verdict).toMatchObject({ id: 1, error: { code: 40301 } });
  });

  it('of the server, which takes no room from the client', async () => {
    const gate = askingGate();
    const waiting = Array.from({ length: MOST_ASKED }, (_, id) => gate.server(elicit(id)));
    expect(await gate.server(elicit('more'))).toMatchObject({ id: 'more', result: { action: 'decline' } });
    expect(gate.records).toMatchObject([{ reason: 'approval_flood' }]);
    gate.questions[0]?.answer('granted');
    expect(await waiting[0]).toBe('forward');
    void gate.server(elicit('again'));
    void gate.client(toolCall('ask', {}, { id: 1 }));
    expect(gate.questions).toHaveLength(MOST_ASKED + 2);
  });
});

describe('a request of the server that waits', () => {
  it('has an id that is in use until it has ended', async () => {
    const gate = askingGate();
    const waiting = gate.server(elicit(1));
    expect(await gate.server(ping(1))).toMatchObject({
      id: 1,
      error: { code: -32600, message: expect.stringContaining('in use') },
    });
    expect(await gate.client(ping(1))).toBe('forward');
    gate.questions[0]?.answer('refused');
    expect(await waiting).toMatchObject({ id: 1, result: { action: 'decline' } });
    expect(await gate.server(ping(1))).toBe('forward');
  });

  it('is withdrawn when it is cancelled: neither side hears of it, and its id is free', async () => {
    const gate = askingGate();
    const waiting = gate.server(elicit(1));
    expect(await gate.server(cancel(1))).toBe('drop');
    expect(await waiting).toBe('drop');
    expect(gate.questions[0]?.withdrawn.aborted).toBe(true);
    expect(gate.records).toMatchObject([{ asked: 'withdrawn', reason: 'approval_withdrawn' }]);
    expect(await gate.client(done(1))).toBe('drop');
    expect(await gate.server(ping(1))).toBe('forward');
  });

  it('is withdrawn when the server ends', async () => {
    const gate = askingGate();
    const waiting = gate.server(elicit(1));
    expect(gate.gate.requests.serverEnded()).toBe('');
    expect(await waiting).toBe('drop');
  });

  it('is withdrawn and answered when the client goes, and one that comes later waits for nobody', async () => {
    const gate = askingGate();
    const waiting = [gate.server(elicit(1)), gate.server(elicit(2).replace('"id":2,', ''))];
    gate.gate.requests.clientGone();
    expect(await Promise.all(waiting)).toMatchObject([{ id: 1, result: { action: 'decline' } }, 'drop']);
    expect(await gate.server(elicit(3))).toMatchObject({ id: 3, result: { action: 'decline' } });
    expect(gate.questions).toHaveLength(2);
    expect(gate.records.map(({ asked }) => asked)).toEqual(['withdrawn', 'withdrawn', 'withdrawn']);
  });
});

describe('a call of the client that waits', () => {
  it('is withdrawn when the client goes: an approval that comes later forwards nothing, and it is answered all the same', async () => {
    const gate = askingGate();
    const waiting = gate.client(toolCall('ask'));
    const notification = gate.client('{"jsonrpc":"2.0","method":"tools/call","params":{"name":"ask"}}');
    gate.gate.requests.clientGone();
    for (const { answer } of gate.questions) answer('granted');
    expect(await waiting).toMatchObject({ id: 1, ...WITHDRAWN });
    expect(await notification).toBe('drop');
    expect(gate.questions.map(({ withdrawn }) => withdrawn.aborted)).toEqual([true, true]);
    expect(gate.gate.requests.serverEnded()).toBe('');
  });

  it('goes on where the approval came before the client went', async () => {
    const gate = askingGate();
    const waiting = gate.client(toolCall('ask'));
    gate.questions[0]?.answer('granted');
    expect(await waiting).toBe('forward');
    gate.gate.requests.clientGone();
    expect(await gate.server(done(1))).toBe('forward');
  });

  it('has an id that is free as soon as it was cancelled', async () => {
    const gate = askingGate();
    const first = gate.client(toolCall('ask'));
    void gate.client(cancel(1));
    const second = gate.client(toolCall('ask'));
    gate.questions[1]?.answer('granted');
    expect(await Promise.all([first, second])).toEqual(['drop', 'forward']);
  });

  it('has no answer when the server ends, if it was cancelled just before', async () => {
    const gate = askingGate();
    const waiting = gate.client(toolCall('ask'));
    void gate.client(cancel(1));
    expect(gate.gate.requests.serverEnded()).toBe('');
    expect(await waiting).toBe('drop');
  });
});

describe('an answer that asks for something which a person has to approve', () => {
  it('is withdrawn when the call it answers is cancelled', async () => {
    const gate = askingGate();
    await gate.client(toolCall('t'));
    const waiting = gate.server(inputRequired(1));
    await gate.client(cancel(1));
    expect(await waiting).toBe('drop');
    expect(gate.questions[0]?.withdrawn.aborted).toBe(true);
  });

  it('is asked about once, and no more when another answer has come', async () => {
    const gate = askingGate();
    await gate.client(toolCall('t'));
    const waiting = gate.server(inputRequired(1));
    expect(await gate.server(inputRequired(1))).toBe('drop');
    expect(gate.questions).toHaveLength(1);
    expect(await gate.server(done(1))).toBe('forward');
    expect(await waiting).toBe('drop');
    expect(gate.questions[0]?.withdrawn.aborted).toBe(true);
  });

  it('is withdrawn when the answer cannot be read that comes after it', async () => {
    const gate = askingGate();
    await gate.client(toolCall('t'));
    const waiting = gate.server(inputRequired(1));
    expect(await gate.server('{"jsonrpc":"2.0","id":1,"result":{},"result":{}}')).toMatchObject({
      onward: [{ id: 1, error: {} }],
    });
    expect(await waiting).toBe('drop');
    expect(gate.questions[0]?.withdrawn.aborted).toBe(true);
  });

  it('becomes a denial when the client goes', async () => {
    const gate = askingGate();
    await gate.client(toolCall('t'));
    const waiting = gate.server(inputRequired(1));
    gate.gate.requests.clientGone();
    expect(await waiting).toMatchObject({ onward: [{ id: 1, ...WITHDRAWN }] });
  });
});

describe('hazard 15: a batch that waits for a person', () => {
  it('goes on without what was cancelled meanwhile, and its one answer too', async () => {
    const gate = await batchGate();
    const batch = gate.client(`[${ping(1)},${toolCall('ask', {}, { id: 2 })},${ping(3)}]`);
    expect(await gate.client(cancel(1))).toBe('drop');
    gate.questions[0]?.answer('granted');
    expect(await batch).toEqual({ onward: [expect.objectContaining({ id: 2 }), expect.objectContaining({ id: 3 })], back: [] });
    expect(await gate.server(done(1))).toBe('drop');
    expect(await gate.server(done(2))).toBe('drop');
    expect(await gate.server(done(3))).toMatchObject({ onward: [[{ id: 2 }, { id: 3 }]] });
    expect(await gate.client(ping(1))).toBe('forward');
  });

  it('and of which all was cancelled: nobody gets anything', async () => {
    const gate = await batchGate();
    const batch = gate.client(`[${ping(1)},${toolCall('ask', {}, { id: 2 })}]`);
    expect(await gate.client(cancel(1))).toBe('drop');
    expect(await gate.client(cancel(2))).toBe('drop');
    expect(await batch).toEqual({ onward: [], back: [] });
    expect(gate.gate.requests.serverEnded()).toBe('');
  });

  it('whose request is cancelled in the batch itself: the server gets neither', async () => {
    const gate = await batchGate();
    expect(await gate.client(`[${ping(1)},${cancel(1)},${ping(1)},${ping(2)}]`)).toMatchObject({ onward: [{ id: 2 }], back: [] });
    expect(await gate.server(done(2))).toMatchObject({ onward: [[{ id: 1, error: { code: -32600 } }, { id: 2 }]] });
  });

  it('when the client goes: what a person has to approve stays here, the rest goes on', async () => {
    const gate = await batchGate();
    const batch = gate.client(`[${ping(1)},${toolCall('ask', {}, { id: 2 })}]`);
    gate.gate.requests.clientGone();
    expect(await batch).toMatchObject({ onward: [{ id: 1 }], back: [] });
    expect(await gate.server(done(1))).toMatchObject({ onward: [[{ id: 2, ...WITHDRAWN }, { id: 1 }]] });
  });

  it('when the server ends: it has one answer', async () => {
    const gate = await batchGate();
    const batch = gate.client(`[${ping(1)},${toolCall('ask', {}, { id: 2 })}]`);
    expect(gate.gate.requests.serverEnded()).toBe('');
    expect(await batch).toMatchObject({
      onward: [],
      back: [
        [
          { id: 1, error: { code: -32603 } },
          { id: 2, ...WITHDRAWN },
        ],
      ],
    });
  });

  it('when the server ends, with an id that occurs twice: either has an answer', async () => {
    const gate = await batchGate();
    const batch = gate.client(`[${toolCall('ask', {}, { id: 1 })},${ping(1)}]`);
    expect(gate.gate.requests.serverEnded()).toBe('');
    expect(await batch).toMatchObject({
      onward: [],
      back: [
        [
          { id: 1, ...WITHDRAWN },
          { id: 1, error: { code: -32600 } },
        ],
      ],
    });
  });

  it('of the server: what it withdraws meanwhile does not go on', async () => {
    const gate = await batchGate();
    const batch = gate.server(`[${ping(1)},${elicit(2)}]`);
    await gate.server(cancel(1));
    gate.questions[0]?.answer('granted');
    expect(await batch).toMatchObject({ onward: [{ id: 2 }] });
  });
});

it('what waits for a withdrawal hears of it', async () => {
  const controller = new AbortController();
  const waiting = untilAborted(controller.signal);
  controller.abort();
  expect(await waiting).toBe('withdrawn');
});
