import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textsIn } from '../../../src/gate/session/result-texts.ts';

function texts(value: unknown): readonly string[] {
  return textsIn(Buffer.from(JSON.stringify(value))).texts;
}

describe('textsIn', () => {
  it('gives the texts and long numbers of a result, and not what it says of itself', () => {
    const result = {
      content: [
        { type: 'text', text: 'line "one"\nline two ü', annotations: { audience: 'user' } },
        { type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text: 'inside' } },
        { type: 'resource_link', uri: 'file:///b', name: 'b' },
      ],
      structuredContent: { card: 4_111_111_111_111_111, small: 42, nested: [['deep', -12_345_678.5]], data: 'short' },
      isError: false,
    };
    expect(texts(result)).toEqual([
      'line "one"\nline two ü',
      'file:///a',
      'inside',
      'file:///b',
      'b',
      '4111111111111111',
      'deep',
      '-12345678.5',
      'short',
    ]);
  });

  it('takes all of what servers name themselves', () => {
    const long = 'one,two;'.repeat(100);
    const given = { accounts: [{ type: 'a type', role: { uri: 'an address' } }], data: long };
    expect(texts({ content: [{ type: 'no' }], structuredContent: given, _meta: { type: 'too' }, resultType: 'no' })).toEqual([
      'a type',
      'an address',
      long,
      'too',
    ]);
    expect(texts({ content: [{ type: long, text: 'a' }] })).toEqual([long, 'a']);
    expect(texts({ code: -32_000, message: 'failed', data: { type: 'a row' } })).toEqual(['failed', 'a row']);
    expect(texts({ code: -32_000, message: 'failed', data: long })).toEqual(['failed', long]);
  });

  it('leaves out bytes', () => {
    const image = { content: [{ type: 'image', data: '/9j/'.repeat(1000), mimeType: 'image/jpeg' }] };
    expect(textsIn(Buffer.from(JSON.stringify(image)))).toEqual({ texts: [], hasBinary: true });
    const blob = { contents: [{ blob: Buffer.from(`a${'\0'.repeat(300)}`).toString('base64') }] };
    expect(textsIn(Buffer.from(JSON.stringify(blob)))).toEqual({ texts: [], hasBinary: true });
  });

  it('reads texts that come as bytes', () => {
    const text = 'id,name\n1,Ada Quillfeather\n'.repeat(20);
    expect(texts({ contents: [{ blob: Buffer.from(text).toString('base64') }] })).toEqual([text]);
  });

  it('takes names of members that may be data, and not those that every result has', () => {
    const byAddress = { 'ada.quillfeather@example.com': { role: 'admin', since: 5 }, short: 'x', lastModified: 'today' };
    const found = texts({ content: [], structuredContent: byAddress });
    expect(found).toEqual(['ada.quillfeather@example.com', 'admin', 'x', 'today']);
  });

  it('takes what is whole where the bytes end in the middle', () => {
    const bytes = Buffer.from(JSON.stringify({ content: [{ text: 'first' }, { text: 'second' }] }));
    const at = bytes.indexOf('second');
    expect(textsIn(bytes.subarray(0, at + 3)).texts).toEqual(['first', 'sec']);
  });

  it('takes of a text that is cut what is whole of it, wherever that is', () => {
    const text = 'a"b\\c\u0001ü€😀'.repeat(3);
    const bytes = Buffer.from(JSON.stringify({ content: [{ text }] }));
    const at = bytes.indexOf(':"') + 2;
    for (let end = at + 1; end < bytes.length - 5; end++) {
      const [found = ''] = textsIn(bytes.subarray(0, end)).texts;
      expect(text.startsWith(found)).toBe(true);
      expect(Buffer.byteLength(JSON.stringify(found)) - 2).toBeGreaterThanOrEqual(end - at - 12);
    }
  });

  it('property: finds every text of any JSON and never throws on any bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, unit: 'grapheme' })), (list) => {
        expect(texts({ content: list.map((text) => ({ text })) })).toEqual(list);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(textsIn(Buffer.from(bytes)).texts.length).toBeLessThanOrEqual(200);
      }),
    );
  });
});
