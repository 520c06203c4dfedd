import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringOf, wholeOf } from '../../../../src/protocol/llm/json-text.ts';
import { visitStrings } from '../../../../src/protocol/llm/texts/strings.ts';

type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value };

/** The strings of a value, with the keys that they stand under. */
function stringsOf(value: Value, key?: string): [string, string | undefined][] {
  if (typeof value === 'string') return [[value, key]];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return (value as readonly Value[]).flatMap((each) => stringsOf(each, key));
  return Object.entries(value).flatMap(([name, member]) => stringsOf(member, name));
}

describe('strings of a value', () => {
  it('are all visited in order, each with its key, and no key is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(2), (value, space) => {
        const text = JSON.stringify(value, null, space);
        const visited: [string, string | undefined][] = [];
        visitStrings(text, wholeOf(text), ({ span, name, isKey }) => isKey || visited.push([stringOf(text, span) ?? '', name]));
        expect(visited).toEqual(stringsOf(JSON.parse(text) as Value));
      }),
    );
  });
});
