import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapePointer, findJsonPlaces, toLineColumn } from '../../src/cli/json-places.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // that is the question
  }
}

describe('findJsonPlaces', () => {
  it('knows where values and keys are', () => {
    const text = '{"a": [1, {"b/c": true}], "d": "x"}';
    const places = findJsonPlaces(text);
    const values = places.ok
      ? Object.fromEntries([...places.values].map(([pointer, offset]) => [pointer, text.slice(offset)[0]]))
      : {};
    expect(values).toEqual({ '': '{', '/a': '[', '/a/0': '1', '/a/1': '{', '/a/1/b~1c': 't', '/d': '"' });
    expect(places.ok && places.keys.get('/a/1/b~1c')).toBe(text.indexOf('"b/c"'));
  });

  it.each<[string, number, string]>([
    ['', 0, 'a value'],
    ['  ', 2, 'a value'],
    ['{', 1, 'a key in double quotes or "}"'],
    ['{"a":1,}', 7, 'a key in double quotes'],
    ["{'a':1}", 1, 'a key in double quotes or "}"'],
    ['{"a" 1}', 5, '":"'],
    ['{"a":x}', 5, 'a value'],
    ['{"a":1 "b":2}', 7, '"," or "}"'],
    ['[1,2', 4, '"," or "]"'],
    ['[1,]', 3, 'a value'],
    ['[1}', 2, '"," or "]"'],
    ['{} x', 3, 'the end of the file'],
    ['"\u0001"', 0, 'a value'],
    ['01', 1, 'the end of the file'],
    ['{"a":1}\n// why', 8, 'the end of the file'],
  ])('%j stops being JSON at %i', (text, offset, expected) => {
    expect(findJsonPlaces(text)).toEqual({ ok: false, offset, expected });
  });

  it('property: accepts what JSON.parse accepts, and knows every value of it', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 3 }), (text, at, noise) => {
        const broken = text.slice(0, at % (text.length + 1)) + noise + text.slice((at % (text.length + 1)) + 1);
        expect(findJsonPlaces(text).ok).toBe(true);
        expect(findJsonPlaces(broken).ok).toBe(isJson(broken));
      }),
    );
  });

  it('does not overflow on depth', () => {
    expect(findJsonPlaces('['.repeat(5000)).ok).toBe(false);
  });
});

describe('toLineColumn', () => {
  it.each([
    ['abc', 2, 1, 3],
    ['a\nb', 2, 2, 1],
    ['a\r\nb', 3, 2, 1],
    ['ä\nöü', 3, 2, 2],
  ])('%j at %i', (text, offset, line, column) => {
    expect(toLineColumn(text, offset)).toEqual({ line, column });
  });
});

describe('escapePointer', () => {
  it('escapes as RFC 6901 says', () => {
    expect(escapePointer('a/b~c')).toBe('a~1b~0c');
  });
});

it('a text that is very deep takes no time, and has places down to where anything is pointed at', () => {
  const depth = 200_000;
  const places = findJsonPlaces(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  expect(places.ok && [places.values.size, places.values.get('/0'.repeat(64)), places.values.get('')]).toEqual([65, 64, 0]);
  const keys = findJsonPlaces(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
  expect(keys.ok && [keys.values.size, keys.keys.size]).toEqual([65, 64]);
});
