import { describe, expect, it } from 'vitest';
import type { Approval } from '../../src/gate/ports/approval-port.ts';
import { createTestGate, type TestGate, toolCall } from '../support/gate.ts';
import { createTestSink } from '../support/sink.ts';

const POLICY = `
[defaults]
action = "allow"
[[rule]]
action = "prompt"
tool = "ask"
[[rule]]
action = "allow"
method = "sampling/createMessage"
`;

function fail(): never {
  throw new Error('disk full');
}

/** A gate whose store takes everything and then can't write it. */
function createForgetful(ask?: () => Promise<Approval>): TestGate {
  const { sink } = createTestSink({ commit: fail });
  return createTestGate(POLICY, ask === undefined ? { sink } : { sink, approver: { ask } });
}

const BATCHES = '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-03-26","capabilities":{}}}';

async function speakBatches({ client, server }: TestGate): Promise<void> {
  await client('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}');
  await server(BATCHES);
}

describe('what is on no record is not forwarded', () => {
  it('a call is denied, and its id is free again', async () => {
    const { client, server } = createForgetful();
    const denied = { id: 1, result: { isError: true, _meta: { 'dev.clawai/decision': { reason: 'audit_unavailable' } } } };
    expect(await client(toolCall('read', {}))).toMatchObject(denied);
    expect(await client(toolCall('read', {}))).toMatchObject(denied);
    // The server never saw it.
    expect(await server('{"jsonrpc":"2.0","id":1,"result":{}}')).toBe('drop');
  });

  it('a notification goes nowhere', async () => {
    const { client } = createForgetful();
    expect(await client('{"jsonrpc":"2.0","method":"tools/call","params":{"name":"read"}}')).toBe('drop');
  });

  it('what needs no decision passes', async () => {
    const { client } = createForgetful();
    expect(await client('{"jsonrpc":"2.0","id":1,"method":"ping"}')).toBe('forward');
  });

  it('a batch is answered as one', async () => {
    const gate = createForgetful();
    await speakBatches(gate);
    const call = toolCall('read', {}, { id: 1 });
    const ping = '{"jsonrpc":"2.0","id":2,"method":"ping"}';
    const bytes = Buffer.from(`[${call},${ping}]`);
    const judgement = gate.gate.fromClient(bytes, 0, bytes.length);
    expect(gate.gate.commit()).toBe(false);
    if (judgement instanceof Promise || judgement.kind !== 'recorded') throw new Error('expected to wait for the record');
    const verdict = judgement.otherwise();
    if (verdict.kind !== 'reply') throw new Error('expected a reply');
    expect(JSON.parse(verdict.line)).toMatchObject([
      { id: 1, result: { isError: true } },
      { id: 2, error: { code: -32603 } },
    ]);
  });

  it('a request of the server is answered to the server', async () => {
    const { server, client } = createForgetful();
    const ask = '{"jsonrpc":"2.0","id":5,"method":"sampling/createMessage","params":{"messages":[]}}';
    expect(await server(ask)).toMatchObject({ back: [{ id: 5, error: {} }], onward: [] });
    expect(await client('{"jsonrpc":"2.0","id":5,"result":{}}')).toBe('drop');
  });

  it('an answer that asks for something becomes an error', async () => {
    let isBroken = false;
    const made = createTestSink();
    const { sink } = createTestSink({ commit: () => (isBroken ? fail() : made.sink.commit()) });
    const { client, server } = createTestGate(POLICY, { sink });
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    expect(await client(toolCall('read', {}, { id: 3, meta }))).toBe('forward');
    isBroken = true;
    const asking =
      '{"jsonrpc":"2.0","id":3,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"sampling/createMessage","params":{"messages":[]}}}}}';
    expect(await server(asking)).toMatchObject({ onward: [{ id: 3, error: {} }] });
  });

  it.each([
    [false, 'deny'],
    [true, 'deny'],
    [true, 'allow'],
  ] as const)(
    'an answer that asks for what is denied names a record that there is: lost %s, on_error %s',
    async (isLost, onError) => {
      let isBroken = false;
      const { sink } = createTestSink({ commit: () => (isBroken ? fail() : undefined) });
      const policy = `${POLICY}[[rule]]\naction = "deny"\nmethod = "elicitation/create"\n`;
      const { client, server } = createTestGate(policy, { sink }, false, onError);
      const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
      expect(await client(toolCall('read', {}, { id: 3, meta }))).toBe('forward');
      isBroken = isLost;
      const inputRequests = { a: { method: 'elicitation/create', params: { message: 'm', requestedSchema: {} } } };
      const said = await server(
        JSON.stringify({ jsonrpc: '2.0', id: 3, result: { resultType: 'input_required', inputRequests } }),
      );
      expect(said).toMatchObject({ onward: [{ id: 3, result: { isError: true } }] });
      expect(JSON.stringify(said).includes('"audit"')).toBe(!isLost);
      expect(JSON.stringify(said).includes('could not record')).toBe(isLost);
    },
  );

  it('a call that was granted is denied all the same', async () => {
    const { client } = createForgetful(() => Promise.resolve('granted'));
    expect(await client(toolCall('ask', {}))).toMatchObject({
      result: { isError: true, _meta: { 'dev.clawai/decision': { reason: 'audit_unavailable' } } },
    });
  });

  it('a batch whose other call waited is answered as one', async () => {
    const asked = Promise.withResolvers<Approval>();
    let isBroken = true;
    const { sink } = createTestSink({ commit: () => (isBroken ? fail() : undefined) });
    const gate = createTestGate(POLICY, { sink, approver: { ask: () => asked.promise } });
    await speakBatches(gate);
    const answer = gate.client(`[${toolCall('read', {}, { id: 1 })},${toolCall('ask', {}, { id: 2 })}]`);
    isBroken = false;
    asked.resolve('granted');
    const denied = { result: { isError: true } };
    expect(await answer).toMatchObject([
      { id: 1, ...denied },
      { id: 2, ...denied },
    ]);
  });
});

it.each([
  ['goes on as one where all is on record', false],
  ['goes nowhere as one where a part is not', true],
])('a batch whose other call was granted %s', async (_, isLost) => {
  const asked = Promise.withResolvers<Approval>();
  let isBroken = isLost;
  const { sink } = createTestSink({ commit: () => (isBroken ? fail() : undefined) });
  const gate = createTestGate(POLICY, { sink, approver: { ask: () => asked.promise } });
  await speakBatches(gate);
  const calls = [toolCall('read', {}, { id: 1 }), toolCall('ask', {}, { id: 2 })];
  const verdict = gate.client(`[${calls.join(',')}]`);
  isBroken = false;
  asked.resolve('granted');
  const onward = calls.map((call) => JSON.parse(call) as unknown);
  expect(await verdict).toMatchObject(isLost ? [{ id: 1, result: { isError: true } }, { id: 2 }] : { onward, back: [] });
});

describe('what is refused with others, since they are on no record', () => {
  const NOTIFIED = '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"read"}}';
  const ASKS = '{"jsonrpc":"2.0","id":5,"method":"sampling/createMessage","params":{"messages":[]}}';

  it('the answer to a denied request in the same batch still comes', async () => {
    const gate = createForgetful();
    await speakBatches(gate);
    expect(await gate.client(`[${NOTIFIED},{"jsonrpc":"2.0","id":2,"method":"Tools/Call"}]`)).toMatchObject([
      { id: 2, error: {} },
    ]);
    const ping = '{"jsonrpc":"2.0","id":7,"method":"ping"}';
    await gate.client(ping);
    // The one that was refused has the id of another, which is not refused with it.
    expect(await gate.client(`[${NOTIFIED},${ping}]`)).toMatchObject([{ id: 7, error: { code: -32600 } }]);
    expect(await gate.server('{"jsonrpc":"2.0","id":7,"result":{}}')).toBe('forward');
  });

  it('an answer to the server goes on', async () => {
    const gate = createForgetful();
    await speakBatches(gate);
    await gate.server('{"jsonrpc":"2.0","id":5,"method":"ping"}');
    const answer = { jsonrpc: '2.0', id: 5, result: {} };
    expect(await gate.client(`[${toolCall('read', {}, { id: 1 })},${JSON.stringify(answer)}]`)).toMatchObject({
      onward: [answer],
      back: [[{ id: 1 }]],
    });
  });

  it('what the server is told already it is still told, and answers that ask for nothing go on', async () => {
    const gate = createForgetful();
    await speakBatches(gate);
    await gate.client('{"jsonrpc":"2.0","id":7,"method":"ping"}');
    const refused = '{"jsonrpc":"2.0","id":6,"method":"Sampling/CreateMessage"}';
    expect(await gate.server(`[${refused},${ASKS},{"jsonrpc":"2.0","id":7,"result":{}}]`)).toEqual({
      onward: [{ jsonrpc: '2.0', id: 7, result: {} }],
      back: [expect.objectContaining({ id: 6 }), expect.objectContaining({ id: 5 })],
    });
  });

  it.each([
    ['the first', [3, 4]],
    ['the last', [4, 3]],
  ])('an answer that asks for something is refused within a batch too, as %s of its answers', async (_, order) => {
    let isBroken = false;
    const { sink } = createTestSink({ commit: () => (isBroken ? fail() : undefined) });
    const gate = createTestGate(POLICY, { sink });
    await speakBatches(gate);
    await gate.client(`[${toolCall('read', {}, { id: 3 })},${toolCall('read', {}, { id: 4 })}]`);
    const answers = new Map([
      [3, '{"jsonrpc":"2.0","id":3,"result":{"inputRequests":{"a":{"method":"sampling/createMessage","params":{}}}}}'],
      [4, '{"jsonrpc":"2.0","id":4,"result":{}}'],
    ]);
    const seen: unknown[] = [];
    for (const id of order) {
      isBroken = id === 3;
      seen.push(await gate.server(answers.get(id) ?? ''));
    }
    const denied = { id: 3, result: { isError: true } };
    const whole = order[0] === 3 ? [denied, { id: 4 }] : [{ id: 4 }, denied];
    expect(seen).toMatchObject(['drop', { onward: [whole] }]);
  });
});

describe('on_error = "allow"', () => {
  it.each([
    ['begins', { begin: fail }],
    ['takes', { record: fail }],
    ['keeps', { commit: fail }],
  ])('lets pass what no store %s, and says so', async (_, parts) => {
    const { client, warnings } = createTestGate(POLICY, { sink: createTestSink(parts).sink }, false, 'allow');
    expect(await client(toolCall('read', {}))).toBe('forward');
    expect(warnings).toEqual([expect.stringContaining('disk full')]);
  });

  it('lets pass what could not be decided', async () => {
    const made = createTestSink();
    const realPath = fail;
    const policy = '[[rule]]\naction = "allow"\ntool = "read"\nargs.path = "/p/**"';
    const { client, warnings } = createTestGate(policy, { sink: made.sink, realPath }, false, 'allow');
    expect(await client(toolCall('read', { path: '/p/x' }))).toBe('forward');
    expect(made.calls).toMatchObject([{ reason: 'internal_error', decision: { action: 'allow' } }]);
    expect(warnings).toEqual([expect.stringContaining('passes')]);
  });

  it('denies what the policy denies all the same', async () => {
    const { client } = createTestGate('', { sink: createTestSink({ commit: fail }).sink }, false, 'allow');
    expect(await client(toolCall('read', {}))).toMatchObject({ result: { isError: true } });
  });
});

describe('a store that is taken', () => {
  it('is waited for before anything is decided', async () => {
    let isBusy = true;
    const made = createTestSink({ begin: () => !isBusy });
    const { client, server } = createTestGate(POLICY, { sink: made.sink });
    expect(await client(toolCall('read', {}))).toBe('busy');
    expect(await server('{"jsonrpc":"2.0","id":5,"method":"sampling/createMessage","params":{}}')).toBe('busy');
    expect(await client('{"jsonrpc":"2.0","id":9,"method":"ping"}')).toBe('forward');
    isBusy = false;
    expect(await client(toolCall('read', {}))).toBe('forward');
    expect(made.calls).toHaveLength(1);
  });

  it('is waited for also when only observing, and the message judged as if for the first time', async () => {
    let isBusy = true;
    const made = createTestSink({ begin: () => !isBusy });
    const { client } = createTestGate('', { sink: made.sink }, true);
    expect(await client(toolCall('read', {}))).toBe('busy');
    isBusy = false;
    expect(await client(toolCall('read', {}))).toBe('forward');
    expect(made.calls).toMatchObject([{ decision: { action: 'deny' }, isObserved: true }]);
    expect(made.refusals).toEqual([]);
  });

  it('counts a message once that had to be judged twice', async () => {
    let isBusy = true;
    const { gate, client } = createTestGate(POLICY, { sink: createTestSink({ begin: () => !isBusy }).sink });
    await client(toolCall('read', {}));
    isBusy = false;
    await client(toolCall('read', {}));
    expect(gate.report()).toMatchObject({ fromClient: 1, decided: 1 });
  });
});
