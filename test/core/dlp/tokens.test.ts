import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHash } from 'node:crypto';
import { findTokens, formatToken, MOST_TOKEN, openTokenStart } from '../../../src/core/dlp/tokens.ts';

const tokenOf = (kind: string, value: string): string =>
  formatToken(kind, createHash('sha256').update(`${kind}\0${value}`).digest());

describe('tokens', () => {
  it('show their kind, and are the same for the same digest alone', () => {
    const token = tokenOf('github_token', 'ghp_1');
    expect(token).toMatch(/^CLAWAI-GITHUB-TOKEN-[2-9][0-9A-HJKMNP-TV-Z]{13}$/);
    expect(tokenOf('github_token', 'ghp_1')).toBe(token);
    expect(tokenOf('github_token', 'ghp_2')).not.toBe(token);
    expect(tokenOf('password', 'ghp_1').slice(-14)).not.toBe(token.slice(-14));
  });

  it('have no characters that mean something to shells, Markdown or JSON, whatever the kind', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (kind, value) => {
        const token = tokenOf(kind, value);
        expect(token).toMatch(/^[A-Z0-9-]+$/);
        expect(token.length).toBeLessThanOrEqual(MOST_TOKEN);
        expect(findTokens(`x${token}y`)).toEqual([{ start: 1, end: 1 + token.length, token, isValid: true }]);
      }),
    );
  });

  it('are found in any case, and known as miswritten by their last digit', () => {
    const token = tokenOf('password', 'hunter2');
    expect(findTokens(`Use ${token.toLowerCase()}.`)).toMatchObject([{ token, isValid: true }]);
    let wrong = 0;
    for (let at = token.length - 13; at < token.length; at++) {
      const other = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
      if (findTokens(other).some(({ isValid }) => !isValid)) wrong++;
    }
    expect(wrong).toBe(13);
  });

  it('are held back at every cut, and nothing else is', () => {
    const token = tokenOf('api_key', 'k');
    for (let at = 1; at < token.length; at++) {
      expect(openTokenStart(`A ${token.slice(0, at)}`)).toBe(2);
    }
    expect(openTokenStart(`A ${token}`)).toBe(2 + token.length);
    for (const text of ['', 'Well.', 'A clawai_session', 'CLAWAI-2', 'claw.', 'CLAWAI-API-KEY-1'])
      expect(openTokenStart(text)).toBe(text.length);
  });
});
