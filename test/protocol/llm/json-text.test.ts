import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits, elementsOf, findKeyProblem, membersOf, removeElements } from '../../../src/protocol/llm/json-text.ts';

const whole = (text: string) => ({ start: 0, end: text.length });
/** White space anywhere between the parts of a text; none of them has white space or such signs in its strings. */
const spaced = (json: string, space: string) => json.replaceAll(/[[\]{}:,]/g, (sign) => `${space}${sign}${space}`);
const value = fc.jsonValue({ maxDepth: 3, noUnicodeString: false });
const space = fc.constantFrom('', ' ', '\n\t', '\r\n');

describe('members and elements', () => {
  it('lie where they are, whatever they are', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), fc.array(value), space, (object, array, gap) => {
        const ofObject = `${gap}{${Object.entries(object)
          .map(([key, inner]) => `${gap}${JSON.stringify(key)}${gap}:${gap}${JSON.stringify(inner)}`)
          .join(`${gap},`)}${gap}}`;
        const members = [...(membersOf(ofObject, whole(ofObject)) ?? [])];
        expect(members.map(([key, { start, end }]) => [key, ofObject.slice(start, end)])).toEqual(
          Object.entries(object).map(([key, inner]) => [key, JSON.stringify(inner)]),
        );
        const ofArray = `${gap}[${gap}${array.map((inner) => JSON.stringify(inner)).join(`${gap},${gap}`)}${gap}]`;
        expect(elementsOf(ofArray, whole(ofArray))?.map(({ start, end }) => ofArray.slice(start, end))).toEqual(
          array.map((inner) => JSON.stringify(inner)),
        );
      }),
    );
  });

  it('are none of what is something else', () => {
    for (const text of ['1', '"{}"', 'null', '[]']) expect(membersOf(text, whole(text))).toBeUndefined();
    for (const text of ['1', '"[]"', 'null', '{}']) expect(elementsOf(text, whole(text))).toBeUndefined();
    expect([membersOf('{}', undefined), elementsOf('[]', undefined)]).toEqual([undefined, undefined]);
  });
});

describe('removed elements', () => {
  it('leave the others as they were, and JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(value, fc.boolean())), space, (all, gap) => {
        const text = `[${gap}${all.map(([inner]) => JSON.stringify(inner)).join(`${gap},${gap}`)}${gap}]`;
        const edits = removeElements(elementsOf(text, whole(text)) ?? [], (at) => all[at]?.[1] === true);
        expect(JSON.stringify(JSON.parse(applyEdits(text, edits)))).toBe(
          JSON.stringify(all.filter(([, isRemoved]) => !isRemoved).map(([inner]) => inner)),
        );
        if (!all.some(([, isRemoved]) => isRemoved)) expect(applyEdits(text, edits)).toBe(text);
      }),
    );
  });
});

describe('keys', () => {
  it.each<[string, ReturnType<typeof findKeyProblem>]>([
    ['{}', undefined],
    ['{"a":1,"b":{"a":[{"a":1},{"a":2}]}}', undefined],
    ['{"a":"a","b":"a"}', undefined],
    ['["a","a",{"b":["a","a"]},"a"]', undefined],
    ['{"a":1,"a":2}', 'duplicate_key'],
    ['{"a":1,"\\u0061":2}', 'duplicate_key'],
    ['{"x":[1,{"a":{},"b":[],"a":2}]}', 'duplicate_key'],
    ['{"a":{"b":1},"c":[{}],"a":0}', 'duplicate_key'],
    ['{"\\ud800":1,"\\ud801":2}', 'duplicate_key'],
    ['{"a\\"":1,"a\\\\":2,"a":3}', undefined],
    ['{"__proto__":1,"__proto__":2}', 'duplicate_key'],
    [`${'['.repeat(128)}${']'.repeat(128)}`, undefined],
    [`${'['.repeat(129)}${']'.repeat(129)}`, 'too_deep'],
    [`${'{"a":'.repeat(129)}1${'}'.repeat(129)}`, 'too_deep'],
  ])('%s', (text, problem) => {
    expect(findKeyProblem(text)).toBe(problem);
    expect(findKeyProblem(spaced(text, '\n '))).toBe(problem);
  });

  it('are not twice in what has been written from values', () => {
    fc.assert(
      fc.property(value, (any) => {
        expect(findKeyProblem(JSON.stringify(any))).toBeUndefined();
      }),
    );
  });
});
