import { expect, it } from 'vitest';
import { linesOfRules } from '../../../src/cli/policy/edit-policy.ts';

it.each([
  ['[[rule]]\n\n[[rule]]\n', [1, 3]],
  ['a = 1\n[["rule"]]\nb = 1\n[[rule]]\n', [2, 4]],
  ['rule = [\n  { action = "deny" },\n  { action = "deny" },\n]\n', [2, 3]],
])('%j', async (text, lines) => {
  expect(await linesOfRules(text, lines.length)).toEqual(lines);
});
