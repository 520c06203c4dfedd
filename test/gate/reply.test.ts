import { describe, expect, it } from 'vitest';
import type { Decision, ReasonCode } from '../../src/core/decision.ts';
import { type Denial, denyRequest, denyToolCall, errorLine, explain, reasonOf } from '../../src/gate/reply.ts';

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
    ['too_many_paths', 'smaller calls'],
    ['audit_unavailable', 'could not be recorded'],
    ['internal_error', 'failed while deciding'],
    ['default', 'no rule of the policy allows it'],
  ] as const)('has words for %s', (reason, words) => {
    expect(explain(withoutRule(reason))).toContain(words);
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

describe('reasonOf', () => {
  it.each([
    [undefined, 'rule'],
    ['granted', 'rule'],
    ['refused', 'approval_refused'],
    ['unavailable', 'approval_unavailable'],
    ['withdrawn', 'approval_withdrawn'],
  ] as const)('asked: %s', (asked, reason) => {
    expect(reasonOf(denial({ asked }))).toBe(reason);
  });
});

describe('the lines', () => {
  it('denyToolCall: a result, with resultType only in the modern era', () => {
    const modern = JSON.parse(denyToolCall('"a"', true, denial())) as { id: string; result: Record<string, unknown> };
    expect(modern.id).toBe('a');
    expect(modern.result).toMatchObject({ resultType: 'complete', isError: true });
    expect(denyToolCall('1', false, denial())).not.toContain('resultType');
  });

  it('denyRequest: an error, with a code of its own where a person was needed', () => {
    expect(JSON.parse(denyRequest('1', denial()))).toMatchObject({ id: 1, error: { code: 40300 } });
    expect(JSON.parse(denyRequest('1', denial({ asked: 'unavailable' })))).toMatchObject({ error: { code: 40301 } });
  });

  it('errorLine keeps the id as it was sent and is one line', () => {
    expect(errorLine('1.50', -32600, 'a\nb')).toBe('{"jsonrpc":"2.0","id":1.50,"error":{"code":-32600,"message":"a\\nb"}}\n');
  });
});
