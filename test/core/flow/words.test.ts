import { describe, expect, it } from 'vitest';
import { agoOf, describeEvidence, nameOf, nameOfPast, quoteName } from '../../../src/core/flow/words.ts';
import { NOW, pastCall } from '../../support/session-facts.ts';

describe('what a reason is made of', () => {
  it.each([
    ['db', '"db"'],
    ['a"b\\', '"a\\"b\\\\"'],
    ['a\nb\u001b[31m', '"a\\nb\\u001b[31m"'],
    ['\u202Eabc\u200B', '"\\u202eabc\\u200b"'],
    ['a\u2028b\u{E0041}', '"a\\u2028b\\udb40\\udc41"'],
    ['Größe 寿司 🍣', '"Größe 寿司 🍣"'],
    ['', '""'],
    ['x'.repeat(200), `"${'x'.repeat(200)}"`],
    ['x'.repeat(201), `"${'x'.repeat(200)}…"`],
  ])('quoteName(%j)', (name, expected) => {
    expect(quoteName(name)).toBe(expected);
  });

  it('names a call by what it is about', () => {
    const call = { method: 'tools/call', server: 's' };
    expect(nameOf({ ...call, tool: 't' })).toBe('"t"');
    expect(nameOf({ ...call, resource: 'file:///x' })).toBe('"file:///x"');
    expect(nameOf({ ...call, prompt: 'p' })).toBe('"p"');
    expect(nameOf(call)).toBe('"tools/call"');
    expect(nameOfPast(pastCall(1))).toBe('"query_database" of the server "db"');
    expect(nameOfPast(pastCall(1, { subject: '' }))).toBe('"tools/call" of the server "db"');
  });

  it.each([
    [-5, 'just now'],
    [0, 'just now'],
    [0.999, 'just now'],
    [1, '1 s ago'],
    [119.9, '119 s ago'],
    [120, '2 min ago'],
    [3600, '60 min ago'],
  ])('%d s ago', (seconds, expected) => {
    expect(agoOf(pastCall(seconds), NOW)).toBe(expected);
  });

  it('says how a value was written where it was not plain', () => {
    expect(describeEvidence({ encoding: 'plain', description: 'a key' })).toBe('a key');
    expect(describeEvidence({ encoding: 'base64', description: 'a key' })).toBe('a key, as base64');
    expect(describeEvidence({ encoding: 'base64', description: '' })).toBe('');
  });
});
