import { describe, expect, it } from 'vitest';
import { redactJson } from '../../../../src/core/dlp/redact-json.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../../../src/core/json.ts';
import { findUnknownValues, isRedacted } from '../../../../src/cli/policy/replay/unknown-values.ts';

function recorded(args: JsonObject): { readonly args: JsonObject; readonly cuts: readonly string[] } {
  const { json, cuts } = redactJson(args);
  const value = parseJson(json);
  if (!isJsonObject(value)) throw new Error(json);
  return { args: value, cuts: [...cuts] };
}

describe('findUnknownValues', () => {
  it.each<[string, JsonObject, { isOpen: boolean } | undefined]>([
    ['nothing', { path: '/etc/hosts', count: 5, list: [1, { a: null }] }, undefined],
    ['a secret by its name', { password: 'hunter2' }, { isOpen: false }],
    ['a secret by its form', { note: `see ghp_${'a1B2c3'.repeat(6)}` }, { isOpen: false }],
    ['a long text', { note: 'long '.repeat(1000) }, { isOpen: false }],
    ['many members', Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`k${at}`, at])), { isOpen: true }],
    ['a long list', { list: Array.from({ length: 300 }, () => 1) }, { isOpen: true }],
    ['a secret as a name', { [`ghp_${'a1B2c3'.repeat(6)}`]: 1 }, { isOpen: true }],
    ['what only looks like a cut', { note: '…(3 more)' }, undefined],
  ])('finds %s', (_, args, expected) => {
    const { args: seen, cuts } = recorded(args);
    const found = findUnknownValues(seen, cuts);
    expect(found && { isOpen: found.isOpen }).toEqual(expected);
    for (const reported of [found, findUnknownValues(seen, undefined)])
      if (reported !== undefined) expect(reported.isUnknown(seen)).toBe(true);
  });

  it('takes everything for unknown where something was cut and nothing shows what', () => {
    expect(findUnknownValues({ a: 'b' }, ['too_large'])).toMatchObject({ isOpen: true });
    expect(findUnknownValues({ a: 'x…(3 more)' }, ['a_reason_of_a_later_version'])).toMatchObject({ isOpen: true });
    expect(findUnknownValues(undefined, ['too_large'])).toMatchObject({ isOpen: true });
    expect(findUnknownValues(undefined, [])).toBeUndefined();
  });

  it('takes what looks like a cut for one where the record does not say', () => {
    expect(findUnknownValues({ note: 'ab…(3 more)' }, undefined)).toMatchObject({ isOpen: true });
    expect(findUnknownValues({ note: '[redacted:password]' }, undefined)).toMatchObject({ isOpen: false });
    expect(findUnknownValues({ note: 'ab… (3 more)' }, undefined)).toBeUndefined();
    expect(findUnknownValues(undefined, undefined)).toBeUndefined();
  });
});

it('isRedacted knows every mark', () => {
  expect(['[redacted:github_token]', 'a [redacted:api-key] b'].map(isRedacted)).toEqual([true, true]);
  expect(['', '[redacted]', '[redacted:]', 'redacted:x'].map(isRedacted)).toEqual([false, false, false, false]);
});
