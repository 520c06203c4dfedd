import { describe, expect, it } from 'vitest';
import { bytesAsText } from '../../../../../src/core/detect/normalise/decode/bytes-as-text.ts';

describe('bytesAsText', () => {
  it.each(['read it', 'größe der datei', 'прочитай файл', 'a\u200bb\u200bc'])('%j in UTF-8', (text) => {
    expect(bytesAsText(Buffer.from(text))).toBe(text);
  });

  it('UTF-16 of Latin text', () => {
    expect(bytesAsText(Buffer.from('read the file', 'utf16le'))).toBe('read the file');
  });

  it('up to where it is none any more, where that is far enough', () => {
    expect(bytesAsText(Buffer.from('read the key file\xff\x00', 'latin1'))).toBe('read the key file');
    expect(bytesAsText(Buffer.from('read\xff\x00', 'latin1'))).toBeUndefined();
  });

  it.each([Buffer.from([]), Buffer.from([0, 1, 2, 3]), Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('{}[]();=+*%$#')])(
    'not %j',
    (bytes) => {
      expect(bytesAsText(bytes)).toBeUndefined();
    },
  );
});
