import { describe, expect, it } from 'vitest';
import type { Complaints } from '../../../src/core/policy/complaints.ts';
import { readFlag, readWord } from '../../../src/core/policy/keys.ts';
import type { TomlValue } from '../../../src/core/policy/toml.ts';

const WORDS = { words: ['alert', 'deny'], noun: 'action' } as const;

function read<T>(value: TomlValue, reader: (place: Parameters<typeof readFlag>[0], key: string) => T): [T, number] {
  const to: Complaints = { errors: [], regex: undefined, needsRegex: false };
  return [reader({ table: { key: value }, path: ['t'], to }, 'key'), to.errors.length];
}

describe('a member of a table', () => {
  it.each([
    [true, [true, 0]],
    [false, [false, 0]],
    ['true', [undefined, 1]],
  ])('is true or false: %j', (value, expected) => {
    expect(read(value, readFlag)).toEqual(expected);
  });

  it.each([
    ['deny', ['deny', 0]],
    ['denny', [undefined, 1]],
    [true, [undefined, 1]],
  ])('is one of some words: %j', (value, expected) => {
    expect(read(value, (place, key) => readWord(place, key, WORDS))).toEqual(expected);
  });

  it('may be missing', () => {
    const to: Complaints = { errors: [], regex: undefined, needsRegex: false };
    const place = { table: {}, path: ['t'], to };
    expect([readFlag(place, 'key'), readWord(place, 'key', WORDS), to.errors]).toEqual([undefined, undefined, []]);
  });
});
