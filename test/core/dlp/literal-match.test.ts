import { expect, it } from 'vitest';
import { isLiteralMatch } from '../../../src/core/dlp/literal-match.ts';
import { compileRegex } from '../../../src/core/patterns/regex.ts';

it.each<[pattern: string, match: string, isLiteral: boolean]>([
  ['EMP-[0-9]{6}', 'EMP-482913', true],
  ['(?i)emp-[0-9]{6}', 'Emp-482913', true],
  ['Project Falcon', 'Project Falcon', true],
  ['(?:KX|QY)[0-9]{4}', 'QY1234', true],
  ['ZZ[0-9]{4}', 'ZZ1234', true],
  ['[A-Z]{3}-[0-9]{6}', 'EMP-482913', false],
  ['[a-f0-9]{8}', 'ab12cd34', false],
  ['[0-9]{9}', '123456789', false],
  ['K[0-9]{8}', 'K12345678', false],
])('%s asks for the letters of %s: %s', (pattern, match, isLiteral) => {
  const regex = compileRegex(pattern);
  if (!('places' in regex)) throw new Error(regex.message);
  expect(isLiteralMatch(regex, match)).toBe(isLiteral);
});
