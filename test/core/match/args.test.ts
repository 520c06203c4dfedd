import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/core/json.ts';
import { selectArgs } from '../../../src/core/match/args.ts';
import { MAX_ARG_STEPS } from '../../../src/core/policy/parse-args.ts';
import type { ArgStep } from '../../../src/core/policy/types.ts';

/** `a.*.**` as in a policy; a leading slash makes a JSON Pointer. */
function steps(path: string): ArgStep[] {
  if (path.startsWith('/'))
    return path
      .slice(1)
      .split('/')
      .map((name) => ({ kind: 'token', name }));
  return path
    .split('.')
    .map((name) => (name === '*' ? { kind: 'any' } : name === '**' ? { kind: 'deep' } : { kind: 'name', name }));
}

function json(text: string): JsonObject {
  const value: JsonValue = JSON.parse(text);
  if (!isJsonObject(value)) throw new Error(text);
  return value;
}

const CASES: [path: string, args: string, values: JsonValue[], incomplete: boolean][] = [
  ['a', '{"a":1}', [1], false],
  ['a', '{"b":1}', [], true],
  ['a', '{"a":null}', [null], false],
  ['a', '{"a":[]}', [], true],
  ['a', '{"a":[1,[2,[3]],[]]}', [1, 2, 3], true],
  ['a', '{"a":{"b":1}}', [{ b: 1 }], false],
  ['a.b', '{"a":{"b":1}}', [1], false],
  ['a.b', '{"a":1}', [], true],
  ['a.b', '{"a":[{"b":1},{"b":2}]}', [1, 2], false],
  ['a.b', '{"a":[{"b":1},{}]}', [1], true],
  ['a.b', '{"a":[{"b":1},5]}', [1], true],
  ['a.b', '{"a":[[{"b":1}]]}', [1], false],
  ['a.0', '{"a":[7,8]}', [7], false],
  ['a.2', '{"a":[7,8]}', [], true],
  ['a.0', '{"a":[{"0":1},{"0":2}]}', [{ 0: 1 }, 1, 2], false],
  ['a.00', '{"a":[7]}', [], true],
  ['*', '{"a":1,"b":[2,3]}', [1, 2, 3], false],
  ['*', '{}', [], true],
  ['*.p', '{"a":{"p":1},"b":[{"p":2}]}', [1, 2], false],
  ['*.p', '{"a":{"p":1},"b":2}', [1], true],
  ['a.*', '{"a":[1,{"b":2}]}', [1, { b: 2 }], false],
  ['**', '{"a":1,"b":{"c":[2,{"d":3}]}}', [1, 2, 3], false],
  ['**', '{}', [], false],
  ['**.p', '{"p":1,"a":{"p":2,"q":[{"p":3}]}}', [1, 2, 3], false],
  ['**.a.b', '{"a":{"c":1}}', [], true],
  ['a.**', '{"a":5}', [5], false],
  ['a.**', '{"b":5}', [], true],
  ['**.*', '{"a":{"b":1}}', [{ b: 1 }, 1], false],
  ['**.a.**.b', '{"a":{"a":{"b":1}}}', [1], false],
  ['/a/b', '{"a":{"b":1}}', [1], false],
  ['/a/b', '{"a":[{"b":1}]}', [], true],
  ['/a/1/b', '{"a":[0,{"b":1}]}', [1], false],
  ['/*', '{"a":1,"*":2}', [2], false],
  ['/', '{"":3}', [3], false],
];

describe('selectArgs', () => {
  it.each(CASES)('%s of %s', (path, args, values, incomplete) => {
    const selection = selectArgs(json(args), steps(path));
    expect(selection.values).toEqual(values);
    expect(selection.incomplete).toBe(incomplete);
    expect(selection.tooDeep).toBe(false);
  });

  it('selects nothing where no arguments were sent', () => {
    expect(selectArgs(undefined, steps('**')).values).toEqual([]);
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])('sees %s only where it was sent', (name) => {
    expect(selectArgs(json('{}'), steps(name)).values).toEqual([]);
    expect(selectArgs(json('{"a":{}}'), steps(`a.${name}`)).values).toEqual([]);
    const sent = json(`{"${name}":"x"}`);
    for (const path of [name, `/${name}`, '*', '**']) expect(selectArgs(sent, steps(path)).values).toEqual(['x']);
    expect(selectArgs(sent, steps('**')).keys).toEqual([name]);
  });

  it('collects keys only where the path ends in **', () => {
    const args = json('{"a":{"b":1},"c":[{"d":{}}]}');
    expect(selectArgs(args, steps('**')).keys).toEqual(['a', 'c', 'b', 'd']);
    expect(selectArgs(args, steps('c.**')).keys).toEqual(['d']);
    expect(selectArgs(args, steps('**.a')).keys).toEqual([]);
  });

  it.each([
    [128, false],
    [129, true],
    [100_000, true],
  ])('%i levels are too deep: %j', (levels, tooDeep) => {
    let value: JsonValue = 'x';
    for (let level = 1; level < levels; level += 1) value = [value];
    const selection = selectArgs({ a: value }, steps('**'));
    expect(selection.tooDeep).toBe(tooDeep);
    expect(selection.values).toEqual(tooDeep ? [] : ['x']);
  });

  it('visits every node once, however often ** stands in the path', () => {
    let value: JsonValue = { b: 1 };
    for (let level = 0; level < 60; level += 1) value = { a: value, c: 1 };
    const path = Array.from({ length: MAX_ARG_STEPS / 2 }, () => '**.a').join('.');
    const selection = selectArgs({ a: value }, steps(path));
    expect(selection.values).toHaveLength(61 - MAX_ARG_STEPS / 2 + 1);
  });

  it('finds with ** exactly the scalars that a plain walk finds', () => {
    const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<JsonValue>(null, true, 1, 'x'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { noNullPrototype: false }),
      ),
    }));
    const scalars = (node: JsonValue): JsonValue[] =>
      typeof node === 'object' && node !== null ? Object.values(node).flatMap((child) => scalars(child as JsonValue)) : [node];
    fc.assert(
      fc.property(value, (node) => {
        expect(selectArgs({ root: node }, steps('**')).values).toEqual([...new Set(scalars(node))]);
      }),
    );
  });
});
