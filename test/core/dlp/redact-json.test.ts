import { describe, expect, it } from 'vitest';
import { parseJson, type JsonValue } from '../../../src/core/json.ts';
import { redactJson } from '../../../src/core/dlp/redact-json.ts';
import { SECRET_SAMPLES } from './secret-samples.ts';

/** The redacted value, as a reader parses it, and why something of it is missing. */
function redact(value: JsonValue): { value: unknown; cuts: string[] } {
  const { json, cuts } = redactJson(value);
  return { value: JSON.parse(json) as unknown, cuts: [...cuts] };
}

const TOKEN = SECRET_SAMPLES[0]?.secret ?? '';

describe('redactJson', () => {
  it.each<[JsonValue, unknown]>([
    [{ path: '/a', n: 1.5, yes: true, none: null, list: [1, 'two', []], '': {} }, undefined],
    [
      { password: 'x', n: 1 },
      { password: '[redacted:password]', n: 1 },
    ],
    [{ apiKey: 12345 }, { apiKey: '[redacted:api_key]' }],
    [{ credentials: { user: 'u', key: ['x'] } }, { credentials: '[redacted:credentials]' }],
    [{ tokens: ['a', 'b'] }, { tokens: '[redacted:token]' }],
    [{ password: null, secret: true, token: '', tokens: 500, max_tokens: 7 }, undefined],
    [{ [`see ${TOKEN}`]: 1 }, { 'see [redacted:github_token]': 1 }],
    [
      {
        headers: [
          { name: 'Authorization', value: 'x y' },
          { name: 'Accept', value: 'z' },
        ],
      },
      {
        headers: [
          { name: 'Authorization', value: '[redacted:authorization]' },
          { name: 'Accept', value: 'z' },
        ],
      },
    ],
    [{ authentication: { type: 'api_key', key: 'x' } }, { authentication: { type: 'api_key', key: '[redacted:api_key]' } }],
    [{ type: 'object', key: 'x' }, undefined],
    [{ argv: ['run', '--token', 'x', '-v'] }, { argv: ['run', '--token', '[redacted:token]', '-v'] }],
    [{ headers: [['Cookie', 'x']] }, { headers: [['Cookie', '[redacted:cookie]']] }],
    [{ columns: ['id', 'password', 'mail'] }, undefined],
    [
      { text: `{"password":"x","deep":"{\\"api_key\\":\\"y\\"}"}` },
      { text: `{"password":"[redacted:password]","deep":"{\\"api_key\\":\\"[redacted:api_key]\\"}"}` },
    ],
    ['lone \ud800', 'lone \ufffd'],
  ])('%j', (value, expected) => {
    expect(redact(value)).toEqual({ value: expected ?? value, cuts: [] });
  });

  it.each(['9007199254740993', '1.0', '1e400', '-0', '123456789012345678901234567890.10', '0.1', '7'])(
    'writes %s as it was sent',
    (number) => {
      expect(redactJson(parseJson(`{"n":[${number}]}`)).json).toBe(`{"n":[${number}]}`);
    },
  );

  it('keeps members apart whose names are one when redacted', () => {
    const other = SECRET_SAMPLES[1]?.secret ?? '';
    const value = { [TOKEN]: 1, [other]: 2, '[redacted:github_token]': 3, '[redacted:github_token] (2)': 4 };
    expect(Object.keys(redact(value).value as object)).toEqual([
      '[redacted:github_token] (3)',
      '[redacted:github_token] (4)',
      '[redacted:github_token]',
      '[redacted:github_token] (2)',
    ]);
  });

  it('__proto__ is a name like any other', () => {
    expect(redactJson(parseJson(`{"__proto__":{"password":"x"}}`)).json).toBe('{"__proto__":{"password":"[redacted:password]"}}');
  });
});

describe('bounds', () => {
  it.each<[string, JsonValue, unknown, string]>([
    ['a string', 'x'.repeat(3000), `${'x'.repeat(2048)}…(952 more)`, 'too_long'],
    ['a name', { ['n'.repeat(300)]: 1 }, { [`${'n'.repeat(256)}…(44 more)`]: 1 }, 'too_long'],
    ['a number', parseJson('1'.repeat(300)), `${'1'.repeat(256)}…(44 more)`, 'too_long'],
    ['a list', Array.from({ length: 300 }, () => 0), [...Array.from({ length: 256 }, () => 0), '…(44 more)'], 'too_many_members'],
  ])('cuts %s', (_what, value, expected, reason) => {
    expect(redact(value)).toEqual({ value: expected, cuts: [reason] });
  });

  it('cuts an object, and its own member of that name stays', () => {
    const { value, cuts } = redact(
      Object.fromEntries([['…', 'own'], ...Array.from({ length: 299 }, (_, index) => [`k${index}`, 0])]),
    );
    expect(Object.keys(value as object)).toHaveLength(257);
    expect(value).toMatchObject({ '…': 'own', '… (2)': '44 more' });
    expect(cuts).toEqual(['too_many_members']);
  });

  it('cuts what is deep', () => {
    const { value, cuts } = redact(parseJson(`${'['.repeat(40)}"x"${']'.repeat(40)}`));
    expect(JSON.stringify(value)).toBe(`${'['.repeat(16)}"…"${']'.repeat(16)}`);
    expect(cuts).toEqual(['too_deep']);
  });

  it('stops at so many values', () => {
    const { value, cuts } = redact(Array.from({ length: 200 }, () => Array.from({ length: 200 }, () => 0)));
    expect((value as unknown[][]).flat().filter((item) => item === 0).length).toBeLessThan(2000);
    expect(cuts).toEqual(['too_many_values']);
  });

  it.each<[string, JsonValue]>([
    ['many strings', Array.from({ length: 200 }, () => 'x'.repeat(2000))],
    ['strings that grow in JSON', Array.from({ length: 200 }, () => '\u0000'.repeat(2000))],
    ['strings that grow when redacted', Array.from({ length: 200 }, () => 'token=a '.repeat(250))],
    ['names', Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`${'n'.repeat(250)}${index}`, 'x'.repeat(250)]))],
    [
      'names that grow in JSON',
      Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`${'\u0001'.repeat(250)}${index}`, 0])),
    ],
    ['lists of lists', Array.from({ length: 250 }, () => Array.from({ length: 7 }, () => 'y'.repeat(50)))],
  ])('is about 32 KiB of JSON at most: %s', (_what, value) => {
    const { json, cuts } = redactJson(value);
    expect(json.length).toBeLessThan(35_000);
    expect(() => JSON.parse(json) as unknown).not.toThrow();
    expect([...cuts]).toContain('too_large');
  });

  it('reads no more for secrets that leave little', () => {
    const hostile = Array.from({ length: 250 }, () => Array.from({ length: 7 }, () => `password="${'token: '.repeat(400)}"`));
    const { json, cuts } = redactJson(hostile);
    expect(json.length).toBeLessThan(5000);
    expect([...cuts]).toContain('too_large');
  });
});
