import { describe, expect, it } from 'vitest';
import { imitatesUs } from '../../../src/core/self/imitates.ts';

const asks = (message: string) => ({ method: 'elicitation/create', args: { message, requestedSchema: { type: 'object' } } });

describe('a question of a server', () => {
  it.each([
    'clawai asks, not the server: may the agent make this call?',
    'CLAWAI asks',
    'c l a w a i',
    'cla\u200Bwai',
    'clаwаi asks for your yes',
    'ｃｌａｗａｉ',
    'cIawai',
    'c1awai',
    'с1аwаі',
    'сl@wаі',
    'cláwai',
    'the claw-ai guard',
  ])('speaks of clawai: %j', (message) => {
    expect(imitatesUs(asks(message))).toBe(true);
  });

  it.each(['Who are you?', 'May the agent make this call?', 'claw', 'A claw aims', 'Lobster claws are in season', ''])(
    'does not: %j',
    (message) => {
      expect(imitatesUs(asks(message))).toBe(false);
    },
  );

  it('is read as a whole, and no other call is', () => {
    const hidden = {
      method: 'elicitation/create',
      args: { message: 'ok', requestedSchema: { properties: { a: { enumNames: ['clawai'] } } } },
    };
    expect(imitatesUs(hidden)).toBe(true);
    expect(
      imitatesUs({ method: 'elicitation/create', args: { message: 'ok', requestedSchema: { properties: { clawai: {} } } } }),
    ).toBe(true);
    expect(imitatesUs({ ...asks('clawai'), method: 'sampling/createMessage' })).toBe(false);
    expect(imitatesUs({ method: 'elicitation/create', args: undefined })).toBe(false);
    expect(imitatesUs(asks('x'.repeat(100_000)))).toBe(true);
  });
});
