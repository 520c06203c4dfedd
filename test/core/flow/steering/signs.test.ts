import { describe, expect, it } from 'vitest';
import { beginningOf, describeSigns, readSigns, signsOf } from '../../../../src/core/flow/steering/signs.ts';
import { ADDRESSED, FIELD, REQUEST, TEXT } from '../../../../src/core/flow/steering/told.ts';
import type { SteeringKind } from '../../../../src/core/finding.ts';

const NONE = { isRecipient: false, isAsked: true, isPartlySaid: false };

describe('signsOf', () => {
  it.each([
    [FIELD, NONE, ['data']],
    [TEXT, NONE, ['text']],
    [TEXT | REQUEST | FIELD, NONE, ['request', 'data']],
    [
      ADDRESSED | REQUEST | TEXT,
      { isRecipient: true, isAsked: false, isPartlySaid: true },
      ['addressed', 'recipient', 'not_asked', 'partly_said'],
    ],
  ])('bits %i: the most telling place, and what else gave points', (bits, of, signs) => {
    expect(signsOf(bits, of)).toEqual(signs);
  });
});

describe('beginningOf', () => {
  it.each<[SteeringKind, string, string | undefined]>([
    ['account', 'de89370400440532013000', 'DE89…'],
    ['mail', 'mallory@evil.example', 'mal…@evil.example'],
    ['mail', 'ab@evil.example', 'a…@evil.example'],
    ['mail', 'a@evil.example', undefined],
    ['mail', 'mallory@\u0430pple.example', 'mal…@xn--pple-43d.example'],
    ['web', 'evil.example/collect', 'evil…'],
    ['number', '491701234567', '4917…'],
    ['handle', 'bob', 'b…'],
    ['id', 'x', undefined],
    ['words', 'the shed', undefined],
    ['digits', '1234', undefined],
    ['path', '😀😀😀/x', '😀😀…'],
  ])('%s %s', (kind, value, shown) => {
    expect(beginningOf(value, kind)).toBe(shown);
  });

  it('never shows all of a value', () => {
    for (const value of ['a', 'ab', 'abc', 'abcd', 'abcde', 'a@b.example', 'ab@b.example'])
      expect(beginningOf(value, value.includes('@') ? 'mail' : 'id')).not.toBe(value);
  });
});

describe('the words of signs', () => {
  it('say what speaks for it and against it, and leave out what another version meant', () => {
    const codes = ['request', 'recipient', 'data', 'constructor', 'new_sign'];
    expect(readSigns(codes)).toEqual({
      for: ['it stood in a request', 'it says where something goes'],
      against: ['it also stands where data has it'],
    });
    expect(describeSigns(codes)).toBe(
      'it stood in a request, and it says where something goes, but it also stands where data has it',
    );
    expect([describeSigns([]), describeSigns(['data'])]).toEqual(['', 'but it also stands where data has it']);
  });
});
