import { describe, expect, it } from 'vitest';
import { DEFAULT_PINNING } from '../../../src/core/policy/parse-settings.ts';
import { policyErrors } from '../../support/policy-errors.ts';
import { policyFrom } from '../../support/policy.ts';

describe('[pinning]', () => {
  it.each([
    ['', { enabled: true, trustFirstUse: true, onChange: 'deny' }],
    ['[pinning]', DEFAULT_PINNING],
    ['[pinning]\nenabled = false', { ...DEFAULT_PINNING, enabled: false }],
    ['[pinning]\ntrust_first_use = false\non_change = "hide"', { enabled: true, trustFirstUse: false, onChange: 'hide' }],
    ['[pinning]\non_change = "prompt"', { ...DEFAULT_PINNING, onChange: 'prompt' }],
    ['[pinning]\non_change = "alert"', { ...DEFAULT_PINNING, onChange: 'alert' }],
  ])('%j', (text, expected) => {
    expect(policyFrom(text).pinning).toEqual(expected);
  });

  it.each([
    ['pinning = true', /^pinning: pinning must be a table/],
    ['[pinning]\nenable = true', /^pinning.enable: unknown key "enable"/],
    ['[pinning]\nenabled = "true"', /^pinning.enabled: .*must be true or false/],
    ['[pinning]\ntrust_first_use = 1', /^pinning.trust_first_use: .*must be true or false/],
    ['[pinning]\non_change = "block"', /^pinning.on_change: unknown action "block"/],
    ['[pinning]\non_change = false', /^pinning.on_change: .*must be "deny", "hide", "prompt" or "alert"/],
  ])('%j is refused', (text, message) => {
    expect(policyErrors(text)).toEqual([expect.stringMatching(message)]);
  });
});
