import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MemorySessionLog } from '../support/memory-session-log.ts';
import { createTestGate, toolCall } from '../support/gate.ts';
import { createTestSink } from '../support/sink.ts';

const POLICY = `
[[rule]]
id = "no-ssh"
action = "deny"
tool = "**"
args."**" = "**/.ssh/**"
description = "SSH keys stay private"
message = "Ask the user for the public key."

[[rule]]
action = "prompt"
tool = "shell"
description = "Ask before running a shell"

[[rule]]
action = "allow"
tool = "read_*"

[[rule]]
action = "allow"
resource = "file:///home/u/project/**"

[[rule]]
action = "allow"
prompt = "greet"
`;

describe('Interceptor, tools/call', () => {
  it('forwards what the policy allows, and records it first', async () => {
    const { client, records } = createTestGate(POLICY);
    expect(await client(toolCall('read_file', { path: '/home/u/project/a' }))).toBe('forward');
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ id: 's.1', requestId: '1', decision: { action: 'allow' }, latency: 0 });
  });

  it('answers a denied call with a result that the model reads', async () => {
    const { client, records } = createTestGate(POLICY);
    expect(await client(toolCall('read_file', { path: '/home/u/.ssh/id_rsa' }))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        content: [
          {
            type: 'text',
            text: 'clawai denied the tool call "read_file": SSH keys stay private (rule "no-ssh", argument "path"). Ask the user for the public key.',
          },
        ],
        isError: true,
        _meta: { 'dev.clawai/decision': { action: 'deny', reason: 'rule', rule: 'no-ssh', argument: 'path', audit: 's.1' } },
      },
    });
    expect(records[0]).toMatchObject({ decision: { action: 'deny' } });
  });

  it('denies what no rule allows, and says so', async () => {
    const { client } = createTestGate(POLICY);
    const reply = await client(toolCall('write_file', { path: '/home/u/project/a' }));
    expect(reply).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining('no rule of the policy allows it') }] },
    });
  });

  it('gives modern requests the resultType that their era demands, and legacy ones none', async () => {
    const { client } = createTestGate(POLICY);
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    expect(await client(toolCall('write_file', {}, { meta }))).toHaveProperty('result.resultType', 'complete');
    expect(await client(toolCall('write_file', {}))).not.toHaveProperty('result.resultType');
  });

  it.each([[0], ['0'], ['a"b\\'], [-3], ['ü']])('answers with the id %j, its type kept', async (id) => {
    const { client } = createTestGate(POLICY);
    expect(await client(toolCall('write_file', {}, { id }))).toMatchObject({ id });
  });

  it('hazard 2: a prompt that nobody can answer is a denial that says so', async () => {
    const { client, records } = createTestGate(POLICY);
    const reply = await client(toolCall('shell', { command: 'ls' }));
    expect(reply).toMatchObject({
      result: { isError: true, _meta: { 'dev.clawai/decision': { reason: 'approval_unavailable' } } },
    });
    expect(JSON.stringify(reply)).toContain('nobody can be asked');
    expect(records[0]).toMatchObject({ decision: { action: 'prompt' }, asked: 'unavailable' });
  });

  it('hazard 2: an approver that fails is a denial', async () => {
    const { client, warnings } = createTestGate(POLICY, { approver: { ask: () => Promise.reject(new Error('no display')) } });
    expect(await client(toolCall('shell'))).toMatchObject({ result: { isError: true } });
    expect(warnings.join()).toContain('no display');
  });

  it('forwards a call that a person granted, and says when one refused', async () => {
    const granted = createTestGate(POLICY, { approver: { ask: () => Promise.resolve('granted') } });
    expect(await granted.client(toolCall('shell'))).toBe('forward');
    const refused = createTestGate(POLICY, { approver: { ask: () => Promise.resolve('refused') } });
    expect(JSON.stringify(await refused.client(toolCall('shell')))).toContain('refused');
  });

  it('denies a call that cannot be recorded', async () => {
    const { sink } = createTestSink({
      record: () => {
        throw new Error('disk full');
      },
    });
    const { client, warnings } = createTestGate(POLICY, { sink });
    expect(await client(toolCall('read_file', {}))).toMatchObject({
      result: { isError: true, _meta: { 'dev.clawai/decision': { reason: 'audit_unavailable' } } },
    });
    expect(warnings.join()).toContain('disk full');
  });

  it('denies when deciding fails', async () => {
    const { client, warnings } = createTestGate(POLICY, {
      realPath: () => {
        throw new Error('a bug');
      },
    });
    expect(await client(toolCall('read_file', { path: '/x' }))).toMatchObject({
      result: { isError: true, _meta: { 'dev.clawai/decision': { reason: 'internal_error' } } },
    });
    expect(warnings.join()).toContain('a bug');
  });

  it('a bug anywhere else lets nothing pass either', async () => {
    const now = (): number => 0;
    const elapsed = (): number => {
      throw new Error('a bug');
    };
    const { client, warnings } = createTestGate(POLICY, { clock: { now, elapsed } });
    expect(await client(toolCall('read_file', {}))).toMatchObject({ id: 1, error: { code: -32603 } });
    expect(warnings.join()).toContain('a bug');
    expect(await client('{"jsonrpc":"2.0","id":2,"method":"ping"}')).toBe('forward');
  });

  it('drops a denied call that wants no answer, and still records it', async () => {
    const { client, records } = createTestGate(POLICY);
    expect(await client('{"jsonrpc":"2.0","method":"tools/call","params":{"name":"write_file"}}')).toBe('drop');
    expect(records).toHaveLength(1);
  });

  it('hazard 7: follows links, so that another name of a denied file is denied too', async () => {
    const { client } = createTestGate(POLICY, { realPath: (path) => path.replace('/home/u/project/link', '/home/u/.ssh') });
    expect(await client(toolCall('read_file', { path: '/home/u/project/link/id_rsa' }))).toMatchObject({
      result: { isError: true },
    });
    expect(await client(toolCall('read_file', { path: '/home/u/project/other' }))).toBe('forward');
  });

  it.each([
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call"}', 'params.name'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}', 'not an object'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":1}}', 'params.name'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_x","arguments":[]}}', 'params.arguments'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_x","arguments":"{}"}}', 'params.arguments'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_x","name":"shell"}}', '\\"name\\" occurs twice'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_x","Name":"shell"}}', 'variant'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_x","arguments":{"a":1,"a":2}}}', 'occurs twice'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_\\x"}}', 'not valid JSON'],
  ])('hazard 12 and 16: refuses %s', async (line, why) => {
    const { client } = createTestGate('[[rule]]\naction="allow"\ntool="**"');
    const reply = await client(line);
    expect(reply).toMatchObject({ id: 1, error: { code: expect.any(Number) } });
    expect(JSON.stringify(reply).replaceAll('\\\\', '\\')).toContain(why.replaceAll('\\"', '\\"'));
  });

  it('hazard 12: sees through an escaped method name', async () => {
    const { client } = createTestGate(POLICY);
    expect(await client('{"jsonrpc":"2.0","id":1,"method":"tools\\u002fcall","params":{"name":"write_file"}}')).toMatchObject({
      result: { isError: true },
    });
  });
});

describe('Interceptor, other methods', () => {
  it('hazard 17: denied resources and prompts are errors with a code that no client rewords', async () => {
    const { client, records } = createTestGate(POLICY);
    let id = 0;
    const read = (uri: string): string => JSON.stringify({ jsonrpc: '2.0', id: ++id, method: 'resources/read', params: { uri } });
    expect(await client(read('file:///home/u/project/a.txt'))).toBe('forward');
    expect(await client(read('file:///home/u/project/../.bashrc'))).toMatchObject({ id: 2, error: { code: 40300 } });
    const get = (name: string): string => JSON.stringify({ jsonrpc: '2.0', id: ++id, method: 'prompts/get', params: { name } });
    expect(await client(get('greet'))).toBe('forward');
    expect(await client(get('other'))).toMatchObject({ id: 4, error: { code: 40300 } });
    expect(records.map((record) => record.decision.action)).toEqual(['allow', 'deny', 'allow', 'deny']);
  });

  it.each([
    '{"jsonrpc":"2.0","id":"server-discover-probe-1","method":"server/discover"}',
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":1,"method":"what/ever","params":{"name":"shell"}}',
    '',
    '\r',
  ])('lets %j pass, though no rule names it', async (line) => {
    const { client, records } = createTestGate(POLICY);
    expect(await client(line)).toBe('forward');
    expect(records).toEqual([]);
  });

  it('holds rules that name other methods', async () => {
    const { client } = createTestGate('[[rule]]\naction="deny"\nmethod="logging/*"\ndescription="No"');
    const line = (method: string): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method });
    expect(await client(line('logging/setLevel'))).toMatchObject({ error: { code: 40300 } });
    expect(await client(line('ping'))).toBe('forward');
  });

  it('refuses unknown methods where the policy says so, and no others', async () => {
    const { client } = createTestGate('[defaults]\nunknown_methods="deny"');
    expect(await client('{"jsonrpc":"2.0","id":1,"method":"what/ever"}')).toMatchObject({ error: { code: 40300 } });
    expect(await client('{"jsonrpc":"2.0","method":"what/ever"}')).toBe('drop');
    expect(await client('{"jsonrpc":"2.0","id":1,"method":"ping"}')).toBe('forward');
  });

  it.each([
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', null, -32600],
    ['prose', null, -32600],
    ['{"jsonrpc":"2.0","id":7,"method":"ping",}', 7, -32700],
    ['{"jsonrpc":"2.0","id":7,"method":"ping","Method":"tools/call"}', 7, -32600],
    ['{"jsonrpc":"2.0","id":7,"method":"ping","id":8}', null, -32600],
    ['{"jsonrpc":"2.0","method":"ping","Method":"tools/call","id":7}', 7, -32600],
    ['{"jsonrpc":"2.0","jsonrpc":"2.0","method":"ping","id":"late"}', 'late', -32600],
  ])('answers %s', async (line, id, code) => {
    const { client } = createTestGate(POLICY);
    expect(await client(line)).toMatchObject({ jsonrpc: '2.0', id, error: { code } });
  });

  it('records what it refuses, and refuses also where that fails', async () => {
    const { client, refusals } = createTestGate(POLICY);
    await client('{"jsonrpc":"2.0","method":"ping","Method":"tools/call","id":7}');
    expect(await refusals()).toEqual([
      expect.objectContaining({ from: 'client', method: 'ping', requestId: '7', problem: expect.stringContaining('variant') }),
    ]);
    const fail = (): never => {
      throw new Error('disk full');
    };
    const broken = createTestGate(POLICY, {
      sink: createTestSink({ record: fail }).sink,
    });
    expect(await broken.client('prose')).toMatchObject({ error: {} });
    await broken.gate.finish();
    expect(broken.warnings.join()).toContain('could not record');
  });

  it('refuses invalid UTF-8', async () => {
    const { client } = createTestGate(POLICY);
    const line = Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":1,"method":"pi'), Buffer.of(0xff), Buffer.from('ng"}')]);
    expect(await client(line)).toMatchObject({ id: 1, error: { code: -32600 } });
  });

  it('counts everything, by method', async () => {
    const { client, gate } = createTestGate(POLICY);
    for (const line of [
      '{"id":1,"method":"ping"}',
      '{"id":2,"method":"ping"}',
      'x',
      toolCall('read_a', {}, { id: 3 }),
      toolCall('shell', {}, { id: 4 }),
    ])
      await client(line);
    const answer = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect(gate.fromServer(answer, 0, answer.length)).toEqual({ kind: 'forward' });
    expect(gate.fromServer(answer, 0, answer.length)).toEqual({ kind: 'drop' });
    expect(gate.report()).toEqual({
      fromClient: 5,
      fromServer: 2,
      inspected: 2,
      passed: 3,
      refused: 1,
      unasked: 1,
      decided: 2,
      denied: 1,
      results: { read: 0, cut: 0, not_read: 0 },
      scans: { definitions: 0, texts: 0, arguments: 0, cut: 0, busy: 0, failed: 0, binary: 0 },
      methods: { ping: 2, '(malformed)': 1, 'tools/call': 2, '<-(answer)': 2 },
    });
  });
});

describe('Interceptor, exactly one answer', () => {
  const request = (id: number | string, method = 'ping'): string => JSON.stringify({ jsonrpc: '2.0', id, method });
  const answer = (id: number | string): string => JSON.stringify({ jsonrpc: '2.0', id, result: {} });
  const idsIn = (lines: string): unknown[] =>
    lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { id: unknown }).id);
  async function speakBatches(gate: ReturnType<typeof createTestGate>): Promise<void> {
    await gate.client(request('i', 'initialize'));
    await gate.server('{"jsonrpc":"2.0","id":"i","result":{"protocolVersion":"2025-03-26"}}');
  }

  it('hazard 18: when only observing, also for a denied call that the server took with it', async () => {
    const { gate, client, server } = createTestGate(POLICY, {}, true);
    await client(toolCall('write_file', {}));
    await client(toolCall('shell', {}).replace('"id":1', '"id":2'));
    await client('{"jsonrpc":"2.0","id":3,"method":"ping","extra":1,"extra":2}');
    await client(request(4));
    await server(answer(2));
    expect(idsIn(gate.requests.serverEnded())).toEqual([1, 3, 4]);
  });

  it('hazard 15: when only observing, a batch goes on as it is, and its answers are not made again', async () => {
    const gate = createTestGate(POLICY, {}, true);
    await speakBatches(gate);
    expect(await gate.client(`[${request(1)},${request(2)}]`)).toBe('forward');
    expect(await gate.server(answer(1))).toBe('forward');
    expect(idsIn(gate.gate.requests.serverEnded())).toEqual([2]);
  });

  it('hazard 18: a call that waited when the server ended is answered once, although it could not be recorded', async () => {
    const asked = Promise.withResolvers<'granted'>();
    let isBroken = false;
    const { gate, client } = createTestGate(POLICY, {
      approver: { ask: () => asked.promise },
      ...createTestSink({
        record: () => {
          if (isBroken) throw new Error('disk full');
        },
      }),
    });
    const verdict = client(toolCall('shell', {}));
    expect(idsIn(gate.requests.serverEnded())).toEqual([1]);
    isBroken = true;
    asked.resolve('granted');
    expect(await verdict).toBe('drop');
  });

  it('hazard 15: a batch that the server can no longer be handed is answered', async () => {
    const gate = createTestGate('[defaults]\naction = "allow"');
    const undeliverable = (text: string): unknown => {
      const bytes = Buffer.from(text);
      const verdict = gate.gate.undeliverable(bytes, 0, bytes.length);
      return verdict.kind === 'reply' ? JSON.parse(verdict.line) : verdict.kind;
    };
    expect(undeliverable(`[${request(1)}]`)).toMatchObject({ id: null, error: { code: -32600 } });
    await speakBatches(gate);
    expect(undeliverable(`[${request(1)},{"jsonrpc":"2.0","method":"n"},${request(2)}]`)).toMatchObject([
      { id: 1, error: { code: -32603 } },
      { id: 2, error: { code: -32603 } },
    ]);
    expect(undeliverable('[{"jsonrpc":"2.0","method":"n"}]')).toBe('drop');
  });

  it('hazard 18: lines that were forwarded and did not reach the server are answered, once', async () => {
    const gate = createTestGate('[defaults]\naction = "allow"');
    const notification = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
    for (const line of [request(1), notification, request('b'), request(3)]) await gate.client(line);
    const lines = Buffer.from(`${request(1)}\n${notification}\n\n${request('b')}`);
    expect(idsIn(gate.gate.requests.undelivered(lines))).toEqual([1, 'b']);
    expect(gate.gate.requests.undelivered(lines)).toBe('');
    expect(idsIn(gate.gate.requests.serverEnded())).toEqual([3]);
  });

  it('a call that went on as a task is not taken back with a question about the task', async () => {
    const sessionLog = new MemorySessionLog();
    sessionLog.addServer('s', 'another');
    const gate = createTestGate('[defaults]\naction = "allow"', { sessionLog });
    await gate.client('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_it","task":{}}}');
    await gate.server('{"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"t1","status":"working"}}}');
    const question = '{"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":"t1"}}';
    await gate.client(question);
    gate.gate.requests.undelivered(Buffer.from(`${question}\n`));
    await setTimeout(300);
    expect(sessionLog.entries('s', 0, 10)).toMatchObject([{ kind: 'call', call: { id: 's.1' } }]);
  });

  it('what did not reach the server counts for nothing', async () => {
    const sessionLog = new MemorySessionLog();
    sessionLog.addServer('s', 'another');
    const gate = createTestGate('[defaults]\naction = "allow"', { sessionLog });
    const calls = [1, 2].map((id) => `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"read_it"}}`);
    for (const line of calls) await gate.client(line);
    gate.gate.requests.undelivered(Buffer.from(`${calls[1]}\n`));
    await setTimeout(300);
    const entries = sessionLog.entries('s', 0, 10);
    expect(entries.map((entry) => (entry.kind === 'call' ? entry.call.id : `not ${entry.id}`))).toEqual([
      's.1',
      's.2',
      'not s.2',
    ]);
  });

  it('a batch of more messages than anybody sends is refused as one', async () => {
    const gate = createTestGate('[defaults]\naction = "allow"');
    await speakBatches(gate);
    expect(await gate.client(`[${'0,'.repeat(100_000)}0]`)).toMatchObject({
      id: null,
      error: { code: -32600, message: 'clawai refused this message: not a batch of 1 to 4096 messages' },
    });
    expect(await gate.refusals()).toHaveLength(1);
    expect(await gate.server(`[${'0,'.repeat(100_000)}0]`)).toBe('drop');
  });

  it('an id that is too long to be remembered is refused, from either side', async () => {
    const gate = createTestGate('[defaults]\naction = "allow"');
    const long = request('x'.repeat(2000));
    expect(await gate.client(long)).toMatchObject({ id: 'x'.repeat(2000), error: { code: -32600 } });
    expect(await gate.client(`{"jsonrpc":"2.0","id":1.${'0'.repeat(2000)},"method":"ping"}`)).toMatchObject({ id: 1 });
    expect(await gate.server(long)).toMatchObject({ id: 'x'.repeat(2000), error: { code: -32600 } });
  });
});
