import { describe, expect, it } from 'vitest';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import { PlainNotifications } from '../../../src/gate/answers/alike-notifications.ts';
import { policyFrom } from '../../support/policy.ts';

const policy = (text = '') => compilePolicy(policyFrom(`[defaults]\naction = "allow"\n${text}`));

describe('a notification of a server', () => {
  it.each([
    ['notifications/progress', true],
    ['notifications/message', true],
    ['x'.repeat(1000), true],
    ['tools/call', false],
    ['sampling/createMessage', false],
    ['Sampling/CreateMessage', false],
    ['sampling/create\ufffdMessage', false],
  ])('%s is one in which nobody has a say: %s', (method, isPlain) => {
    const plain = new PlainNotifications('s');
    const current = policy();
    expect([plain.has(method, current), plain.has(method, current)]).toEqual([isPlain, isPlain]);
  });

  it('is scanned where a rule names its method, also from the next policy on', () => {
    const plain = new PlainNotifications('s');
    const rule = policy('[[rule]]\naction = "deny"\nmethod = "notifications/progress"\n');
    expect(plain.has('notifications/progress', policy())).toBe(true);
    expect(plain.has('notifications/progress', rule)).toBe(false);
    expect(plain.has('notifications/message', rule)).toBe(true);
  });

  it('of more methods than are remembered is told apart all the same', () => {
    const plain = new PlainNotifications('s');
    const current = policy();
    for (let count = 0; count < 500; count++) expect(plain.has(`notifications/${count}`, current)).toBe(true);
    expect(plain.has('tools/call', current)).toBe(false);
  });
});
