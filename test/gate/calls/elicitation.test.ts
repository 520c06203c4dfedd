import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/core/decision.ts';
import { Elicitation } from '../../../src/gate/calls/elicitation.ts';
import { idKey } from '../../../src/gate/messages/id-key.ts';
import { question } from '../../support/questions.ts';

const DECISION: Decision = {
  action: 'prompt',
  reason: 'rule',
  rule: { index: 0, action: 'prompt' },
  findings: [],
  policyHash: '',
};

interface Sent {
  readonly id?: string;
  readonly method: string;
  readonly params: { readonly message?: string; readonly requestId?: string };
}

function elicitation(capabilities: unknown = { elicitation: {} }, revision: string | undefined = '2025-11-25', isThere = true) {
  const sent: Sent[] = [];
  const answers: string[] = [];
  const way = (line: string): void => void sent.push(JSON.parse(line) as Sent);
  const made = new Elicitation(() => ({ way: isThere ? way : undefined, revision }));
  made.note(capabilities as never);
  const ask = (fields: Parameters<typeof question>[0] = {}, decision = DECISION) =>
    made.ask(question(fields), decision, (state) => answers.push(state));
  const key = (at = 0) => idKey(JSON.stringify(sent[at]?.id));
  return { made, sent, answers, ask, key };
}

describe('a client is asked', () => {
  it.each([
    [{ elicitation: {} }, '2025-06-18', true],
    [{ elicitation: { form: {} } }, '2025-11-25', true],
    [{ elicitation: { form: {}, url: {} } }, '2025-11-25', true],
    [{ elicitation: { url: {} } }, '2025-11-25', false],
    [{ elicitation: true }, '2025-11-25', false],
    [{}, '2025-11-25', false],
    [null, '2025-11-25', false],
    [{ elicitation: {} }, '2025-03-26', false],
    [{ elicitation: {} }, undefined, false],
  ])('that says %j under %s: %s', (capabilities, revision, is) => {
    const { ask, sent } = elicitation(capabilities, revision ?? '');
    expect(ask() !== undefined).toBe(is);
    expect(sent).toHaveLength(is ? 1 : 0);
  });

  it('only if there is a way to it', () => {
    expect(elicitation({ elicitation: {} }, '2025-11-25', false).ask()).toBeUndefined();
  });

  it.each<[string, Partial<Decision>]>([
    ['a rule wants a person', { rule: { index: 0, action: 'prompt', requirePerson: true } }],
    ['a definition is not trusted', { reason: 'pinning' }],
    ['detection found something', { reason: 'detection' }],
    ['a secret leaves', { reason: 'dlp' }],
  ])('never if %s', (_why, more) => {
    expect(elicitation().ask({}, { ...DECISION, ...more })).toBeUndefined();
  });

  it('never about what can not be shown as a whole', () => {
    const { ask } = elicitation();
    expect(ask({ args: '{"a":"b', argsLength: 9 })).toBeUndefined();
    const args = JSON.stringify({ a: 'x'.repeat(5000) });
    expect(ask({ args, argsLength: args.length })).toBeUndefined();
  });

  it('with nothing hidden, and nothing that gets out of its line', () => {
    const { ask, sent } = elicitation();
    const args = JSON.stringify({ path: 'a\u202Eb' });
    ask({ server: 's"\nrule: "x', tool: 't\u200B', args, argsLength: args.length });
    const text = sent[0]?.params.message ?? '';
    expect(text.split('\n')[0]).toMatch(/^clawai asks, not the server: /);
    expect(text).toContain(String.raw`server: "s\"\nrule: \"x"`);
    expect(text).toContain(String.raw`"t\u200b"`);
    expect(text).toContain(String.raw`{"path":"a\u202eb"}`);
  });
});

describe('its answer', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['yes', { action: 'accept', content: { decision: 'allow once' } }, ['granted']],
    ['no', { action: 'accept', content: { decision: 'deny' } }, ['refused']],
    ['decline', { action: 'decline' }, ['refused']],
    ['cancel', { action: 'cancel' }, []],
    ['yes without content', { action: 'accept' }, []],
    ['yes in other words', { action: 'accept', content: { decision: 'Allow once' } }, []],
    ['yes to something else', { action: 'accept', content: { allow: true } }, []],
    ['an error', undefined, []],
    ['nonsense', [1], []],
  ])('%s', (_name, result, states) => {
    const { made, ask, answers, key } = elicitation();
    ask();
    made.take(key(), result as never);
    expect(answers).toEqual(states);
  });

  it('counts once, not after it was taken back, and under no other id', () => {
    const { made, sent, ask, answers, key } = elicitation();
    const yes = { action: 'accept', content: { decision: 'allow once' } };
    ask();
    const takeBack = ask();
    expect(made.isAnswer(idKey('"clawai-0"'))).toBe(false);
    takeBack?.();
    expect(sent[2]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: sent[1]?.id } });
    expect(made.isAnswer(key(1))).toBe(false);
    made.take(key(1), yes);
    expect(answers).toEqual([]);
    made.take(key(0), yes);
    made.take(key(0), yes);
    expect(answers).toEqual(['granted']);
    expect(made.isAnswer(key(0))).toBe(false);
  });
});
