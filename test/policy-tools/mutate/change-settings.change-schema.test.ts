import { expect, it } from 'vitest';
import { changeSchema } from '../../../src/policy-tools/mutate/change-settings.ts';
import { changesIn } from '../../support/mutants.ts';

it.each<[string, readonly string[]]>([
  ['', []],
  ['[schema]\nenabled = false', []],
  [
    '[schema]\non_mismatch = "deny"',
    [
      'schema.enabled: enabled = false in [schema]',
      'schema.on_mismatch: on_mismatch = "alert" in [schema]',
      'schema.on_mismatch: on_mismatch = "prompt" in [schema]',
      'schema.unknown_arguments: unknown_arguments = "mismatch" in [schema]',
    ],
  ],
])('%j', (text, expected) => {
  expect(changesIn(changeSchema, text)).toEqual(expected);
});
