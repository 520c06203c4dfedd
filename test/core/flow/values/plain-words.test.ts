import { describe, expect, it } from 'vitest';
import { informationOf } from '../../../../src/core/flow/values/plain-words.ts';

describe('informationOf', () => {
  it('is little in common words, in paths and in what files import, and much in rare words and numbers', () => {
    const bits = (text: string): number => Math.round(informationOf(text));
    expect(bits('operation completed successfully')).toBe(24);
    expect(bits('/home/user/project/src/upstream-pool.ts')).toBeLessThan(20);
    expect(bits('https://github.com/acme/gateway/issues')).toBeLessThan(20);
    expect(bits("import { usestate, useeffect } from 'react'")).toBeLessThan(20);
    expect(bits('00000000 00000000')).toBe(5);
    expect(bits('leukaemia brambleby 48213')).toBeGreaterThan(45);
  });
});
