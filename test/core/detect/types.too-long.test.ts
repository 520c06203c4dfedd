import { describe, expect, it } from 'vitest';
import { TOO_LONG, tooLong } from '../../../src/core/detect/types.ts';

describe('tooLong', () => {
  it.each([
    ['definition', 'medium'],
    ['text', 'low'],
  ] as const)('%s: %s', (as, severity) => {
    expect(tooLong({ field: 'description', as }, '9 characters')).toEqual({
      rule: TOO_LONG,
      family: 'obfuscation',
      severity,
      description: 'Has 9 characters, not all of which were scanned',
      field: 'description',
      matches: [],
    });
  });
});
