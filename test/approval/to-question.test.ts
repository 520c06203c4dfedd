import { describe, expect, it } from 'vitest';
import { fingerprintOf, toQuestion } from '../../src/approval/to-question.ts';
import { subjectText } from '../../src/cli/approvals/question-text.ts';
import type { Call } from '../../src/core/call.ts';
import type { Distrust, FlowFinding } from '../../src/core/finding.ts';
import type { Question } from '../../src/gate/ports/approval-port.ts';
import { pastCall } from '../support/past-call.ts';

const key = Buffer.alloc(32, 7);
const CALL: Call = { method: 'tools/call', server: 'files', tool: 'write', args: { path: 'a' } };
const DECISION = { action: 'prompt', reason: 'default', findings: [], policyHash: '' } as const;

function ask(call: Partial<Call>): Question {
  const by = { session: 's', asker: { pid: 1, started: '' }, key, timeout: 1000, policyFile: undefined };
  return toQuestion({ ...CALL, ...call }, DECISION, by);
}

function fingerprint(extra?: Call['extra']): string {
  return fingerprintOf(extra === undefined ? CALL : { ...CALL, extra }, { key, why: undefined });
}

describe('what else a call sends', () => {
  it('is shown, without the token that only says whom to tell', () => {
    expect(ask({}).extra).toBeUndefined();
    expect(ask({ extra: { _meta: { progressToken: 1 } } }).extra).toBeUndefined();
    expect(ask({ extra: { _meta: { progressToken: 1, 'a/b': 'c' }, task: { ttl: 5 } } }).extra).toBe(
      '{"task":{"ttl":5},"_meta":{"a/b":"c"}}',
    );
    expect(ask({ extra: { _meta: 'text' } }).extra).toBe('{"_meta":"text"}');
  });

  it('is what a yes is to', () => {
    const plain = fingerprint();
    for (const extra of [{ task: {} }, { _meta: { 'a/b': 1 } }, { _meta: null }, { requestState: 'x' }, { Arguments: {} }]) {
      expect(fingerprint(extra)).not.toBe(plain);
    }
    expect(fingerprint({ _meta: { 'a/b': 1 } })).not.toBe(fingerprint({ _meta: { 'a/b': 2 } }));
  });

  it('but for what is another one each time', () => {
    const plain = fingerprint();
    for (const name of ['progressToken', 'claudecode/toolUseId', 'traceparent']) {
      expect(fingerprint({ _meta: { [name]: 'x' } })).toBe(plain);
    }
    expect(fingerprint({ _meta: { progressToken: 1, 'a/b': 1 } })).toBe(fingerprint({ _meta: { 'a/b': 1, progressToken: 2 } }));
    expect(fingerprint({ progressToken: 1 })).not.toBe(plain);
  });
});

it('the summary has no secret that was found in the arguments, whatever its kind', () => {
  const args = { note: 'card 4111 1111 1111 1111', blob: 'NDExMSAxMTExIDExMTEgMTExMQ==' };
  const card = { kind: 'card', path: '', steps: ['note'], spans: [{ start: 5, end: 24, kind: 'card' }] };
  const hidden = { kind: 'card', path: '', steps: ['blob'], spans: undefined, hiding: 'base64' };
  const by = { session: 's', asker: { pid: 1, started: '' }, key, timeout: 1000, policyFile: undefined };
  const { summary } = toQuestion({ ...CALL, args }, { ...DECISION, dlp: [card, hidden] }, by);
  expect(summary).toBe('{"note":"card [redacted:card]","blob":"[redacted:card]"}');
});

it('a resource is named without the secrets in its address', () => {
  const uri = 'crm://cards/4111 1111 1111 1111';
  const card = { kind: 'card', path: 'uri', steps: ['uri'], spans: [{ start: 12, end: 31, kind: 'card' }] };
  const by = { session: 's', asker: { pid: 1, started: '' }, key, timeout: 1000, policyFile: undefined };
  const call: Call = { method: 'resources/read', server: 'crm', resource: uri, args: { uri } };
  const question = toQuestion(call, { ...DECISION, dlp: [card] }, by);
  expect([question.resource, question.summary]).toEqual(['crm://cards/[redacted:card]', '{"uri":"crm://cards/[redacted:card]"}']);
});

it('names are kept in full, and what is cut says so and how long it was', () => {
  const resource = `file:///${'a'.repeat(6000)}`;
  expect(ask({ resource }).resource).toBe(resource);
  const cut = ask({ resource: 'b'.repeat(2_000_000), extra: { task: 'c'.repeat(2_000_000) } });
  expect(cut.resource?.length).toBeLessThan(1_050_000);
  expect(cut.resource).toMatch(/b… \(cut: 2,000,000 characters in all\)$/);
  expect(cut.extra).toMatch(/c… \(cut: 2,000,011 characters in all\)$/);
});

it('a line has the beginning of a long name, and its length', () => {
  const text = subjectText({ ...ask({ resource: 'x'.repeat(5000) }), method: 'resources/read', tool: undefined });
  expect(text).toMatch(/^resources\/read x+… \(5,015 characters\)$/);
  expect(text.length).toBeLessThan(600);
});

describe('a definition that is not trusted', () => {
  const by = { session: 's', asker: { pid: 1, started: '' }, key, timeout: 1000, policyFile: 'p.toml' };
  const about = (distrust: Distrust): Question => toQuestion(CALL, { ...DECISION, reason: 'pinning', distrust }, by);

  it('the person reads what is wrong with it, and no rule is offered', () => {
    expect(about({ what: 'changed', fingerprint: 'sha256:1' })).toMatchObject({
      description: 'Its definition has changed since it was approved',
      rule: undefined,
      policyFile: undefined,
    });
    expect(toQuestion(CALL, DECISION, by).policyFile).toBeDefined();
  });

  it('a yes is to that definition alone', () => {
    const all = [
      toQuestion(CALL, DECISION, by),
      about({ what: 'changed', fingerprint: 'sha256:1' }),
      about({ what: 'changed', fingerprint: 'sha256:2' }),
      about({ what: 'server', fingerprint: 'sha256:1' }),
    ];
    expect(new Set(all.map((question) => question.fingerprint)).size).toBe(all.length);
    expect(about({ what: 'new', fingerprint: 'sha256:1' }).fingerprint).toBe(
      about({ what: 'new', fingerprint: 'sha256:1' }).fingerprint,
    );
  });
});

describe('a flow', () => {
  const by = { session: 's', asker: { pid: 1, started: '' }, key, timeout: 1000, policyFile: 'p.toml' };
  const finding = (more: Partial<FlowFinding>): FlowFinding => ({
    rule: 'read_then_send',
    severity: 'critical',
    action: 'prompt',
    reason: 'it would send with "write" after "query" of the server "db" read data 5 s ago',
    related: [pastCall('1', { server: 'db' })],
    evidence: undefined,
    ...more,
  });
  const about = (...flow: readonly FlowFinding[]): Question => toQuestion(CALL, { ...DECISION, reason: 'flow', flow }, by);
  const evidence = { source: '1', encoding: 'plain', description: 'a number of 16 digits' };

  it('the person reads what would flow, and no rule is offered', () => {
    expect(about(finding({}))).toMatchObject({
      description: 'It would send with "write" after "query" of the server "db" read data 5 s ago',
      policyFile: undefined,
    });
    const both = toQuestion(CALL, { ...DECISION, reason: 'pinning', distrust: { what: 'new' }, flow: [finding({})] }, by);
    expect(both.description).toMatch(/\. It would send with/);
  });

  it('the person reads the way of a value that steers, with its beginning, in place of the half sentence that is recorded', () => {
    const question = '"iban": an account number ("DE89…") that came from a result of "read_mail", and that you never said';
    expect(about(finding({ rule: 'steered_call', question })).description).toBe(question);
  });

  it('a yes is to what flows from there alone: not to the call without it, another source, another rule, or a value', () => {
    const questions = [
      toQuestion(CALL, DECISION, by),
      about(finding({})),
      about(finding({ related: [pastCall('2', { server: 'files' })] })),
      about(finding({ related: [pastCall('1', { server: 'db' }), pastCall('2', { server: 'files' })] })),
      about(finding({ rule: 'cross_server_flow' })),
      about(finding({ evidence })),
      about(finding({}), finding({ rule: 'burst' })),
      toQuestion(CALL, { ...DECISION, reason: 'pinning', distrust: { what: 'new' } }, by),
      toQuestion(CALL, { ...DECISION, reason: 'pinning', distrust: { what: 'new' }, flow: [finding({})] }, by),
    ];
    expect(new Set(questions.map(({ fingerprint: one }) => one)).size).toBe(questions.length);
  });

  it('is the same later, after another call of the same server, and what only alerts is no part of it', () => {
    const later = finding({ reason: 'it would send … 9 s ago', related: [pastCall('3', { server: 'db', subject: 'other' })] });
    expect(about(later).fingerprint).toBe(about(finding({})).fingerprint);
    expect(about(finding({}), finding({ rule: 'burst', action: 'alert' })).fingerprint).toBe(about(finding({})).fingerprint);
  });
});
