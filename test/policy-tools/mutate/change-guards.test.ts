import { expect, it } from 'vitest';
import { changeFlow } from '../../../src/policy-tools/mutate/change-guards.ts';
import { changesIn } from '../../support/mutants.ts';

it('nothing where the policy does not speak of flow, and on again where it is off', () => {
  expect(changesIn(changeFlow, '')).toEqual([]);
  expect(changesIn(changeFlow, '[flow]\nenabled = false')).toEqual(['flow.enabled: enabled = true in [flow]']);
});

it('each rule off, with the other actions, and with other settings', () => {
  const rules =
    'cross_server_flow = { enabled = false }\nread_then_send = { enabled = false }\nshadow_tool = { action = "deny" }';
  expect(changesIn(changeFlow, `[flow]\naction = "alert"\n${rules}`)).toEqual([
    'flow.read_then_send.enabled: read_then_send: enabled = true',
    'flow.cross_server_flow.enabled: cross_server_flow: enabled = true',
    'flow.steered_call.enabled: steered_call: enabled = true',
    'flow.burst.enabled: burst: enabled = false',
    'flow.action: burst: action = "prompt" for "alert"',
    'flow.action: burst: action = "deny" for "alert"',
    'flow.burst.window: burst: window = "2500ms" for "5s"',
    'flow.burst.window: burst: window = "10s" for "5s"',
    'flow.burst.max_calls: burst: max_calls = 9 for 10',
    'flow.burst.max_calls: burst: max_calls = 11 for 10',
    'flow.shadow_tool.enabled: shadow_tool: enabled = false',
    'flow.shadow_tool.action: shadow_tool: action = "alert" for "deny"',
    'flow.shadow_tool.action: shadow_tool: action = "prompt" for "deny"',
  ]);
});

it('no number that a policy may not have', () => {
  const found = changesIn(changeFlow, '[flow]\nburst = { max_calls = 1, window = "1s" }\nsteered_call = { enabled = true }');
  expect(found.filter((each) => /(?:burst|steered_call): (?:window|max_calls)/.test(each))).toEqual([
    'flow.steered_call.window: steered_call: window = "30m" for "1h"',
    'flow.burst.window: burst: window = "2s" for "1s"',
    'flow.burst.max_calls: burst: max_calls = 2 for 1',
  ]);
});

it('what the two rules on values ask for', () => {
  const text = '[flow]\nread_then_send = { evidence = "value" }';
  const found = changesIn(changeFlow, text).filter((each) => /evidence|same_turn/.test(each));
  expect(found).toEqual([
    'flow.read_then_send.evidence: read_then_send: evidence = "category"',
    'flow.cross_server_flow.same_turn_only: cross_server_flow: same_turn_only = false',
    'flow.cross_server_flow.evidence: cross_server_flow: evidence = "value"',
  ]);
});
