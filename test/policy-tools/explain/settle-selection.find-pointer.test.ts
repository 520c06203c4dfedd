import { describe, expect, it } from 'vitest';
import { ExactNumber, type JsonObject, type JsonValue } from '../../../src/core/json.ts';
import { findPointer } from '../../../src/policy-tools/explain/settle-selection.ts';
import type { SettlingValue } from '../../../src/policy-tools/explain/explanation.ts';
import { policyFrom } from '../../support/policy.ts';

function pointerTo(
  field: string,
  args: JsonObject | undefined,
  value: JsonValue,
  where: SettlingValue['where'] = 'value',
): string | undefined {
  const [arg] = policyFrom(`[[rule]]\naction = "deny"\ntool = "t"\n${field} = "x"\n`).rules[0]?.args ?? [];
  return findPointer(args, arg?.path ?? [], { value, where });
}

describe('the first place that a path leads to', () => {
  it.each<[field: string, args: JsonObject, value: JsonValue, pointer: string | undefined]>([
    ['args.a', { b: 'x', a: 'x' }, 'x', '/a'],
    ['args.a.b', { b: 'x', a: { c: 'x', b: 'x' } }, 'x', '/a/b'],
    ['args.a', { a: ['y', ['x']] }, 'x', '/a/1/0'],
    ['args.a.b', { a: [{ b: 'y' }, { b: 'x' }] }, 'x', '/a/1/b'],
    ['args."/a/1"', { a: ['x', 'x'] }, 'x', '/a/1'],
    ['args."**"', { 'a/~': 'x' }, 'x', '/a~1~0'],
    ['args."*"', { a: { b: 'x' }, c: 'x' }, 'x', '/c'],
    ['args.a', { A: 'x' }, 'x', '/A'],
    ['args.a', { a: new ExactNumber('1.0') }, new ExactNumber('1.0'), '/a'],
    ['args.a', { a: null }, null, '/a'],
    ['args.a', { b: 'x' }, 'x', undefined],
    ['args.a', { a: 'x' }, 'y', undefined],
  ])('%s in %j', (field, args, value, pointer) => {
    expect(pointerTo(field, args, value)).toBe(pointer);
  });

  it('to a text that is JSON, and to an object with a key', () => {
    expect(pointerTo('args."**"', { t: 'y', a: '{"b": ["x"]}' }, 'x', 'embedded')).toBe('/a');
    expect(pointerTo('args."**"', { a: { b: { k: 1 } } }, 'k', 'key')).toBe('/a/b');
    expect(pointerTo('args.a', undefined, 'x')).toBeUndefined();
  });
});
