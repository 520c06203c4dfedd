import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits, removeMembers, withMembers } from '../../../src/protocol/llm/json-text.ts';

const wholeOf = (text: string) => ({ start: 0, end: text.length });

describe('members', () => {
  it.each([
    [['a'], '{ "b" : "a" ,"c":{} }'],
    [['b'], '{ "a":1 ,"c":{} }'],
    [['c'], '{ "a":1, "b" : "a" }'],
    [['a', 'b'], '{"c":{} }'],
    [['a', 'c'], '{ "b" : "a" }'],
    [['b', 'c', 'd'], '{ "a":1 }'],
    [['a', 'b', 'c'], '{ }'],
    [[], '{ "a":1, "b" : "a" ,"c":{} }'],
  ])('%j are taken out', (names, left) => {
    const text = '{ "a":1, "b" : "a" ,"c":{} }';
    expect(applyEdits(text, removeMembers(text, wholeOf(text), names))).toBe(left);
  });

  it('of any object are taken out, and the others stay', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.infiniteStream(fc.boolean()),
        fc.constantFrom(0, 1, 3),
        (object, choose, space) => {
          const text = JSON.stringify(object, undefined, space);
          const names = Object.keys(object).filter(() => choose.next().value);
          const left: unknown = JSON.parse(applyEdits(text, removeMembers(text, wholeOf(text), names)));
          expect(left).toEqual(
            JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(object).filter(([key]) => !names.includes(key))))),
          );
        },
      ),
    );
  });

  it('are put together anew, each as it was', () => {
    const text = '{ "a" : 1e21, "b":2 }';
    expect(withMembers(text, wholeOf(text), { b: undefined, c: '[]', a: undefined })).toBe('{"c":[]}');
    expect(withMembers(text, wholeOf(text), { c: '[]' })).toBe('{"a":1e21,"b":2,"c":[]}');
  });
});
