import { describe, expect, it } from 'vitest';
import { parseJson, type JsonObject } from '../../../src/core/json.ts';
import { parsePolicy } from '../../../src/core/policy/parse.ts';
import { polarities } from '../../support/policy.ts';

const sent = (text: string): JsonObject => parseJson(text) as JsonObject;

describe('args = { equals = { … } }', () => {
  it.each<[string, JsonObject | undefined, ReturnType<typeof polarities>]>([
    ['{ a = "x" }', { a: 'x' }, 'both'],
    ['{ a = "x" }', { a: 'y' }, 'neither'],
    ['{ a = "x" }', { a: 'x', b: 1 }, 'neither'],
    ['{ a = "x", b = 1 }', { a: 'x' }, 'neither'],
    ['{ a = "x" }', { A: 'x' }, 'neither'],
    ['{ a = "x*" }', { a: 'xy' }, 'neither'],
    ['{ a = "x*" }', { a: 'x*' }, 'both'],
    ['{}', {}, 'both'],
    ['{}', undefined, 'both'],
    ['{}', { a: 1 }, 'neither'],
    ['{ a = "x" }', undefined, 'neither'],
    ['{ a = [1, "b"] }', { a: [1, 'b'] }, 'both'],
    ['{ a = [1, "b"] }', { a: ['b', 1] }, 'neither'],
    ['{ a = [1, "b"] }', { a: [1, 'b', 2] }, 'neither'],
    ['{ a = { b = { c = true } } }', { a: { b: { c: true } } }, 'both'],
    ['{ a = { b = { c = true } } }', { a: { b: { c: true, d: 1 } } }, 'neither'],
    ['{ a = {} }', { a: [] }, 'neither'],
    ['{ a = [] }', { a: {} }, 'neither'],
    ['{ a = 9007199254740993 }', sent('{"a":9007199254740993}'), 'both'],
    ['{ a = 9007199254740993 }', sent('{"a":9007199254740992}'), 'neither'],
    ['{ a = 1 }', sent('{"a":1.0}'), 'both'],
    // Doubt counts against the call: what a server may read as the same is denied, and not allowed.
    ['{ a = 1 }', { a: '1' }, 'possible'],
    ['{ a = true }', { a: 'yes' }, 'possible'],
    ['{ a = "x" }', sent('{"a":"x","__proto__":1}'), 'neither'],
    ['{ "toString" = "x" }', {}, 'neither'],
  ])('%s, sent %j: %s', (equals, args, expected) => {
    expect(polarities(`args = { equals = ${equals} }`, args)).toBe(expected);
  });

  it('can be an exception too', () => {
    expect(polarities('unless.args = { equals = { a = 1 } }', { a: 1 })).toBe('neither');
    expect(polarities('unless.args = { equals = { a = 1 } }', { a: 2 })).toBe('both');
  });

  it.each([
    ['args = { equals = "x" }', ['args', 'equals'], '"equals" is an operator, so it belongs under an argument\'s name'],
    [
      'args = { equals = { a = 1 }, b = 2 }',
      ['args', 'equals'],
      '"equals" is an operator, so it belongs under an argument\'s name',
    ],
    [
      'args = { equals = { a = 9223372036854775808 } }',
      ['args', 'equals', 'a'],
      'an integer beyond 64 bits is not exact in TOML',
    ],
    ['args = { equals = { a = [inf] } }', ['args', 'equals', 'a', 0], 'a must be a string, a number or a boolean, not a number'],
    [
      'args = { equals = { a = 2020-01-01 } }',
      ['args', 'equals', 'a'],
      'a must be a string, a number or a boolean, not a date or time',
    ],
  ])('refuses %s', (line, path, message) => {
    const result = parsePolicy(`[[rule]]\naction = "deny"\ntool = "t"\n${line}\n`, { file: 'f' });
    expect(result).toMatchObject({ ok: false, errors: [{ path: ['rule', 0, ...path] }] });
    expect(JSON.stringify(result)).toContain(
      JSON.stringify(message)
        .slice(1, -1)
        .replace(/^a must/, 'must')
        .slice(0, 30),
    );
  });
});
