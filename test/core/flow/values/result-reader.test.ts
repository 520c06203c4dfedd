import { describe, expect, it } from 'vitest';
import { MOST_HASHES, MOST_READ } from '../../../../src/core/flow/values/result-reader.ts';
import { Memory, read } from './memory.ts';
import { randomBytes } from './random-bytes.ts';

const KEY = 'vT9kQz4mXr7wLpB2cN8dJ5sG';

describe('ResultReader', () => {
  it.each(['', 'true', '{"ok":true,"count":0,"branch":"main"}', '2026-11-22', 'v24.19.2', '127.0.0.1:8080'])(
    'remembers nothing of %j',
    (text) => {
      expect(read([text])).toEqual({ hashes: new Uint8Array(0), isCut: false, hasBinary: false });
    },
  );

  it('never has more than 32 KiB, and says that something is left out', () => {
    const tokens = Array.from({ length: 2000 }, (_, index) => randomBytes(24, `${index}`).toString('base64url')).join('\n');
    const { hashes, isCut } = read([tokens]);
    expect(hashes).toHaveLength(MOST_HASHES * 8);
    expect(isCut).toBe(true);
  });

  it('leaves out of many values an even sample, so that most of the long ones are still found', () => {
    const tokens = Array.from({ length: 300 }, (_, index) => randomBytes(30, `${index}`).toString('base64url'));
    const memory = new Memory();
    memory.answer('notes', tokens.join('\n'));
    const found = tokens.filter((token) => memory.find('mail', { token }).length > 0);
    expect(found.length).toBeGreaterThan(290);
  });

  it('reads a mebibyte, and says that it read no more', () => {
    const filler = 'Nothing to see here. '.repeat(60_000).slice(0, MOST_READ - KEY.length);
    expect(read([filler, KEY]).isCut).toBe(false);
    expect(read([filler, KEY, 'x']).isCut).toBe(true);
    expect(read([filler, ' ', KEY]).isCut).toBe(true);
  });

  it('does not read an image, and says so, and reads what is beside it', () => {
    const image = `iVBORw0KGgo${randomBytes(9000).toString('base64')}`;
    expect(read([image])).toEqual({ hashes: new Uint8Array(0), isCut: false, hasBinary: true });
    const memory = new Memory();
    memory.answer('notes', `![](data:image/png;base64,${image}) ${KEY}`);
    expect(memory.find('mail', { text: KEY })).toHaveLength(1);
    expect(memory.find('mail', { text: image.slice(1000, 1040) })).toEqual([]);
  });

  it('does not depend on the order of its texts, for keys and numbers', () => {
    const texts = Array.from({ length: 20 }, (_, index) => randomBytes(18, `${index}`).toString('hex'));
    expect(read(texts.map((text) => `${text}\n`))).toEqual(read(texts.map((text) => `${text}\n`)));
  });

  it('reads the values of JSON without the names of members', () => {
    const memory = new Memory();
    memory.answer(
      'db',
      JSON.stringify([{ given: 'Ignatius', family: 'Brambleby', illness: 'lymphocytic leukaemia', ward: 'Achterberg' }]),
    );
    expect(memory.find('mail', { text: 'Ignatius Brambleby - lymphocytic leukaemia - Achterberg' })).toHaveLength(1);
  });
});
