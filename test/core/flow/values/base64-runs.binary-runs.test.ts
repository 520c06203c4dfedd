import { describe, expect, it } from 'vitest';
import { withoutBinary } from '../../../../src/core/flow/values/base64-runs.ts';
import { randomBytes } from './random-bytes.ts';

const noise = randomBytes(6000).toString('base64');
const image = `iVBORw0KGgo${randomBytes(300).toString('base64')}`;

describe('withoutBinary', () => {
  it.each([
    ['an image', `before data:image/png;base64,${image} after`, 'before data:image/png;base64,\n after'],
    ['long base64 of no text', `a ${noise} b`, noise.endsWith('=') ? 'a \n= b' : 'a \n b'],
  ])('%s is left out', (_name, text, rest) => {
    expect(withoutBinary(text)).toEqual({ text: rest, isCut: true });
  });

  it.each([
    ['a key', noise.slice(0, 2000)],
    ['base64 of text', Buffer.from('The cat sat on the mat. '.repeat(300)).toString('base64')],
    ['one letter again and again', 'a'.repeat(10_000)],
    ['text', 'Just text. '.repeat(1000)],
  ])('%s is kept', (_name, text) => {
    expect(withoutBinary(text)).toEqual({ text, isCut: false });
  });
});
