import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/core/call.ts';
import { ModelCallLinks } from '../../../src/gate/model/call-links.ts';
import type { CallRecord, Intercepted } from '../../../src/gate/ports/records.ts';
import { questionIdentity } from '../../../src/gate/calls/asking.ts';
import { MemorySeenCalls } from '../../support/memory-seen-calls.ts';

const CALL: Call = { method: 'tools/call', server: 'files', tool: 'read', args: { path: 'a' } };
const INTERCEPTED: Intercepted = {
  dialect: 'anthropic',
  request: 'q.1',
  id: 'toolu_1',
  name: 'mcp__files__read',
  runBy: 'client',
  serverType: undefined,
  serverAddress: undefined,
  fingerprint: undefined,
  problem: undefined,
};
const RECORD: CallRecord = {
  id: 'r.1',
  time: 5,
  session: 'run',
  call: CALL,
  requestId: undefined,
  intercepted: INTERCEPTED,
  decision: { action: 'allow', reason: 'default', findings: [], policyHash: 'p' },
  asked: undefined,
  reason: 'default',
  isObserved: false,
  inspectors: [],
  latency: 1,
};

function noted(record: Partial<CallRecord>, hasGoneOn = true): MemorySeenCalls {
  const seenCalls = new MemorySeenCalls();
  const first = new ModelCallLinks({ seenCalls: () => seenCalls });
  first.note({ ...RECORD, ...record }, { hasGoneOn, before: undefined });
  expect([first.answerTo(), first.take()]).toEqual([undefined, undefined]);
  return seenCalls;
}

describe("a call in a model's answer", () => {
  it('is noted, with its record', () => {
    expect(noted({}).of('run', CALL)).toEqual([
      { session: 'run', n: 1, record: 'r.1', time: 5, toolUseId: 'toolu_1', isDenied: false, granted: undefined },
    ]);
  });

  it('is noted with what a person has said yes to', () => {
    const decision = { ...RECORD.decision, action: 'prompt', reason: 'rule' } as const;
    const answer = { id: 'K7Q2MX', by: 'me', remember: 'once' } as const;
    const granted = { question: questionIdentity(decision), ...answer };
    expect(noted({ decision, asked: 'granted', answer }).left).toMatchObject([{ isDenied: false, granted }]);
    expect(noted({ decision, asked: 'refused', answer }, false).left).toMatchObject([{ isDenied: true, granted: undefined }]);
    // The policy allows it by the time of the answer.
    expect(noted({ asked: 'granted', answer }).left).toMatchObject([{ granted: undefined }]);
  });

  it.each([
    ['was run by the provider', { intercepted: { ...INTERCEPTED, runBy: 'provider' } }],
    ['came as a message of MCP', { intercepted: undefined }],
  ] as const)('that %s is not: nobody sees it again', (_what, record) => {
    expect(noted(record).left).toEqual([]);
  });

  it("that is the agent's own is noted as its hook gets it, with its tool and arguments", () => {
    const call = {
      ...CALL,
      server: 'native',
      tool: 'exec_command',
      args: { cmd: 'ls', workdir: '/a' },
      origin: 'native',
    } as const;
    const id = 'call_01A09q90qw90lq917835lq9';
    const made = { server: 'native', tool: 'exec_command', args: { cmd: 'ls' } };
    const seenCalls = new MemorySeenCalls();
    new ModelCallLinks({ seenCalls: () => seenCalls }, () => made).note(
      { ...RECORD, call, intercepted: { ...INTERCEPTED, id } },
      { hasGoneOn: true, before: undefined },
    );
    expect(seenCalls.named(made, id)).toMatchObject([{ record: 'r.1' }]);
    expect(seenCalls.named({ ...made, args: { cmd: 'rm' } }, id)).toEqual([]);
    expect(seenCalls.named({ server: 'native' }, id)).toEqual([]);
  });

  it('without an id that can be compared has none', () => {
    const long = { ...INTERCEPTED, id: 'x'.repeat(1000) };
    expect(noted({ intercepted: long }).left).toMatchObject([{ toolUseId: '' }]);
  });

  it('is not noted where nobody could see it again', () => {
    const first = new ModelCallLinks({ seenCalls: () => undefined });
    expect(() => first.note(RECORD, { hasGoneOn: true, before: undefined })).not.toThrow();
    expect(() => new ModelCallLinks({}).note(RECORD, { hasGoneOn: true, before: undefined })).not.toThrow();
  });
});
