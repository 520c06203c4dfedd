import { describe, expect, it } from 'vitest';
import type { Steering } from '../../../src/core/finding.ts';
import { flowsIn, pastCall } from '../../support/session-facts.ts';

const STEERING: Steering = {
  source: 'mail-120',
  parameter: 'recipients.0.iban',
  kind: 'account',
  signs: ['request', 'recipient'],
  beginning: 'DE89…',
  isUserKnown: true,
};

function steered(more: Partial<Steering> = {}) {
  const calls = [pastCall(120, { server: 'mail', subject: 'read_mail' })];
  const session = { calls, steering: () => ({ ...STEERING, ...more }) };
  const found = flowsIn({ policy: 'steered_call = { enabled = true, action = "prompt" }', session });
  return found.find(({ rule }) => rule === 'steered_call');
}

describe('steered_call', () => {
  const from = 'a result of "read_mail" of the server "mail" 2 min ago';

  it('names the place and what spoke for it to the record, and the beginning of the value to the person alone', () => {
    const { reason, question, evidence } = steered() ?? {};
    expect(reason).toBe(`it would act on an account number in "recipients.0.iban" that came only from ${from}`);
    expect(question).toBe(`"recipients.0.iban": an account number ("DE89…") that came from ${from}, and that you never said`);
    expect(evidence).toEqual({
      source: 'mail-120',
      encoding: 'plain',
      description: 'an account number',
      place: 'recipients.0.iban',
      signs: ['request', 'recipient'],
    });
  });

  it('claims nothing of what the user said where that is not known, and shows no value that is too short', () => {
    expect(steered({ isUserKnown: false, beginning: undefined, kind: 'words' })?.question).toBe(
      `"recipients.0.iban": words that came from ${from}, and that was in no earlier call`,
    );
  });

  it('a result that is not on record steers nothing', () => {
    expect(steered({ source: 'other' })).toBeUndefined();
  });
});
