import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PartialArgs, readPartialArgs } from '../../../../src/protocol/llm/gemini/partial-args.ts';

function assemble(...args: readonly object[]): { args: string; problem: string | undefined } | undefined {
  const text = JSON.stringify(args);
  const read = readPartialArgs(text, { start: 0, end: text.length });
  const assembled = new PartialArgs();
  for (const arg of read ?? []) assembled.add(arg);
  return read && assembled.read();
}

describe('arguments in pieces', () => {
  it('are put together', () => {
    expect(
      assemble(
        { jsonPath: '$.a', stringValue: 'one "', willContinue: true },
        { json_path: '$.a', string_value: 'two', will_continue: true },
        { jsonPath: '$.a', stringValue: '' },
        { jsonPath: '$.b.c[0].d', numberValue: 1e21 },
        { jsonPath: '$.b.c[0].e', boolValue: false },
        { jsonPath: '$.b.c[1]', nullValue: null },
        { jsonPath: '$.b.c[2]', nullValue: 'NULL_VALUE' },
        { jsonPath: '$.empty' },
        { jsonPath: '$.list[]' },
        { jsonPath: '$.__proto__.x', stringValue: 'y' },
      ),
    ).toEqual({
      args: '{"a":"one \\"two","b":{"c":[{"d":1e+21,"e":false},null,null]},"empty":{},"list":[],"__proto__":{"x":"y"}}',
      problem: undefined,
    });
    expect(new PartialArgs().read()).toEqual({ args: '{}', problem: undefined });
  });

  it('keep a number as it was sent', () => {
    const text = '[{"jsonPath":"$.n","numberValue":9007199254740993}]';
    const args = new PartialArgs();
    for (const arg of readPartialArgs(text, { start: 0, end: text.length }) ?? []) args.add(arg);
    expect(args.read().args).toBe('{"n":9007199254740993}');
  });

  it('a text that ends without a value has ended', () => {
    const begun = { jsonPath: '$.a', stringValue: 'x', willContinue: true };
    expect(assemble(begun, { jsonPath: '$.a' })).toEqual({ args: '{"a":"x"}', problem: undefined });
    expect(assemble(begun, { jsonPath: '$.a' }, { jsonPath: '$.a', stringValue: 'y' })).toMatchObject({
      problem: 'invalid_json',
    });
    expect(assemble(begun, { jsonPath: '$.a', willContinue: true }, { jsonPath: '$.a', stringValue: 'y' })).toMatchObject({
      args: '{"a":"xy"}',
      problem: undefined,
    });
  });

  it.each([
    ['a value that comes twice', { jsonPath: '$.a', stringValue: 'x' }, { jsonPath: '$.a', stringValue: 'y' }],
    ['a number after a text', { jsonPath: '$.a', stringValue: 'x', willContinue: true }, { jsonPath: '$.a', numberValue: 1 }],
    ['a text after a number', { jsonPath: '$.a', numberValue: 1 }, { jsonPath: '$.a', stringValue: 'x' }],
    ['a number that comes twice', { jsonPath: '$.a', numberValue: 1 }, { jsonPath: '$.a', numberValue: 1 }],
    ['a gap', { jsonPath: '$.a[1]', numberValue: 1 }],
    ['something within a text', { jsonPath: '$.a', stringValue: 'x' }, { jsonPath: '$.a.b', stringValue: 'y' }],
    ['a name in a list', { jsonPath: '$.a[0]', numberValue: 1 }, { jsonPath: '$.a.b', numberValue: 1 }],
    ['a number for a name', { jsonPath: '$.a.b', numberValue: 1 }, { jsonPath: '$.a[0]', numberValue: 1 }],
    ['the root', { jsonPath: '$', stringValue: 'x' }],
    ['a list for a root', { jsonPath: '$[0]', stringValue: 'x' }],
    ['a quoted name', { jsonPath: "$['a']", stringValue: 'x' }],
    ['a name that is a number', { jsonPath: '$.0', stringValue: 'x' }],
    ['a wildcard', { jsonPath: '$.*', stringValue: 'x' }],
    ['no root', { jsonPath: 'a', stringValue: 'x' }],
    ['a great depth', { jsonPath: `$${'.a'.repeat(80)}`, stringValue: 'x' }],
  ])('with %s can not be relied on', (_what, ...args) => {
    expect(assemble(...args.filter((arg) => typeof arg === 'object'))).toMatchObject({ problem: 'invalid_json' });
  });

  it.each([
    [{ stringValue: 'x' }],
    [{ jsonPath: 1, stringValue: 'x' }],
    [{ jsonPath: '$.a', stringValue: 1 }],
    [{ jsonPath: '$.a', numberValue: '1' }],
    [{ jsonPath: '$.a', boolValue: 1 }],
    [{ jsonPath: '$.a', stringValue: 'x', numberValue: 1 }],
    [{ jsonPath: '$.a', stringValue: 'x', nullValue: null }],
    [{ jsonPath: '$.a', stringValue: 'x', willContinue: 'true' }],
    [{ jsonPath: '$.a', json_path: '$.b', stringValue: 'x' }],
  ])('%j can not be read', (arg) => {
    expect(assemble(arg)).toBeUndefined();
  });

  it('that is no list can not be read', () => {
    expect(readPartialArgs('{}', { start: 0, end: 2 })).toBeUndefined();
    expect(readPartialArgs('[1]', { start: 0, end: 3 })).toBeUndefined();
  });

  it('are what they were cut from', () => {
    const leaf = fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.constant(null));
    const { value } = fc.letrec<{ value: unknown; list: unknown[]; object: Record<string, unknown> }>((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, leaf, tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 3 }),
      object: fc.dictionary(fc.constantFrom('a', 'b_c', 'é', '__proto__', 'length'), tie('value'), { maxKeys: 3 }),
    }));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('x', 'y', 'z'), value), fc.integer({ min: 1, max: 5 }), (args, size) => {
        const made = assemble(...cut('$', args, size));
        expect(made?.problem).toBeUndefined();
        expect(JSON.parse(made?.args ?? '')).toEqual(args);
      }),
    );
  });
});

function cut(path: string, value: unknown, size: number): readonly object[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return [{ jsonPath: `${path}[]` }];
    return value.flatMap((one, at) => cut(`${path}[${at}]`, one, size));
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    if (entries.length === 0 && path !== '$') return [{ jsonPath: path }];
    return entries.flatMap(([key, one]) => cut(`${path}.${key}`, one, size));
  }
  if (typeof value === 'number') return [{ jsonPath: path, numberValue: value }];
  if (typeof value === 'boolean') return [{ jsonPath: path, boolValue: value }];
  if (value === null) return [{ jsonPath: path, nullValue: null }];
  const text = String(value);
  const pieces = Array.from({ length: Math.max(1, Math.ceil(text.length / size)) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  );
  return pieces.map((piece, at) => ({
    jsonPath: path,
    stringValue: piece,
    ...(at < pieces.length - 1 ? { willContinue: true } : {}),
  }));
}
