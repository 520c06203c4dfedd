import { describe, expect, it } from 'vitest';
import { createTestGate, type TestGate, toolCall } from '../../support/gate.ts';

const MODERN = { meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
const POLICY = `
[[rule]]
id = "no-sampling"
action = "deny"
method = "sampling/createMessage"
description = "Servers may not use the model"

[[rule]]
id = "no-passwords"
action = "deny"
method = "elicitation/create"
args.message = "**password**"

[[rule]]
action = "deny"
method = "roots/list"
unless.server = "files"

[defaults]
action = "allow"
`;

function request(method: string, params: unknown = {}, id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

async function handshake(gate: TestGate, protocolVersion = '2025-11-25'): Promise<void> {
  await gate.client(request('initialize', { protocolVersion }, 'init'));
  expect(await gate.server(JSON.stringify({ jsonrpc: '2.0', id: 'init', result: { protocolVersion } }))).toBe('forward');
}

describe('an answer to initialize', () => {
  it.each(['2026-07-28', '2031-01-01', `2026-07-28${'x'.repeat(200)}`])(
    'that names a revision without sessions is refused: %s',
    async (protocolVersion) => {
      const gate = createTestGate('');
      await gate.client(request('initialize', { protocolVersion }, 'init'));
      const answer = { jsonrpc: '2.0', id: 'init', result: { protocolVersion, instructions: 'Trust me.' } };
      const error = { code: -32603, message: expect.stringMatching(/it names MCP ".{10,32}", which has no sessions$/) };
      expect(await gate.server(JSON.stringify(answer))).toEqual({ back: [], onward: [{ jsonrpc: '2.0', id: 'init', error }] });
    },
  );

  it.each(['2024-11-05', '2025-11-25', 'DRAFT-2025-v3', ''])('that names another goes on: %j', async (protocolVersion) => {
    await expect(handshake(createTestGate(''), protocolVersion)).resolves.toBeUndefined();
  });
});

describe('requests of the server', () => {
  it('hazard 14: a denied one is answered to the server, in the words of its method', async () => {
    const gate = createTestGate(POLICY);
    await handshake(gate);
    expect(await gate.server(request('sampling/createMessage', { messages: [] }, 7))).toMatchObject({
      id: 7,
      error: { code: -1 },
    });
    expect(await gate.server(request('elicitation/create', { message: 'Your password, please' }, 8))).toEqual({
      jsonrpc: '2.0',
      id: 8,
      result: { action: 'decline' },
    });
    expect(await gate.server(request('elicitation/create', { message: 'Your colour' }, 9))).toBe('forward');
    expect(await gate.server(request('roots/list', {}, 10))).toBe('forward');
    expect(gate.records.map((record) => record.decision.action)).toEqual(['deny', 'deny', 'allow']);
  });

  it('sampling and elicitation are calls: an empty policy denies them, and other requests pass', async () => {
    const gate = createTestGate('');
    await handshake(gate);
    expect(await gate.server(request('sampling/createMessage'))).toMatchObject({ error: { code: -1 } });
    expect(await gate.server(request('elicitation/create'))).toMatchObject({ result: { action: 'decline' } });
    expect(await gate.server(request('roots/list', {}, 2))).toBe('forward');
    expect(await gate.server(request('ping', {}, 3))).toBe('forward');
  });

  it('hazard 16: one that cannot be read is refused', async () => {
    const gate = createTestGate('[defaults]\naction = "allow"');
    await handshake(gate);
    const line = '{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[],"messages":[1]}}';
    expect(await gate.server(line)).toMatchObject({ id: 1, error: { code: -32600 } });
  });

  it('a request with array content is still decided', async () => {
    const gate = createTestGate(POLICY);
    await handshake(gate);
    const params = { messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] };
    expect(await gate.server(request('sampling/createMessage', params))).toMatchObject({ error: { code: -1 } });
  });

  it('the modern era has none: they are refused', async () => {
    const gate = createTestGate('[defaults]\naction = "allow"');
    await gate.client(toolCall('t', {}, MODERN));
    expect(await gate.server(request('sampling/createMessage', {}, 3))).toMatchObject({ id: 3, error: { code: -32601 } });
  });

  it.each(['Sampling/createMessage', 'elicitation/create\0', ' sampling/createMessage'])(
    'hazard 12: a method that a lenient client takes for a call is refused: %j',
    async (method) => {
      const gate = createTestGate('[defaults]\naction = "allow"');
      expect(await gate.server(request(method))).toMatchObject({ id: 1, error: { code: -32600 } });
    },
  );

  it('hazard 12: one that a rule is about is refused where it is no UTF-8', async () => {
    const line = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"roots/list","params":{"x":"\xe9"}}', 'latin1');
    const concerned = createTestGate(POLICY);
    expect(await concerned.server(line)).toMatchObject({
      id: 1,
      error: { code: -32600, message: expect.stringContaining('UTF-8') },
    });
    expect(await concerned.refusals()).toMatchObject([{ from: 'server', problem: 'not valid UTF-8', method: 'roots/list' }]);
    expect(await createTestGate('').server(line)).toBe('forward');
  });

  it('hazard 18: one that is malformed is answered too', async () => {
    const gate = createTestGate('');
    const line = '{"jsonrpc":"2.0","id":4,"method":"ping","method":"roots/list"}';
    expect(await gate.server(line)).toMatchObject({ id: 4, error: { code: -32600 } });
  });

  it('hazard 14: an answer of the client that cannot be read is answered to the server that waits for it', async () => {
    const gate = createTestGate('');
    await gate.client(request('ping', {}, 1));
    await gate.server(request('roots/list', {}, 1));
    const line = '{"jsonrpc":"2.0","id":1,"result":{},"result":{}}';
    expect(await gate.client(line)).toMatchObject({ onward: [{ id: 1, error: { code: -32603 } }], back: [] });
    expect(await gate.client(line)).toBe('drop');
  });

  it.each([
    '{"jsonrpc":"2.0","id":"\\x","result":{}}',
    '{"jsonrpc":"2.0","id":null,"result":{}}',
    '{"jsonrpc":"2.0","result":{}}',
  ])('an answer under an id that no request has goes nowhere: %s', async (line) => {
    const gate = createTestGate('');
    expect(await gate.server(line)).toBe('drop');
  });

  it('refuses an id that is in use', async () => {
    const gate = createTestGate('');
    expect(await gate.server(request('ping'))).toBe('forward');
    expect(await gate.server(request('ping'))).toMatchObject({ id: 1, error: { code: -32600 } });
  });
});

describe('answers that ask for input', () => {
  const inputRequired = (inputRequests: unknown, id: unknown = 1): string =>
    JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'input_required', inputRequests, requestState: 's' } });

  it('go on where every request in them may', async () => {
    const gate = createTestGate(POLICY);
    await gate.client(toolCall('t', {}, MODERN));
    expect(await gate.server(inputRequired({ a: { method: 'elicitation/create', params: { message: 'Colour?' } } }))).toBe(
      'forward',
    );
  });

  it('become a denial of the call where one may not', async () => {
    const gate = createTestGate(POLICY);
    await gate.client(toolCall('t', {}, MODERN));
    const line = inputRequired({
      a: { method: 'elicitation/create', params: { message: 'Colour?' } },
      b: { method: 'sampling/createMessage', params: {} },
    });
    expect(await gate.server(line)).toMatchObject({
      onward: [
        { id: 1, result: { isError: true, resultType: 'complete', _meta: { 'dev.clawai/decision': { rule: 'no-sampling' } } } },
      ],
    });
    expect(await gate.server(line)).toBe('drop');
  });

  it.each([
    ['{"a":{"method":5}}'],
    ['{"a":"sampling/createMessage"}'],
    ['[]'],
    ['{"a":{"method":"roots/list","method":"sampling/createMessage"}}'],
  ])('become a denial where they cannot be read: %s', async (inputRequests) => {
    const gate = createTestGate('[defaults]\naction = "allow"');
    await gate.client(toolCall('t', {}, MODERN));
    const line = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":${inputRequests}}}`;
    expect(await gate.server(line)).toMatchObject({ onward: [{ id: 1, result: { isError: true } }] });
  });

  it('are found under an escaped key too', async () => {
    const gate = createTestGate(POLICY);
    await gate.client(toolCall('t', {}, MODERN));
    const line = '{"jsonrpc":"2.0","id":1,"result":{"input\\u0052equests":{"a":{"method":"sampling/createMessage"}}}}';
    expect(await gate.server(line)).toMatchObject({ onward: [{ result: { isError: true } }] });
  });

  it.each([
    ['{"a":{"method":"roots/list","Method":"sampling/createMessage"}}'],
    ['{"a":{"method":"roots/list","method\\u0000":"sampling/createMessage"}}'],
    ['{"a":{"method":"Sampling/createMessage"}}'],
    ['{"a":{"method":"sampling/createMessage\\u0000"}}'],
  ])('hazard 12: become a denial where clients may differ about them: %s', async (inputRequests) => {
    const gate = createTestGate('[defaults]\naction = "allow"');
    await gate.client(toolCall('t', {}, MODERN));
    const line = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":${inputRequests}}}`;
    expect(await gate.server(line)).toMatchObject({ onward: [{ id: 1, result: { isError: true } }] });
  });

  it('hazard 18: while somebody is asked about them, another answer may come; the client gets one', async () => {
    const gate = createTestGate(`${POLICY}[[rule]]\naction = "prompt"\nmethod = "elicitation/create"\n`);
    await gate.client(toolCall('t', {}, MODERN));
    const asking = gate.server(inputRequired({ a: { method: 'elicitation/create', params: { message: 'Colour?' } } }));
    const other = gate.server('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect(await Promise.all([asking, other])).toEqual(['drop', 'forward']);
  });

  it('are refused from methods that may not ask', async () => {
    const gate = createTestGate('[defaults]\naction = "allow"');
    await gate.client(request('tools/list'));
    expect(await gate.server(inputRequired({}))).toMatchObject({ onward: [{ id: 1, error: { code: -32603 } }] });
  });

  it('each retry is decided again', async () => {
    const gate = createTestGate(POLICY);
    await gate.client(toolCall('t', {}, { ...MODERN, id: 1 }));
    await gate.server(inputRequired({ a: { method: 'elicitation/create', params: { message: 'Colour?' } } }));
    await gate.client(toolCall('t', {}, { ...MODERN, id: 2 }));
    expect(gate.records.map((record) => record.call.method)).toEqual(['tools/call', 'elicitation/create', 'tools/call']);
  });

  it('in a task notification: it goes nowhere if one is denied', async () => {
    const gate = createTestGate(POLICY);
    const notification = (method: string): string =>
      JSON.stringify({
        jsonrpc: '2.0',
        method: 'notifications/tasks',
        params: { taskId: 't', inputRequests: { a: { method } } },
      });
    expect(await gate.server(notification('sampling/createMessage'))).toBe('drop');
    expect(await gate.server(notification('elicitation/create'))).toBe('forward');
  });
});

describe('errors that want the user to open URLs', () => {
  const error = (code: number, urls: readonly string[]): string =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      error: { code, message: 'first', data: { elicitations: urls.map((url) => ({ mode: 'url', url })) } },
    });
  const URLS =
    '[[rule]]\nid = "urls"\naction = "deny"\nmethod = "elicitation/create"\nargs.url = "http://evil.example/**"\n[defaults]\naction = "allow"';

  it('are elicitations: one that is denied denies the call', async () => {
    const gate = createTestGate(URLS);
    await gate.client(toolCall('t'));
    expect(await gate.server(error(-32042, ['https://good.example/', 'http://evil.example/x']))).toMatchObject({
      onward: [{ id: 1, result: { isError: true, _meta: { 'dev.clawai/decision': { rule: 'urls' } } } }],
    });
  });

  it('go on where all may, as other errors do', async () => {
    for (const line of [error(-32042, ['https://good.example/']), error(-32043, ['http://evil.example/x'])]) {
      const gate = createTestGate(URLS);
      await gate.client(toolCall('t'));
      expect(await gate.server(line)).toBe('forward');
    }
  });

  it.each([
    ['-32042', '-32042.0'],
    ['-32042', '-3.2042e4'],
    ['-32042', '"-32042"'],
    ['"code":-32042', '"code":-32042,"code":1'],
    ['"code":-32042', '"Code":-32042,"code":1'],
    ['"elicitations"', '"Elicitations"'],
  ])('hazard 12: are elicitations however they are spelt: %s as %s', async (plain, spelt) => {
    const gate = createTestGate(URLS);
    await gate.client(toolCall('t'));
    expect(await gate.server(error(-32042, ['http://evil.example/x']).replace(plain, spelt))).toMatchObject({
      onward: [{ id: 1, result: { isError: true } }],
    });
  });

  it('are refused where they cannot be read', async () => {
    const gate = createTestGate(URLS);
    await gate.client(toolCall('t'));
    expect(await gate.server('{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"\\x"}}')).toMatchObject({
      onward: [{ id: 1, result: { isError: true } }],
    });
  });
});

describe('what else comes from a server', () => {
  it('notifications pass', async () => {
    const gate = createTestGate('');
    expect(await gate.server('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}')).toBe('forward');
    expect(
      await gate.server('{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}'),
    ).toBe('forward');
  });

  it('an error about a message that it could not read passes', async () => {
    expect(await createTestGate('').server('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}')).toBe('forward');
  });

  it('hazard 13: an answer that nobody asked for goes nowhere, whatever it looks like', async () => {
    expect(await createTestGate('').server('{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}')).toBe('drop');
  });

  it('prose is shown to the person and not to the client, so many times', async () => {
    const gate = createTestGate('');
    for (let i = 0; i < 50; i++) expect(await gate.server(`Listening on port ${i}`)).toBe('drop');
    expect(gate.warnings).toHaveLength(20);
    expect(gate.warnings[0]).toContain('Listening on port 0');
    expect(gate.warnings[19]).toContain('not shown');
  });

  it('hazard 18: a malformed answer is answered for the server', async () => {
    const gate = createTestGate('[defaults]\naction = "allow"');
    await gate.client(toolCall('t', {}, { id: 4 }));
    expect(await gate.server('{"jsonrpc":"2.0","id":4,"result":{}')).toMatchObject({
      onward: [{ id: 4, error: { code: -32603 } }],
    });
    expect(await gate.server('{"jsonrpc":"2.0","id":4,"result":{}}')).toBe('drop');
  });

  it('the cancellation of its own request: a late answer goes nowhere', async () => {
    const gate = createTestGate('');
    await gate.server(request('ping', {}, 1));
    expect(await gate.server('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}')).toBe('forward');
    expect(await gate.client('{"jsonrpc":"2.0","id":1,"result":{}}')).toBe('drop');
  });
});

describe('the end of a server', () => {
  it('hazard 18: every request gets its one answer', async () => {
    const gate = createTestGate('[defaults]\naction = "allow"');
    await gate.client(toolCall('a', {}, { id: 1 }));
    await gate.client(toolCall('b', {}, { id: '2' }));
    await gate.client(toolCall('c', {}, { id: 3 }));
    await gate.server('{"jsonrpc":"2.0","id":1,"result":{}}');
    await gate.client('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}');
    const lines = gate.gate.requests.serverEnded().trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ id: '2', error: { code: -32603 } }]);
    expect(gate.gate.requests.serverEnded()).toBe('');
  });

  it('a server that has closed its input: requests are answered, the rest is dropped', () => {
    const { gate } = createTestGate('');
    const line = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    expect(gate.undeliverable(line, 0, line.length)).toMatchObject({ kind: 'reply' });
    const notification = Buffer.from('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    expect(gate.undeliverable(notification, 0, notification.length)).toEqual({ kind: 'drop' });
  });
});

describe('notifications of the server', () => {
  const notify = (method: string, params: unknown = {}): string => JSON.stringify({ jsonrpc: '2.0', method, params });

  it('go nowhere where a rule denies them, and neither do calls without an id', async () => {
    const gate = createTestGate(
      `${POLICY}[[rule]]\naction = "deny"\nmethod = "notifications/message"\nargs.data = "**secret**"\n`,
    );
    expect(await gate.server(notify('notifications/message', { data: 'a secret' }))).toBe('drop');
    expect(await gate.server(notify('notifications/message', { data: 'x' }))).toBe('forward');
    expect(await gate.server(notify('sampling/createMessage'))).toBe('drop');
    expect(await gate.server(notify('Sampling/createMessage'))).toBe('drop');
    expect(await gate.server(notify('elicitation/create', { message: 'Colour?' }))).toBe('forward');
    expect(await gate.server('{"jsonrpc":"2.0","method":"notifications/message","params":[1]}')).toBe('drop');
    expect(await gate.server(notify('notifications/progress'))).toBe('forward');
    const { fromServer, inspected, refused, passed } = gate.gate.report();
    expect({ fromServer, inspected, refused, passed }).toEqual({ fromServer: 7, inspected: 3, refused: 2, passed: 2 });
  });

  it('hazard 64: what every rule allows is counted and not recorded, and what one may deny is decided', async () => {
    const deny = '[[rule]]\naction = "deny"\nmethod = "notifications/m*"\nargs.data = "**secret**"\n';
    const gate = createTestGate(`${deny}[[rule]]\naction = "allow"\nmethod = "**"\n`);
    for (let id = 0; id < 3; id++) expect(await gate.server(notify('notifications/progress'))).toBe('forward');
    expect(await gate.server(notify('notifications/message', { data: 'x' }))).toBe('forward');
    expect(await gate.server(notify('x/y'))).toBe('forward');
    expect(gate.records).toEqual([]);
    expect(await gate.server(notify('notifications/message', { data: 'a secret' }))).toBe('drop');
    expect(await gate.server(notify('sampling/createMessage'))).toBe('forward');
    expect(gate.records.map(({ call }) => call.method)).toEqual(['notifications/message', 'sampling/createMessage']);
    expect(gate.gate.report().fromServer).toBe(7);
  });
});
