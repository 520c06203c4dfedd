import { describe, expect, it } from 'vitest';
import { readChallenge } from '../../../src/remote/login/challenge.ts';

describe('a challenge', () => {
  it.each([
    ['Bearer error="insufficient_scope", scope="a b"', 'insufficient_scope', 'a b'],
    ['Bearer scope="a", error=insufficient_scope', 'insufficient_scope', 'a'],
    ['Basic realm="x", Bearer realm="y",error="invalid_token"', 'invalid_token', undefined],
    ['Bearer error_description="error"', undefined, undefined],
    ['Bearer', undefined, undefined],
    ['', undefined, undefined],
  ])('%s', (header, error, scope) => {
    expect(readChallenge(header)).toEqual({ error, scope });
  });
});
