import { describe, expect, it } from 'vitest';
import type { Flow } from '../../../src/core/policy/parse-flow.ts';
import { parsePolicy } from '../../../src/core/policy/parse.ts';
import type { PolicyError } from '../../../src/core/policy/types.ts';
import { policyErrors } from '../../support/policy-errors.ts';
import { policyFrom } from '../../support/policy.ts';

function errorsOf(text: string, isProject = false): readonly PolicyError[] {
  const result = parsePolicy(text, { file: 'p.toml', isProject });
  return !result.ok && 'errors' in result ? result.errors : [];
}

function actions({ readThenSend, crossServerFlow, burst, shadowTool }: Flow): string {
  return [readThenSend, crossServerFlow, burst, shadowTool].map(({ action }) => action).join(' ');
}

const USUAL = policyFrom('').flow;
const { readThenSend, crossServerFlow, burst, shadowTool } = USUAL;

describe('[flow]', () => {
  it('hazard 42: enabled and nothing else has every rule on but steered_call', () => {
    const on: Flow = {
      enabled: true,
      trusted: [],
      known: [],
      readThenSend: { enabled: true, action: 'alert', window: 30_000, evidence: 'category' },
      crossServerFlow: { enabled: true, action: 'alert', window: 30_000, sameTurnOnly: true, evidence: 'category' },
      steeredCall: { enabled: false, action: 'alert', window: 3_600_000 },
      burst: { enabled: true, action: 'alert', maxCalls: 10, window: 5000 },
      shadowTool: { enabled: true, action: 'deny' },
    };
    for (const text of ['', '[flow]', '[flow]\nenabled = true']) expect(policyFrom(text).flow).toEqual(on);
  });

  it.each<[string, Partial<Flow>]>([
    ['enabled = false', { enabled: false }],
    ['burst = {}', {}],
    ['burst = { enabled = false }', { burst: { ...burst, enabled: false } }],
    ['burst = { max_calls = 3, window = "1m" }', { burst: { ...burst, maxCalls: 3, window: 60_000 } }],
    ['burst = { max_calls = 1, window = "1s" }', { burst: { ...burst, maxCalls: 1, window: 1000 } }],
    ['burst = { max_calls = 999, window = "1h" }', { burst: { ...burst, maxCalls: 999, window: 3_600_000 } }],
    [
      'read_then_send = { window = "2m", evidence = "value", action = "deny" }',
      { readThenSend: { enabled: true, action: 'deny', window: 120_000, evidence: 'value' } },
    ],
    ['read_then_send = { enabled = false }', { readThenSend: { ...readThenSend, enabled: false } }],
    [
      '[flow.cross_server_flow]\nsame_turn_only = false\nwindow = "1500ms"\nevidence = "category"\naction = "prompt"',
      { crossServerFlow: { enabled: true, action: 'prompt', window: 1500, sameTurnOnly: false, evidence: 'category' } },
    ],
    ['cross_server_flow.enabled = false', { crossServerFlow: { ...crossServerFlow, enabled: false } }],
    ['shadow_tool = { action = "alert" }', { shadowTool: { ...shadowTool, action: 'alert' } }],
    ['shadow_tool.enabled = false', { shadowTool: { enabled: false, action: 'deny' } }],
  ])('%j', (lines, expected) => {
    expect(policyFrom(`[flow]\n${lines}`).flow).toEqual({ ...USUAL, ...expected });
  });

  it.each([
    ['', 'alert alert alert deny'],
    ['action = "deny"', 'deny deny deny deny'],
    ['action = "prompt"', 'prompt prompt prompt deny'],
    ['action = "alert"', 'alert alert alert deny'],
    ['action = "deny"\nburst = { action = "alert" }', 'deny deny alert deny'],
    ['action = "deny"\nread_then_send = { enabled = false }', 'deny deny deny deny'],
    ['action = "deny"\nshadow_tool = { action = "prompt" }', 'deny deny deny prompt'],
  ])('whose action it is: %j, %s', (lines, expected) => {
    expect(actions(policyFrom(`[flow]\n${lines}`).flow)).toBe(expected);
  });

  it.each([
    ['flow = true', /^flow: flow must be a table, not a boolean/],
    ['[flow]\nenabled = "true"', /^flow.enabled: .*must be true or false/],
    ['[flow]\naction = true', /^flow.action: flow.action must be "alert" or "prompt" or "deny", not a boolean/],
    ['[flow]\nburst.enabled = 1', /^flow.burst.enabled: flow.burst.enabled must be true or false/],
    ['[flow]\nburst.max_calls = "10"', /^flow.burst.max_calls: .*must be an integer, not a string/],
    ['[flow]\nburst.max_calls = 1.5', /^flow.burst.max_calls: .*must be an integer, not a number/],
    ['[flow]\nburst.max_calls = inf', /^flow.burst.max_calls: .*must be an integer/],
    ['[flow]\nburst.max_calls = 0', /^flow.burst.max_calls: .*at least 1 and at most 999/],
    ['[flow]\nburst.max_calls = 1000', /^flow.burst.max_calls: .*at least 1 and at most 999/],
    ['[flow]\nburst.max_calls = 9223372036854775807', /^flow.burst.max_calls: .*at most 999/],
    ['[flow]\nburst.window = 5', /^flow.burst.window: .*must be a duration like "30s", not an integer/],
    ['[flow]\nburst.window = "999ms"', /^flow.burst.window: .*at least 1s and at most 1h/],
    ['[flow]\nread_then_send.window = "61m"', /^flow.read_then_send.window: .*at least 1s and at most 1h/],
    ['[flow]\ncross_server_flow.window = "soon"', /^flow.cross_server_flow.window: "soon" is no duration/],
    ['[flow]\ncross_server_flow.same_turn_only = "no"', /^flow.cross_server_flow.same_turn_only: .*true or false/],
    ['[flow]\nread_then_send.evidence = ["value"]', /^flow.read_then_send.evidence: .*"category" or "value", not a list/],
    ['[flow]\nshadow_tool.window = "5s"', /^flow.shadow_tool.window: unknown key "window" in flow.shadow_tool/],
    ['[flow]\nread_then_send.max_calls = 5', /^flow.read_then_send.max_calls: unknown key/],
    ['[flow]\nburst.same_turn_only = true', /^flow.burst.same_turn_only: unknown key/],
    ['[[flow]]\nenabled = true', /^flow: flow must be a table, not a list/],
  ])('%j is refused', (text, message) => {
    expect(policyErrors(text)).toEqual([expect.stringMatching(message)]);
  });

  it.each([
    ['[flow]\nenable = true', 'did you mean "enabled"?'],
    ['[flow]\nread_than_send = {}', 'did you mean "read_then_send"?'],
    ['[flow]\ncrossserverflow = {}', 'did you mean "cross_server_flow"?'],
    ['[flow]\nburst = { maxcalls = 5 }', 'did you mean "max_calls"?'],
    ['[flow]\ncross_server_flow = { same_turn_onyl = true }', 'did you mean "same_turn_only"?'],
    ['[flow]\naction = "alrt"', 'did you mean "alert"?'],
    ['[flow]\naction = "block"', 'it is one of: alert, prompt, deny'],
    ['[flow]\naction = "allow"', 'it is one of: alert, prompt, deny'],
    ['[flow]\nshadow_tool.action = "dney"', 'did you mean "deny"?'],
    ['[flow]\nread_then_send.evidence = "values"', 'did you mean "value"?'],
    ['[flow]\nburst.window = "5S"', 'did you mean "s"?'],
  ])('%j is refused, and the person is helped', (text, hint) => {
    expect(errorsOf(text)).toEqual([expect.objectContaining({ hint })]);
  });

  it.each(['read_then_send', 'cross_server_flow', 'burst', 'shadow_tool'])('%s is no switch', (rule) => {
    for (const value of ['true', 'false']) {
      expect(errorsOf(`[flow]\n${rule} = ${value}`)).toEqual([
        {
          path: ['flow', rule],
          message: `flow.${rule} must be a table, not a boolean`,
          hint: `write it like ${rule} = { enabled = false }`,
        },
      ]);
    }
  });

  it('says everything at once', () => {
    const text = '[flow]\naction = "x"\nburst = { max_calls = 0, window = "0s" }\nshadow_tool = 1';
    expect(errorsOf(text).map(({ path }) => path.join('.'))).toEqual([
      'flow.action',
      'flow.burst.max_calls',
      'flow.burst.window',
      'flow.shadow_tool',
    ]);
  });

  it("does not belong in a project's policy", () => {
    expect(errorsOf('[flow]\nenabled = false', true)).toEqual([
      { path: ['flow'], message: `"flow" does not belong in a project's policy`, hint: expect.any(String) },
    ]);
  });
});
