import { describe, expect, it } from 'vitest';
import type { Decision, ReasonCode } from '../../../src/core/decision.ts';
import type { Distrust, FlowFinding, RateExcess } from '../../../src/core/finding.ts';
import {
  type Denial,
  denyRequest,
  denyToolCall,
  errorLine,
  explain,
  isGranted,
  reasonOf,
} from '../../../src/gate/calls/reply.ts';

const RULE = { index: 2, action: 'deny', description: 'Keys stay private' } as const;

function denial(more: Partial<Denial> = {}, decision: Partial<Decision> = {}): Denial {
  return {
    record: 's.1',
    call: { method: 'tools/call', server: 'files', tool: 'read_file' },
    decision: { action: 'deny', reason: 'rule', rule: RULE, findings: [], policyHash: 'h', ...decision },
    asked: undefined,
    ...more,
  };
}

function withoutRule(reason: ReasonCode): Denial {
  const { rule: _, ...decision } = denial().decision;
  return { ...denial(), decision: { ...decision, reason } };
}

describe('explain', () => {
  it('names what was denied, why, the rule, and what to do', () => {
    expect(explain(denial())).toBe(
      'clawai denied the tool call "read_file": Keys stay private (rule "rule 3"). ' +
        'Do not retry it with the same arguments; use another way, or ask the user to change the policy.',
    );
  });

  it("prefers the rule's id and its message", () => {
    const rule = { ...RULE, id: 'keys', message: 'Use the public key.' };
    expect(explain(denial({}, { rule }))).toBe(
      'clawai denied the tool call "read_file": Keys stay private (rule "keys"). Use the public key.',
    );
  });

  it.each([
    ['nul_byte', 'NUL byte'],
    ['unmapped_tool', 'a tool of the MCP server'],
    ['too_many_paths', 'smaller calls'],
    ['audit_unavailable', 'could not record it'],
    ['internal_error', 'failed while it decided'],
    ['default', 'no rule of the policy allows it'],
  ] as const)('has words for %s', (reason, words) => {
    expect(explain(withoutRule(reason))).toContain(words);
  });

  it.each([
    ['expired', 'Ask the user to run `clawai approvals` in a terminal'],
    ['refused', 'asked (request K7Q2MX) and refused. Do not retry'],
    ['withdrawn', 'withdrawn before anyone answered'],
    ['flood', 'too many calls asked for one in the last minute'],
    ['unavailable', 'nobody can be asked here'],
  ] as const)('asked: %s, it says what the model can do, with a rule and without', (asked, words) => {
    const prompted = denial({ asked, question: 'K7Q2MX' }, { action: 'prompt' });
    expect(explain(prompted)).toContain(words);
    expect(explain(prompted)).toContain('Keys stay private (rule "rule 3")');
    const bare = withoutRule('default');
    expect(explain({ ...bare, asked, question: 'K7Q2MX', decision: { ...bare.decision, action: 'prompt' } })).toContain(words);
  });

  const FLOW = flowing('burst').decision.flow?.[0];
  const REASONS: Readonly<Record<ReasonCode, Partial<Decision>>> = {
    rule: {},
    default: {},
    unknown_method: {},
    nul_byte: {},
    malformed: {},
    unreadable_arguments: {},
    too_many_paths: {},
    self: {},
    server_policy: {},
    unmapped_tool: {},
    schema: {
      schema: ['edits.0.path', 'mode', 'limit'].map((path) => ({
        path,
        keyword: 'type',
        problem: 'must be a list or an object',
      })),
    },
    dlp: {
      dlp: ['body', 'headers.auth', 'x'].map((path) => ({ kind: 'github_token', path, steps: [path], spans: undefined })),
    },
    pinning: {
      distrust: { what: 'server', change: { of: 'launch', fingerprint: 'f'.repeat(64), fields: ['command', 'args[1]'] } },
    },
    flow: FLOW === undefined ? {} : { flow: [FLOW] },
    rate_limit: { excess: EXCESS },
    detection: {
      findings: ['a', 'b', 'c', 'd'].map((rule) => ({
        rule,
        severity: 'high' as const,
        description: 'Tells the model to read a file',
      })),
      foundIn: 'definition',
    },
    policy_gone: {},
    approval_unavailable: {},
    audit_unavailable: {},
    internal_error: {},
  };

  it.each(Object.entries(REASONS))('needs no more than 60 words for %s, whoever was asked', (reason, more) => {
    const { decision, ...rest } = withoutRule(reason as ReasonCode);
    const kinds = [undefined, 'expired', 'refused', 'withdrawn', 'flood', 'unavailable'] as const;
    for (const asked of kinds) {
      const action = asked === undefined ? ('deny' as const) : ('prompt' as const);
      const text = explain({ ...rest, asked, question: 'K7Q2MX', decision: { ...decision, ...more, action } });
      expect(text.split(/\s+/).length).toBeLessThanOrEqual(60);
    }
  });

  it("says how to get it approved along with the rule's own message", () => {
    const rule = { ...RULE, message: 'Try the staging server.' };
    const text = explain(denial({ asked: 'expired', question: 'K7Q2MX' }, { action: 'prompt', rule }));
    expect(text).toContain('Try the staging server. It needs');
    expect(text).toContain('request K7Q2MX');
  });

  it('does not blame a rule for a NUL byte', () => {
    expect(explain(denial({}, { reason: 'nul_byte' }))).not.toContain('Keys');
  });

  it.each([
    [{ method: 'resources/read', server: 's', resource: 'file:///x' }, 'reading the resource "file:///x"'],
    [{ method: 'prompts/get', server: 's', prompt: 'p' }, 'the prompt "p"'],
    [{ method: 'logging/setLevel', server: 's' }, 'the request "logging/setLevel"'],
  ])('names %o', (call, words) => {
    expect(explain(denial({ call }))).toContain(words);
  });

  it('quotes and cuts names, which the model chose', () => {
    const text = explain(denial({ call: { method: 'tools/call', server: 's', tool: `a"\n${'x'.repeat(1000)}` } }));
    expect(text).toContain('"a\\"\\nxxx');
    expect(text.length).toBeLessThan(500);
  });
});

describe('explain, where a guard decides', () => {
  const decided = (reason: ReasonCode, distrust?: Distrust, more: Partial<Denial> = {}): string => {
    const { decision, ...rest } = withoutRule(reason);
    return explain({ ...rest, decision: distrust === undefined ? decision : { ...decision, distrust }, ...more });
  };

  it('a server that there may not be', () => {
    expect(decided('server_policy')).toBe(
      'clawai denied the tool call "read_file": the policy does not allow the server "files". Do not retry it; ask the user to allow that server in the policy.',
    );
  });

  it('what changed, and with which command a person trusts it', () => {
    expect(decided('pinning', { what: 'changed', fingerprint: 'sha256:1' })).toBe(
      'clawai denied the tool call "read_file": its definition has changed since it was approved. Do not retry it. Tell the user: ' +
        '`clawai mcp registry list` shows what there is, and `clawai approve files:read_file`, in a terminal of their own, shows what is different ' +
        'and trusts it once they agree.',
    );
    expect(decided('pinning', { what: 'server' })).toContain('`clawai approve --server files --all`');
    expect(decided('pinning', { what: 'new' })).toContain('nobody has approved its definition yet');
    const resource = { method: 'resources/read', server: 's', resource: 'file:///x' };
    expect(decided('pinning', { what: 'changed' }, { call: resource })).toContain('`clawai approve s:file:///x --kind resource`');
  });

  it('a tool that the server never listed is nothing that a person could approve', () => {
    expect(decided('server_policy', { what: 'unlisted' })).toContain('its server never listed it');
    expect(decided('server_policy', { what: 'unlisted' })).not.toContain('clawai mcp');
  });

  it.each(['x$(rm -rf ~)', 'a b', "a'b", 'a`b', '-x\n', 'a;b', ''])('offers no command with %j in it', (tool) => {
    const call = { method: 'tools/call', server: tool, tool };
    for (const what of ['changed', 'server'] as const) {
      const command = /`clawai approve ([^`]*)`/.exec(decided('pinning', { what }, { call }))?.[1];
      expect(command).toMatch(/^(?:SERVER:NAME|--server SERVER --all)$/);
    }
  });

  it('a person was asked', () => {
    const { decision, ...rest } = withoutRule('pinning');
    const asked = {
      ...rest,
      decision: { ...decision, action: 'prompt', distrust: { what: 'changed' } },
      asked: 'refused',
    } as const;
    expect(explain(asked)).toBe(
      'clawai denied the tool call "read_file": its definition has changed since it was approved. The user was asked and refused. Do not retry it.',
    );
    expect(reasonOf(asked)).toBe('approval_refused');
  });
});

const EXCESS: RateExcess = { limit: { key: 'k', of: 'server', rpm: 10, burst: 3 }, retryAfter: 6 };

function limited(excess: Partial<RateExcess['limit']> = {}, retryAfter = 6): Denial {
  const { decision, ...rest } = withoutRule('rate_limit');
  return { ...rest, decision: { ...decision, excess: { limit: { ...EXCESS.limit, ...excess }, retryAfter } } };
}

describe('explain, where a rate limit decides', () => {
  it('says which limit, whose, when to come back, and that trying at once is no use', () => {
    expect(explain(limited())).toBe(
      'clawai denied the tool call "read_file": the policy allows 10 calls a minute to the server "files", 3 at once, and that limit is reached. ' +
        'Wait 6 seconds before you repeat this call, or go on without it.',
    );
  });

  it.each([
    [{ of: 'tool' }, 6, '10 calls a minute to the tool "read_file" of the server "files", 3 at once'],
    [{ rpm: 1 }, 6, 'allows 1 call a minute to'],
    [{ rpm: 0.5 }, 120, 'allows 0.5 calls a minute to'],
    [{ rpm: 0.5 }, 120, 'Wait 120 seconds before'],
    [{}, 1, 'Wait 1 second before'],
  ] as const)('%j in %i s: %s', (limit, retryAfter, words) => {
    expect(explain(limited(limit, retryAfter))).toContain(words);
  });

  it('of a server whose name tries to say something', () => {
    const call = { method: 'prompts/get', server: `x"\n\u202e${'y'.repeat(1000)}`, prompt: 'p' };
    const text = explain({ ...limited(), call });
    expect(text).toContain('denied the prompt "p": ');
    expect(text).toContain('the server "x\\"\\n\\u202eyyy');
    expect(text.length).toBeLessThan(600);
  });
});

function flowing(rule: FlowFinding['rule'], more: Partial<Denial> = {}, decision: Partial<Decision> = {}): Denial {
  const past = { time: 1, server: 'db', method: 'tools/call', subject: 'query', turn: undefined, isForwarded: true } as const;
  const finding: FlowFinding = {
    rule,
    severity: 'critical',
    action: 'deny',
    reason: 'it would send after "query" of the server "db" read data 3 s ago',
    related: [
      { ...past, id: 's.1', categories: ['read'] },
      { ...past, id: 's.2', categories: ['read'] },
    ],
    evidence: undefined,
  };
  const { decision: bare, ...rest } = withoutRule('flow');
  const other: FlowFinding = { ...finding, rule: 'burst', reason: 'something else', action: 'alert' };
  return { ...rest, decision: { ...bare, flow: [finding, other], ...decision }, ...more };
}

describe('explain, where a flow rule decides', () => {
  it.each(['read_then_send', 'cross_server_flow'] as const)(
    '%s: what would flow, and to ask instead of looking for another way',
    (rule) => {
      expect(explain(flowing(rule))).toBe(
        `clawai denied the tool call "read_file": it would send after "query" of the server "db" read data 3 s ago (flow rule "${rule}"). ` +
          'Do not try to get the same data out in another way. Tell the user what was to go where, and ask.',
      );
    },
  );

  it.each([
    ['burst', '(flow rule "burst"). Do not retry it at once: make fewer calls to this server'],
    ['shadow_tool', '(flow rule "shadow_tool"). Do not retry it: use the tool of the server that had this name first'],
  ] as const)('%s: %s', (rule, words) => {
    expect(explain(flowing(rule))).toContain(words);
    expect(explain(flowing(rule))).not.toContain('something else');
  });

  it('where a person was asked, what came of that', () => {
    const asked = flowing('read_then_send', { asked: 'expired', question: 'K7Q2MX' }, { action: 'prompt' });
    expect(explain(asked)).toMatch(
      /3 s ago \(flow rule "read_then_send"\)\. It needs a person's approval \(request K7Q2MX\), and nobody/,
    );
    expect(explain(asked)).not.toContain('another way');
    expect(reasonOf(asked)).toBe('approval_expired');
  });

  it('is not what a call is denied for that something else denies', () => {
    expect(explain(flowing('burst', {}, { reason: 'rule', rule: RULE }))).toBe(explain(denial()));
    expect(explain(flowing('burst', {}, { reason: 'rate_limit', excess: EXCESS }))).toBe(explain(limited()));
  });
});

describe('reasonOf', () => {
  it.each([
    [undefined, 'rule'],
    ['granted', 'rule'],
    ['refused', 'approval_refused'],
    ['unavailable', 'approval_unavailable'],
    ['withdrawn', 'approval_withdrawn'],
  ] as const)('asked: %s', (asked, reason) => {
    expect(reasonOf(denial({ asked }, { action: 'prompt' }))).toBe(reason);
  });

  it('is that of the decision where the policy has come to deny it meanwhile', () => {
    expect(reasonOf(denial({ asked: 'granted' }))).toBe('rule');
    expect(reasonOf(denial({ asked: 'expired' }))).toBe('rule');
  });
});

describe('isGranted', () => {
  it.each([
    ['allow', undefined, true],
    ['allow', 'expired', true],
    ['prompt', undefined, false],
    ['prompt', 'granted', true],
    ['prompt', 'refused', false],
    ['prompt', 'expired', false],
    ['prompt', 'flood', false],
    ['prompt', 'unavailable', false],
    ['prompt', 'withdrawn', false],
    ['deny', undefined, false],
    ['deny', 'granted', false],
  ] as const)('%s, asked: %s', (action, asked, expected) => {
    expect(isGranted(denial({}, { action }).decision, asked)).toBe(expected);
  });
});

describe('the lines', () => {
  it('denyToolCall: a result, with resultType only in the modern era', () => {
    const modern = JSON.parse(denyToolCall('"a"', true, denial())) as { id: string; result: Record<string, unknown> };
    expect(modern.id).toBe('a');
    expect(modern.result).toMatchObject({ resultType: 'complete', isError: true });
    expect(denyToolCall('1', false, denial())).not.toContain('resultType');
  });

  /** What a denied tool call says in fields. */
  function fieldsOf(denied: Denial): unknown {
    const { result } = JSON.parse(denyToolCall('1', false, denied)) as { result: Record<string, Record<string, unknown>> };
    return result['_meta']?.['dev.clawai/decision'];
  }

  it('denyToolCall: in fields, when a rate limit lets it be tried again', () => {
    expect(fieldsOf(limited())).toEqual({ action: 'deny', reason: 'rate_limit', retry_after: 6, audit: 's.1' });
    expect(fieldsOf(withoutRule('default'))).toEqual({ action: 'deny', reason: 'default', audit: 's.1' });
  });

  it('denyToolCall: in fields, what a flow rule has found, where it decided, also where a person was asked', () => {
    const flow = { rule: 'read_then_send', severity: 'critical', related: ['s.1', 's.2'] };
    expect(fieldsOf(flowing('read_then_send'))).toEqual({ action: 'deny', reason: 'flow', flow, audit: 's.1' });
    expect(fieldsOf(flowing('read_then_send', { asked: 'refused' }, { action: 'prompt' }))).toMatchObject({
      reason: 'approval_refused',
      flow,
    });
    // What only alerts is for people.
    expect(fieldsOf(flowing('read_then_send', {}, { reason: 'default' }))).not.toHaveProperty('flow');
  });

  it('denyRequest: when a rate limit lets it be tried again is data of the error, and there is none otherwise', () => {
    const call = { method: 'prompts/get', server: 'files', prompt: 'p' };
    expect(JSON.parse(denyRequest('1', { ...limited(), call }))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: 40300, message: expect.stringContaining('Wait 6 seconds'), data: { retry_after: 6 } },
    });
    expect(denyRequest('1', flowing('burst', { call }))).not.toContain('"data":');
    expect(denyRequest('1', denial())).not.toContain('"data":');
  });

  it('denyRequest: an error, with a code of its own where a person was needed', () => {
    expect(JSON.parse(denyRequest('1', denial()))).toMatchObject({ id: 1, error: { code: 40300 } });
    expect(JSON.parse(denyRequest('1', denial({ asked: 'unavailable' }, { action: 'prompt' })))).toMatchObject({
      error: { code: 40301 },
    });
  });

  it('errorLine keeps the id as it was sent and is one line', () => {
    expect(errorLine('1.50', -32600, 'a\nb')).toBe('{"jsonrpc":"2.0","id":1.50,"error":{"code":-32600,"message":"a\\nb"}}\n');
  });
});
