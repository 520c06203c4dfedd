import { describe, expect, it } from 'vitest';
import type { Approval, Approver } from '../../../src/gate/ports/approval-port.ts';
import { NO_OWN_PATHS } from '../../../src/core/self/own-paths.ts';
import { createTestGate, toolCall } from '../../support/gate.ts';
import { createTestSink } from '../../support/sink.ts';

const ALLOW = '[defaults]\naction = "allow"';
const ASK = '[[rule]]\naction = "prompt"\ntool = "ask"\n[defaults]\naction = "allow"';

/** An approver that answers when it is told to. */
function patient(): { approver: Approver; answer: (approval: Approval) => void; signals: AbortSignal[] } {
  const signals: AbortSignal[] = [];
  let settle: ((approval: Approval) => void) | undefined;
  const approver: Approver = {
    ask: (_call, _decision, signal) => {
      signals.push(signal);
      return new Promise((resolve) => {
        settle = resolve;
        signal.addEventListener('abort', () => resolve('withdrawn'));
      });
    },
  };
  return { approver, answer: (approval) => settle?.(approval), signals };
}

function cancel(requestId: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: 'x' } });
}

function answer(id: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: {} });
}

describe('ids', () => {
  it('refuses a second request with an id that has no answer yet, and takes it afterwards', async () => {
    const { client, server } = createTestGate(ALLOW);
    expect(await client(toolCall('a', {}, { id: 1 }))).toBe('forward');
    expect(await client(toolCall('b', {}, { id: 1 }))).toMatchObject({ id: 1, error: { code: -32600 } });
    expect(await client(toolCall('b', {}, { id: '1' }))).toBe('forward');
    expect(await server(answer(1))).toBe('forward');
    expect(await client(toolCall('b', {}, { id: 1 }))).toBe('forward');
  });

  it('knows an id by its value, not by its spelling', async () => {
    const { client, server } = createTestGate(ALLOW);
    expect(await client('{"jsonrpc":"2.0","id":"\\u0061","method":"ping"}')).toBe('forward');
    expect(await server(answer('a'))).toBe('forward');
    expect(await client('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}')).toBe('forward');
    expect(await server('{"jsonrpc":"2.0","id":9007199254740992,"result":{}}')).toBe('drop');
    expect(await server('{"jsonrpc":"2.0","id":9007199254740993,"result":{}}')).toBe('forward');
  });

  it('hazard 13 and 14: the two sides have their own ids', async () => {
    const { client, server } = createTestGate(ALLOW);
    expect(await server('{"jsonrpc":"2.0","id":1,"method":"roots/list"}')).toBe('forward');
    expect(await client(toolCall('a', {}, { id: 1 }))).toBe('forward');
    expect(await client(answer(1))).toBe('forward');
    expect(await client(answer(1))).toBe('drop');
    expect(await server(answer(1))).toBe('forward');
    expect(await server(answer(1))).toBe('drop');
  });

  it('bounds what it remembers', async () => {
    const { client } = createTestGate(ALLOW);
    for (let id = 0; id < 65_536; id++) await client(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
    expect(await client('{"jsonrpc":"2.0","id":"next","method":"ping"}')).toMatchObject({ id: 'next', error: { code: -32600 } });
  });
});

describe('cancellation', () => {
  it('goes on for a request that the server has, whose late answer then goes nowhere', async () => {
    const { client, server } = createTestGate(ALLOW);
    await client(toolCall('a', {}, { id: 0 }));
    expect(await client(cancel(0))).toBe('forward');
    expect(await server(answer(0))).toBe('drop');
  });

  it('stays here for a request that the server never saw', async () => {
    const { client } = createTestGate('');
    expect(await client(toolCall('a', {}, { id: 1 }))).toMatchObject({ result: { isError: true } });
    expect(await client(cancel(1))).toBe('drop');
    expect(await client(cancel('never'))).toBe('drop');
  });

  it('is no cancellation as a request: whoever sends that waits for an answer', async () => {
    const { client, server } = createTestGate(ALLOW);
    const line = '{"jsonrpc":"2.0","id":1,"method":"notifications/cancelled","params":{"requestId":3}}';
    expect(await client(line)).toBe('forward');
    expect(await server(answer(1))).toBe('forward');
  });

  it('withdraws a call that waits for a person: nothing is sent to anybody', async () => {
    const { approver, signals } = patient();
    const { client, records } = createTestGate(ASK, { approver });
    const waiting = client(toolCall('ask', {}, { id: 5 }));
    expect(await client(toolCall('other', {}, { id: 6 }))).toBe('forward');
    expect(await client(cancel(5))).toBe('drop');
    expect(await waiting).toBe('drop');
    expect(signals[0]?.aborted).toBe(true);
    expect(records.at(-1)).toMatchObject({ asked: 'withdrawn', reason: 'approval_withdrawn' });
  });

  it('an approval that comes after the withdrawal counts for nothing', async () => {
    let approve = (): void => {};
    const approver: Approver = {
      ask: () =>
        new Promise((resolve) => {
          approve = () => resolve('granted');
        }),
    };
    const { client } = createTestGate(ASK, { approver });
    const waiting = client(toolCall('ask', {}, { id: 5 }));
    await client(cancel(5));
    approve();
    expect(await waiting).toBe('drop');
  });

  it('a waiting id is in use', async () => {
    const { approver, answer: approve } = patient();
    const { client } = createTestGate(ASK, { approver });
    const waiting = client(toolCall('ask', {}, { id: 5 }));
    expect(await client(toolCall('other', {}, { id: 5 }))).toMatchObject({ error: { code: -32600 } });
    approve('granted');
    expect(await waiting).toBe('forward');
  });
});

describe('methods that amount to another', () => {
  const POLICY = `
[[rule]]
id = "secret"
action = "deny"
resource = "file:///secret/**"

[[rule]]
id = "hidden"
action = "deny"
prompt = "hidden"

[[rule]]
id = "no-completion"
action = "deny"
method = "completion/complete"
prompt = "chatty"

[defaults]
action = "allow"`;
  const line = (method: string, params: unknown): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

  it.each([
    ['resources/subscribe', { uri: 'file:///secret/x' }, 'secret'],
    ['subscriptions/listen', { notifications: { resourceSubscriptions: ['file:///a', 'file:///secret/x'] } }, 'secret'],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'hidden' }, argument: { name: 'a', value: '' } }, 'hidden'],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'chatty' }, argument: { name: 'a', value: '' } }, 'no-completion'],
  ])('%s %j is denied by %s', async (method, params, rule) => {
    const { client, records } = createTestGate(POLICY);
    const reply = await client(line(method, params));
    expect(reply).toMatchObject({ id: 1, error: { code: 40300, message: expect.stringContaining(rule) } });
    expect(records.at(-1)).toMatchObject({ call: { method }, decision: { action: 'deny' } });
  });

  it.each([
    ['resources/subscribe', { uri: 'file:///public/x' }],
    ['resources/unsubscribe', { uri: 'file:///secret/x' }],
    ['subscriptions/listen', { notifications: { resourceSubscriptions: [] } }],
    ['subscriptions/listen', {}],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'open' }, argument: { name: 'a', value: '' } }],
  ])('%s %j passes', async (method, params) => {
    expect(await createTestGate(POLICY).client(line(method, params))).toBe('forward');
  });

  it('follows links where the read would', async () => {
    const { client } = createTestGate(POLICY, { realPath: (path) => path.replace('/link', '/secret') });
    expect(await client(line('resources/subscribe', { uri: 'file:///link/x' }))).toMatchObject({ error: { code: 40300 } });
  });
});

describe('hazard 64: notifications of the client', () => {
  const notify = (method: string): string => JSON.stringify({ jsonrpc: '2.0', method });
  const ALL = '[[rule]]\naction = "allow"\nmethod = "**"\n';

  it('what every rule allows is not recorded; a request is', async () => {
    const { client, records } = createTestGate(`[defaults]\nunknown_methods = "deny"\n${ALL}`);
    expect(await client(notify('notifications/initialized'))).toBe('forward');
    expect(await client(notify('x/y'))).toBe('forward');
    expect(records).toEqual([]);
    expect(await client('{"jsonrpc":"2.0","id":1,"method":"ping"}')).toBe('forward');
    expect(await client('{"jsonrpc":"2.0","method":"tools/call","params":{"name":"t"}}')).toBe('forward');
    expect(records.map(({ call }) => call.method)).toEqual(['ping', 'tools/call']);
  });

  it.each([
    ['a rule denies it', `[[rule]]\naction = "deny"\nmethod = "notifications/*"\n${ALL}`, 'notifications/initialized'],
    ['nobody knows it and that is denied', '[defaults]\nunknown_methods = "deny"\n', 'x/y'],
    ['nobody can be asked about it', ALL.replace('allow', 'prompt'), 'notifications/initialized'],
  ])('one goes nowhere where %s', async (_why, policy, method) => {
    const { client, records } = createTestGate(policy);
    expect(await client(notify(method))).toBe('drop');
    expect(records).toHaveLength(1);
  });

  it('a rule for another server stops nothing here', async () => {
    const { client, records } = createTestGate(`[[rule]]\naction = "deny"\nmethod = "**"\nserver = "other"\n${ALL}`);
    expect(await client(notify('notifications/initialized'))).toBe('forward');
    expect(records).toEqual([]);
  });
});

describe('observing', () => {
  it('decides and records, and lets everything pass', async () => {
    const { client, server, records } = createTestGate('', {}, true);
    expect(await client(toolCall('a'))).toBe('forward');
    expect(await client('not even JSON')).toBe('forward');
    expect(await server('prose')).toBe('forward');
    expect(await server(answer(99))).toBe('forward');
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ decision: { action: 'deny' }, isObserved: true });
  });

  it('waits for nobody', async () => {
    const { approver } = patient();
    const { client } = createTestGate(ASK, { approver }, true);
    expect(await client(toolCall('ask'))).toBe('forward');
  });
});

describe('a call with many arguments', () => {
  it.each([
    { arguments: 3, order: ['begin', 'read'] },
    { arguments: 2000, order: ['read', 'begin'] },
  ])('of $arguments is read in the order $order', async ({ arguments: count, order }) => {
    const steps: string[] = [];
    const { sink } = createTestSink();
    const begin = sink.begin.bind(sink);
    const watched = Object.assign(Object.create(sink) as typeof sink, { begin: () => (steps.push('begin'), begin()) });
    const own = (): typeof NO_OWN_PATHS => (steps.push('read'), NO_OWN_PATHS);
    const { client } = createTestGate(ALLOW, { sink: watched }, false, 'deny', { own });
    const args = Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'value']));
    expect(await client(toolCall('a', args))).toBe('forward');
    expect(steps.slice(0, 2)).toEqual(order);
    expect(steps.filter((step) => step === 'read')).toHaveLength(1);
  });
});
