import { describe, expect, it } from 'vitest';
import { normalise } from '../../../../../src/core/detect/normalise/normalise.ts';
import { findInvisible } from '../../../../../src/core/detect/rules/obfuscation/invisible.ts';

describe('findInvisible', () => {
  it.each([
    ['adds numbers', []],
    ['größe \u{1f600}\ufe0f', []],
    ['a\u{e0001}', ['obfuscation.unicode_tags high']],
    ['ad\u200bds', ['obfuscation.zero_width low']],
    ['a \u202eab\u202c', ['obfuscation.bidi high']],
  ] as [string, string[]][])('in %j: %j', (text, expected) => {
    const found = findInvisible({ field: 'description', text, normalised: normalise(text) });
    expect(found.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual(expected);
  });
});
