import { describe, expect, it } from 'vitest';
import { MOST_TOKENS, SessionTokens } from '../../../../src/gate/model/secrets/session-tokens.ts';

function learned(tokens: SessionTokens, value: string): string {
  const token = tokens.tokenOf('password', value);
  tokens.learn(token, { kind: 'password', value });
  return token;
}

describe('the tokens of a session', () => {
  it('keep what a client was given, whatever others send and are given', () => {
    const tokens = new SessionTokens(Buffer.alloc(32, 1));
    const first = learned(tokens, 'swordfish-9');
    expect(tokens.restore(first)).toBe('swordfish-9');
    const unused = learned(tokens, 'unused-1');
    for (let at = 0; at < MOST_TOKENS; at++) tokens.restore(learned(tokens, `value-${at}`));
    expect(tokens.restore(first)).toBe('swordfish-9');
    expect(tokens.sought.places('swordfish-9')).toHaveLength(1);
    expect(tokens.restore(unused)).toBeUndefined();
    expect(tokens.restored.size).toBe(MOST_TOKENS);
  });
});
