import { expect, it } from 'vitest';
import { changeDefaults } from '../../../src/policy-tools/mutate/change-settings.ts';
import { changesIn } from '../../support/mutants.ts';

it.each<[string, readonly string[]]>([
  ['', ['defaults.action: action = "allow" in [defaults]', 'defaults.action: action = "prompt" in [defaults]']],
  [
    '[defaults]\naction = "allow"\nunknown_methods = "deny"\nunknown_server = "allow"\nnative = "deny"\nunmapped_tool = "deny"',
    [
      'defaults.action: action = "deny" in [defaults]',
      'defaults.action: action = "prompt" in [defaults]',
      'defaults.unknown_methods: unknown_methods = "allow" in [defaults]',
      'defaults.unknown_server: unknown_server = "deny" in [defaults]',
      'defaults.native: native = "allow" in [defaults]',
      'defaults.unmapped_tool: unmapped_tool = "allow" in [defaults]',
    ],
  ],
])('%j: what is not said is not changed, but for the action', (text, expected) => {
  expect(changesIn(changeDefaults, text)).toEqual(expected);
});
