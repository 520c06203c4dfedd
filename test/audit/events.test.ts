import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callEvent, refusalEvent, summaryEvent } from '../../src/audit/events.ts';
import { parseJson, type JsonObject, type JsonValue } from '../../src/core/json.ts';
import type { AuditEvent } from '../../src/gate/ports/ports.ts';
import type { CallRecord, Intercepted, RefusalRecord } from '../../src/gate/ports/records.ts';
import { SECRET_SAMPLES } from '../core/dlp/secret-samples.ts';

const RECORD: CallRecord = {
  id: 's.1',
  time: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  session: 's',
  call: { method: 'tools/call', server: 'files', tool: 'read_file', args: { path: '/home/u/notes', head: 3 } },
  requestId: '"7"',
  decision: { action: 'deny', reason: 'rule', rule: { index: 0, action: 'deny', id: 'ssh' }, findings: [], policyHash: 'abc' },
  asked: undefined,
  reason: 'rule',
  isObserved: false,
  inspectors: ['policy'],
  latency: 12.4,
};

const REFUSAL: RefusalRecord = {
  time: 0,
  session: 's',
  server: 'files',
  from: 'client',
  problem: 'twice',
  method: 'ping',
  requestId: '7',
  isObserved: false,
};

const TALLY = {
  fromClient: 3,
  fromServer: 2,
  inspected: 1,
  passed: 4,
  refused: 0,
  unasked: 0,
  decided: 1,
  denied: 1,
  scans: { definitions: 2, texts: 3, arguments: 1, cut: 0, busy: 0, failed: 0, binary: 0 },
  results: { read: 3, cut: 1, not_read: 0 },
  methods: { ping: 2 },
};

const TOKEN = SECRET_SAMPLES[0]?.secret ?? '';

function fieldsOf({ body }: AuditEvent): Record<string, unknown> {
  return JSON.parse(body) as Record<string, unknown>;
}

function withArgs(args: JsonObject): CallRecord {
  return { ...RECORD, call: { ...RECORD.call, args } };
}

describe('callEvent', () => {
  it.each([
    ['granted', { action: 'allow', approval: 'granted', approval_id: 'K7Q2MX', approved_by: 'ann', approval_scope: 'session' }],
    ['refused', { action: 'block', approval: 'refused', approval_id: 'K7Q2MX', refused_by: 'ann', approval_scope: 'session' }],
  ] as const)('says who answered: %s', (asked, fields) => {
    const decision = { ...RECORD.decision, action: 'prompt' } as const;
    const event = callEvent({ ...RECORD, decision, asked, answer: { id: 'K7Q2MX', by: 'ann', remember: 'session' } });
    expect(fieldsOf(event)).toMatchObject({ decision: 'prompt', ...fields });
    expect(event.action).toBe(fields.action);
    expect(Object.keys(fieldsOf(event)).filter((name) => name.endsWith('_by'))).toHaveLength(1);
  });

  it('is a denial where the policy came to deny what a person has granted', () => {
    expect(callEvent({ ...RECORD, asked: 'granted' }).action).toBe('block');
  });

  it('has the fields of a tool call, and beside them what it is searched by', () => {
    const { body, ...columns } = callEvent(RECORD);
    expect(columns).toEqual({
      type: 'mcp_tool_called',
      time: RECORD.time,
      session: 's',
      server: 'files',
      tool: 'read_file',
      action: 'block',
    });
    expect(JSON.parse(body)).toEqual({
      type: 'mcp_tool_called',
      id: 's.1',
      timestamp: '2026-01-02T03:04:05.006Z',
      session_id: 's',
      server_id: 'files',
      method: 'tools/call',
      tool_name: 'read_file',
      input: { path: '/home/u/notes', head: 3 },
      jsonrpc_id: '7',
      action: 'block',
      decision: 'deny',
      reason: 'rule',
      rule: 'ssh',
      mode: 'enforce',
      policy_hash: 'abc',
      latency_us: 12,
      inspectors: ['policy'],
      skipped: [],
    });
  });

  it('hazard 51: arguments are stored redacted', () => {
    const fields = fieldsOf(callEvent(withArgs({ command: `GITHUB_TOKEN=${TOKEN} gh pr list`, password: 'hunter2' })));
    expect(fields['input']).toEqual({
      command: 'GITHUB_TOKEN=[redacted:github_token] gh pr list',
      password: '[redacted:password]',
    });
  });

  it('hazard 52: every record says which inspectors ran and what was skipped', () => {
    const { call } = RECORD;
    const long = { ...RECORD, call: { ...call, tool: 't'.repeat(5000), args: { a: 'x'.repeat(5000), b: 'y'.repeat(5000) } } };
    expect(fieldsOf(callEvent(long))).toMatchObject({
      inspectors: ['policy'],
      skipped: [
        { what: 'tool_name', why: 'too_long' },
        { what: 'input', why: 'too_long' },
      ],
    });
    expect(fieldsOf(callEvent(RECORD))).toMatchObject({ inspectors: ['policy'], skipped: [] });
    const refusal = { ...REFUSAL, method: 'm'.repeat(5000) };
    expect(fieldsOf(refusalEvent(refusal))).toMatchObject({ inspectors: [], skipped: [{ what: 'method', why: 'too_long' }] });
    expect(fieldsOf(refusalEvent(REFUSAL))).toMatchObject({ inspectors: [], skipped: [] });
  });

  it('has no input where none was sent, and an empty one where that was', () => {
    const { args: _args, ...call } = RECORD.call;
    expect(fieldsOf(callEvent({ ...RECORD, call }))).not.toHaveProperty('input');
    expect(fieldsOf(callEvent(withArgs({})))['input']).toEqual({});
  });

  it('keeps numbers as they were sent', () => {
    const args = parseJson('{"id":9007199254740993,"ratio":1.0}') as JsonObject;
    expect(callEvent(withArgs(args)).body).toContain('"input":{"id":9007199254740993,"ratio":1.0}');
  });

  it.each([
    ['allow', undefined, 'allow'],
    ['deny', undefined, 'block'],
    ['prompt', 'unavailable', 'block'],
    ['prompt', 'refused', 'block'],
    ['prompt', 'granted', 'allow'],
  ] as const)('a decision %s, asked %s, is %s', (action, asked, expected) => {
    const event = callEvent({ ...RECORD, decision: { ...RECORD.decision, action }, asked });
    expect(event.action).toBe(expected);
    expect(fieldsOf(event)).toMatchObject({
      action: expected,
      decision: action,
      ...(asked === undefined ? {} : { approval: asked }),
    });
  });

  it('an observed call went through whatever was decided', () => {
    expect(fieldsOf(callEvent({ ...RECORD, isObserved: true }))).toMatchObject({
      action: 'allow',
      decision: 'deny',
      mode: 'observe',
    });
  });

  it.each([
    ['7', 7],
    ['"7"', '7'],
    ['9007199254740993', '9007199254740993'],
    ['1.0', '1.0'],
    [JSON.stringify(TOKEN), '[redacted:github_token]'],
  ])('keeps the id %s exact, and no secret', (requestId, expected) => {
    expect(fieldsOf(callEvent({ ...RECORD, requestId }))['jsonrpc_id']).toBe(expected);
  });

  it('names resources and prompts, and cuts what is endless', () => {
    const resource = fieldsOf(
      callEvent({ ...RECORD, call: { method: 'resources/read', server: 's', resource: 'x'.repeat(5000) } }),
    );
    expect(resource['type']).toBe('mcp_resource_read');
    expect(resource['resource_uri']).toBe(`${'x'.repeat(1024)}…(3976 more)`);
    expect(fieldsOf(callEvent({ ...RECORD, call: { method: 'prompts/get', server: 's', prompt: 'p' } }))).toMatchObject({
      type: 'mcp_prompt_requested',
      prompt_name: 'p',
    });
    expect(callEvent({ ...RECORD, call: { method: 'x/y', server: 's' } }).type).toBe('mcp_request_decided');
  });

  it('redacts what a URI gives access with', () => {
    const call = { method: 'resources/read', server: 's', resource: 'https://u:pa55@h/x?token=abc&sig=def&page=2' };
    expect(fieldsOf(callEvent({ ...RECORD, call }))['resource_uri']).toBe(
      'https://u:[redacted:url_password]@h/x?token=[redacted:token]&sig=[redacted:signature]&page=2',
    );
  });

  it('is one line of well-formed Unicode', () => {
    const { body } = callEvent({ ...RECORD, call: { ...RECORD.call, tool: 'a\ud800\n', args: { '\udc00': '\ud800' } } });
    expect(body.isWellFormed()).toBe(true);
    expect(body).not.toMatch(/\n|\\ud[89a-f]/);
    expect(JSON.parse(body)).toMatchObject({ tool_name: 'a\ufffd\n', input: { '\ufffd': '\ufffd' } });
  });
});

describe('refusalEvent', () => {
  it('says what was refused and why', () => {
    expect(fieldsOf(refusalEvent(REFUSAL))).toEqual({
      type: 'mcp_message_refused',
      timestamp: '1970-01-01T00:00:00.000Z',
      session_id: 's',
      server_id: 'files',
      from: 'client',
      method: 'ping',
      jsonrpc_id: 7,
      action: 'block',
      reason: 'twice',
      mode: 'enforce',
      inspectors: [],
      skipped: [],
    });
    expect(fieldsOf(refusalEvent({ ...REFUSAL, isObserved: true }))).toMatchObject({ action: 'allow', mode: 'observe' });
    expect(fieldsOf(refusalEvent({ ...REFUSAL, method: undefined, requestId: undefined }))).not.toHaveProperty('method');
  });
});

describe('summaryEvent', () => {
  it('says what was seen', () => {
    const { body, ...columns } = summaryEvent({ time: 0, session: 's', server: 'files', tally: TALLY });
    expect(columns).toEqual({ type: 'mcp_connection_ended', time: 0, session: 's', server: 'files' });
    expect(JSON.parse(body)).toMatchObject({
      type: 'mcp_connection_ended',
      messages_from_client: 3,
      calls_blocked: 1,
      methods: { ping: 2 },
    });
  });

  it('adds up what is one when redacted, and counts methods of any name', () => {
    const methods = { [TOKEN]: 1, [SECRET_SAMPLES[1]?.secret ?? '']: 2, 'tokens/list': 3 };
    const event = summaryEvent({ time: 0, session: 's', server: 'files', tally: { ...TALLY, methods } });
    expect(fieldsOf(event)['methods']).toEqual({ '[redacted:github_token]': 3, 'tokens/list': 3 });
  });
});

describe('no secret in any field', () => {
  const secret = fc.constantFrom(...SECRET_SAMPLES.map((sample) => sample.secret));
  const around = fc.constantFrom(
    '',
    ' ',
    ' run ',
    '"',
    "'",
    '=',
    ': ',
    ', ',
    '(',
    'x=',
    '{"a":"',
    '--flag ',
    '\n',
    '😀 ',
    '\ud800',
    '/',
  );

  /** A value of any shape with the secret somewhere in it. */
  function holding(text: string): fc.Arbitrary<JsonValue> {
    const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constant(text),
        fc.tuple(fc.jsonValue({ maxDepth: 1 }), tie('value')).map((items) => items as JsonValue),
        fc.tuple(fc.string(), tie('value')).map(([name, inner]) => ({ [name]: inner })),
        fc.string().map((other) => ({ [text]: other })),
        fc.constant({ note: JSON.stringify({ inner: text }) }),
        fc.constant({ uri: `https://h.example/x?q=${text}&page=2` }),
      ),
    }));
    return value;
  }

  const planted = fc
    .tuple(secret, around, around)
    .chain(([found, before, after]) =>
      holding(before + found + after).map((value) => ({ found, value, text: before + found + after })),
    );

  it('wherever it stands, alone or in a text', () => {
    const property = fc.property(planted, ({ found, value, text }) => {
      const call = { method: text, server: text, tool: text, resource: text, prompt: text, args: { value } };
      const tally = { ...TALLY, methods: { [text]: 1 } };
      const { session, time } = RECORD;
      const events = [
        callEvent({ ...RECORD, call, requestId: JSON.stringify(text) }),
        refusalEvent({ ...REFUSAL, server: text, method: text, problem: text, requestId: JSON.stringify(text) }),
        summaryEvent({ session, time, server: text, tally }),
      ];
      // A long part of it would be a leak too.
      const inner = JSON.stringify(found.slice(8, -8)).slice(1, -1);
      const stored = JSON.stringify(events);
      expect(stored).not.toContain(inner);
      expect(stored).not.toContain(JSON.stringify(inner).slice(1, -1));
    });
    fc.assert(property, { numRuns: 400 });
  });

  it('whatever it looks like, where its name says so', () => {
    const name = fc.constantFrom(
      'password',
      'apiKey',
      'X-Auth-Token',
      'client_secret',
      'connectionString',
      'Authorization',
      'cookies',
    );
    const value = fc.stringMatching(/^[a-z0-9!#%+]{8,40}$/).map((text) => `Zq${text}`);
    const property = fc.property(name, value, (key, text) => {
      const shapes: JsonValue = [
        { [key]: text },
        { [key]: [text, { deep: text }] },
        { name: key, value: text },
        JSON.stringify({ [key]: text }),
        JSON.stringify({ body: JSON.stringify({ [key]: text }) }),
        `${key}="${text}" ls`,
        `${key}: ${text}`,
        [`--${key}`, text],
        `run --${key} '${text}'`,
      ];
      expect(callEvent(withArgs({ shapes })).body).not.toContain(text.slice(0, 8));
    });
    fc.assert(property, { numRuns: 200 });
  });
});

describe("a call in a model's answer", () => {
  const INTERCEPTED: Intercepted = {
    dialect: 'anthropic',
    request: 'r.7',
    id: 'toolu_1',
    name: 'mcp__files__read_file',
    runBy: 'client',
    serverType: 'http',
    serverAddress: 'mcp.example.com:8080',
    fingerprint: 'sha256:abc',
    problem: undefined,
  };
  const MODEL: CallRecord = { ...RECORD, requestId: undefined, intercepted: INTERCEPTED };
  const ALLOWED: CallRecord = { ...MODEL, decision: { ...RECORD.decision, action: 'allow' }, reason: 'default' };

  it.each([
    ['denied', MODEL, 'block', 'rule'],
    ['allowed', ALLOWED, 'allow', 'default'],
  ])('is told in every field, at the time of its decision: %s', (_what, record, action, reason) => {
    const event = callEvent(record);
    expect(event).toMatchObject({ type: 'mcp_tool_call_intercepted', time: RECORD.time, session: 's', server: 'files', action });
    expect(fieldsOf(event)).toMatchObject({
      type: 'mcp_tool_call_intercepted',
      timestamp: '2026-01-02T03:04:05.006Z',
      session_id: 's',
      request_id: 'r.7',
      dialect: 'anthropic',
      tool_name: 'read_file',
      model_tool_name: 'mcp__files__read_file',
      tool_call_id: 'toolu_1',
      input: { path: '/home/u/notes', head: 3 },
      server_id: 'files',
      server_type: 'http',
      server_addr: 'mcp.example.com:8080',
      tool_hash: 'sha256:abc',
      action,
      reason,
    });
  });

  it('leaves out what is not known', () => {
    const unknown = { ...INTERCEPTED, id: '', serverType: undefined, serverAddress: undefined, fingerprint: undefined };
    const fields = fieldsOf(callEvent({ ...MODEL, intercepted: unknown }));
    for (const name of ['tool_call_id', 'server_type', 'server_addr', 'tool_hash', 'arguments_problem'])
      expect(fields).not.toHaveProperty(name);
  });

  it('is named by the record of the same call where it is made, with where a person has said yes', () => {
    const answer = { id: 'K7Q2MX', by: 'me', isEarlier: true };
    const again = callEvent({ ...RECORD, firstSeenAs: 'r.6', asked: 'granted', answer });
    expect(fieldsOf(again)).toMatchObject({ sighting_of: 'r.6', approval_id: 'K7Q2MX', approved_in: 'model_answer' });
    const once = fieldsOf(callEvent({ ...RECORD, asked: 'granted', answer: { id: 'K7Q2MX' } }));
    expect([once['sighting_of'], once['approved_in']]).toEqual([undefined, undefined]);
  });

  it('says why its arguments could not be relied on', () => {
    const fields = fieldsOf(callEvent({ ...MODEL, intercepted: { ...INTERCEPTED, problem: 'duplicate_key' } }));
    expect(fields['arguments_problem']).toBe('duplicate_key');
  });

  it('tells no secret, wherever a peer has put one', () => {
    const put = { request: TOKEN, id: TOKEN, name: TOKEN, serverAddress: TOKEN };
    const call = { ...RECORD.call, server: TOKEN, tool: TOKEN, args: { token: TOKEN } };
    const event = callEvent({ ...MODEL, call, intercepted: { ...INTERCEPTED, ...put } });
    expect(TOKEN).not.toBe('');
    expect(JSON.stringify(event)).not.toContain(TOKEN);
  });
});
