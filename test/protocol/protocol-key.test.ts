import { describe, expect, it } from 'vitest';
import { ERROR, ID, KEY_NAMES, METHOD, PARAMS, protocolKey, RESULT } from '../../src/protocol/protocol-key.ts';

function bitOf(text: string, start = 0, end = Buffer.byteLength(text)): number | undefined {
  return protocolKey(Buffer.from(text), start, end)?.bit;
}

describe('protocolKey', () => {
  it('knows each of them by its own first letter', () => {
    expect(new Set([...KEY_NAMES.keys()].map((name) => name[0])).size).toBe(KEY_NAMES.size);
    for (const [name, bit] of KEY_NAMES) expect(bitOf(`"${name}":1`)).toBe(bit);
    expect([ID, METHOD, PARAMS, RESULT, ERROR].map((bit) => [...KEY_NAMES.values()].includes(bit))).not.toContain(false);
  });

  it.each(['"idx"', '"ID"', '"i', '"', '', '"\\u0069d"', '"methods"', '"resul"', "'id'", '"Method"', '" id"', '\u00fcid"'])(
    'does not take %s for one',
    (text) => {
      expect(bitOf(text)).toBeUndefined();
    },
  );

  it('does not read beyond the end', () => {
    expect(bitOf('"id"', 0, 3)).toBeUndefined();
    expect(bitOf('{"id"', 1)).toBe(ID);
  });
});
