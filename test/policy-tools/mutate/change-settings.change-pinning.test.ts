import { expect, it } from 'vitest';
import { changePinning } from '../../../src/policy-tools/mutate/change-settings.ts';
import { changesIn } from '../../support/mutants.ts';

const OFF = 'pinning.enabled: enabled = false in [pinning]';
const to = (action: string): string => `pinning.on_change: on_change = "${action}" in [pinning]`;
const FIRST = 'pinning.trust_first_use: trust_first_use = false in [pinning]';

it.each<[string, readonly string[]]>([
  ['', []],
  ['[pinning]\non_change = "deny"', [OFF, to('prompt'), to('alert'), FIRST]],
  // No fixture sees what is hidden, and denied it is all the same.
  ['[pinning]\non_change = "hide"', [OFF, to('prompt'), to('alert'), FIRST]],
  // On or off, and whatever is new: it decides nothing.
  ['[pinning]\non_change = "alert"', [to('deny'), to('prompt')]],
  ['[pinning]\nenabled = false', ['pinning.enabled: enabled = true in [pinning]']],
  ['[pinning]\nenabled = false\non_change = "alert"', []],
])('%j', (text, expected) => {
  expect(changesIn(changePinning, text)).toEqual(expected);
});
