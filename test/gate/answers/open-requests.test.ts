import { describe, expect, it } from 'vitest';
import type { Approval } from '../../../src/gate/ports/approval-port.ts';
import type { Ports } from '../../../src/gate/ports/ports.ts';
import { createTestGate, type TestGate, toolCall } from '../../support/gate.ts';

const POLICY = `
[[rule]]
action = "prompt"
tool = "ask"

[[rule]]
action = "prompt"
method = "elicitation/create"

[defaults]
action = "allow"
`;

interface Asking extends TestGate {
  readonly questions: { readonly answer: (approval: Approval) => void; readonly withdrawn: AbortSignal }[];
}

function askingGate(): Asking {
  const questions: Asking['questions'] = [];
  const ask: Ports['approver']['ask'] = (_call, _decision, withdrawn) =>
    new Promise((answer) => {
      questions.push({ answer, withdrawn });
    });
  return { ...createTestGate(POLICY, { approver: { ask } }), questions };
}

const ping = (id: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });
const done = (id: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result: {} });
const roots = (id: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, method: 'roots/list' });
const elicit = (id: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'elicitation/create', params: { message: 'Colour?' } });
const WITHDRAWN = { result: { isError: true, _meta: { 'dev.clawai/decision': { reason: 'approval_withdrawn' } } } };

describe('requests that the client waits for no more', () => {
  it('are forgotten: their answers go nowhere, their ids are free, and others are still answered', async () => {
    const { gate, client, server } = askingGate();
    await client(ping(1));
    await client(ping(2));
    gate.requests.abandoned(Buffer.from(ping(1)));
    expect(await server(done(1))).toBe('drop');
    expect(await server(done(2))).toBe('forward');
    expect(await client(ping(1))).toBe('forward');
  });

  it('nobody is asked about them any more', async () => {
    const { gate, client, questions } = askingGate();
    const call = toolCall('ask', {});
    const verdict = client(call);
    expect(questions[0]?.withdrawn.aborted).toBe(false);
    gate.requests.abandoned(Buffer.from(call));
    expect(questions[0]?.withdrawn.aborted).toBe(true);
    questions[0]?.answer('granted');
    expect(await verdict).toBe('drop');
  });

  it('what is no request, or none of these, changes nothing', async () => {
    const { gate, client, server } = askingGate();
    await client(ping(1));
    for (const line of ['', 'nonsense', '{"jsonrpc":"2.0","method":"notifications/initialized"}', ping(3), done(1)]) {
      gate.requests.abandoned(Buffer.from(line));
    }
    expect(await server(done(1))).toBe('forward');
  });
});

describe('a connection that others use next', () => {
  it('still asks a person', async () => {
    const { gate, client, questions } = askingGate();
    const first = client(toolCall('ask', {}));
    gate.requests.forgetAll();
    expect(questions[0]?.withdrawn.aborted).toBe(true);
    questions[0]?.answer('granted');
    expect(await first).toBe('drop');
    const second = client(toolCall('ask', {}));
    expect(questions[1]?.withdrawn.aborted).toBe(false);
    questions[1]?.answer('granted');
    expect(await second).toBe('forward');
  });

  it('a question of before does not become the verdict on a request with the same id', async () => {
    const { gate, client, questions } = askingGate();
    const first = client(toolCall('ask', {}));
    gate.requests.forgetAll();
    const second = client(toolCall('ask', {}));
    questions[0]?.answer('granted');
    questions[1]?.answer('refused');
    expect(await first).toBe('drop');
    expect(await second).toMatchObject({ result: { isError: true } });
    expect(await second).not.toMatchObject(WITHDRAWN);
  });

  it('takes no answer to what was asked before, in either direction, and the ids are free', async () => {
    const { gate, client, server } = askingGate();
    await client(ping(1));
    await server(roots(7));
    expect(gate.requests.isAwaited(Buffer.from(done(7)))).toBe(true);
    gate.requests.forgetAll();
    expect(await server(done(1))).toBe('drop');
    expect(gate.requests.isAwaited(Buffer.from(done(7)))).toBe(false);
    expect(await server(roots(7))).toBe('forward');
    expect(await client(ping(1))).toBe('forward');
  });

  it('a request of the server that a person was asked about goes nowhere', async () => {
    const { gate, server, questions } = askingGate();
    const verdict = server(elicit(1));
    gate.requests.forgetAll();
    questions[0]?.answer('granted');
    expect(await verdict).toBe('drop');
    expect(gate.requests.isAwaited(Buffer.from(done(1)))).toBe(false);
  });
});

describe('whether the server waits for an answer', () => {
  it.each([
    [done(7), true],
    ['{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"no"}}', true],
    [done('7'), false],
    [done(8), false],
    [ping(7), false],
    ['{"jsonrpc":"2.0","error":{"code":1,"message":"no"}}', false],
    ['nonsense', false],
  ])('%s: %s', async (line, expected) => {
    const { gate, server } = askingGate();
    await server(roots(7));
    expect(gate.requests.isAwaited(Buffer.from(line))).toBe(expected);
  });
});

it('requests that arrived and were not answered are answered once, by their ids', async () => {
  const { gate, client } = askingGate();
  await client(ping(1));
  await client(ping('b'));
  const lines = gate.requests.undelivered(Buffer.from(`${ping(1)}\n${ping('b')}\n`), 'it is silent', { hasArrived: true });
  const answers = lines
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(answers).toMatchObject([
    { id: 1, error: { code: -32603, message: expect.stringContaining('it is silent') as string } },
    { id: 'b', error: {} },
  ]);
  expect(gate.requests.undelivered(Buffer.from(ping(1)))).toBe('');
});
