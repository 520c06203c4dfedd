import { describe, expect, it } from 'vitest';
import { normalise } from '../../../../../src/core/detect/normalise/normalise.ts';
import { findLookalikeLetters } from '../../../../../src/core/detect/rules/obfuscation/lookalikes.ts';

describe('findLookalikeLetters', () => {
  it.each([
    ['adds numbers', []],
    ['читает файл', []],
    ['numbеrs', ['obfuscation.homoglyph medium']],
    ['ｓｅｎｄ it', ['obfuscation.fullwidth high']],
    ['𝐬𝐞𝐧𝐝 it', ['obfuscation.styled_letters high']],
    ['ＡＰＩ', []],
  ] as [string, string[]][])('in %j: %j', (text, expected) => {
    const found = findLookalikeLetters({ field: 'description', text, normalised: normalise(text) });
    expect(found.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual(expected);
  });
});
