import { ACTIONS, type Action } from '../core/decision.ts';
import { FLOW_RULES, type FlowRuleName } from '../core/flow/finding.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import { RESULT_OUTCOMES, type ResultOutcome } from './fixture-detection.ts';
import { describe, didYouMean, listed, type Origin } from './fixture-value.ts';

/** What should become of a call. What is not said is not checked. */
export interface Expectation {
  readonly expected?: Action;
  /** What should decide: a rule's id, its number from 1, a guard's name as `guardName` has it, or null for the default. */
  readonly expectedRule?: string | number | null;
  /** All that flow rules should find, whatever decides, in any order. */
  readonly expectedFlow?: readonly FlowRuleName[];
  /** What should become of a step's result. */
  readonly expectedResult?: ResultOutcome;
}

/** The keys that `readExpectation` reads; `expectedResult` besides, of a step alone. */
export const EXPECTATION_KEYS = ['expected', 'expectedRule', 'expectedFlow'] as const;

/** Reads `{"expected": "deny", "expectedRule": "keys", "expectedFlow": ["burst"], "expectedResult": "redact"}`, each of which may be missing. */
export function readExpectation(value: JsonObject, origin: Origin): Expectation {
  const expected = readAction(value['expected'], origin);
  const expectedRule = readRule(value['expectedRule'], origin);
  const expectedFlow = readFlow(value['expectedFlow'], origin);
  const expectedResult = readResultOutcome(value['expectedResult'], value['result'], origin);
  return {
    ...(expected === undefined ? {} : { expected }),
    ...(expectedRule === undefined ? {} : { expectedRule }),
    ...(expectedFlow === undefined ? {} : { expectedFlow }),
    ...(expectedResult === undefined ? {} : { expectedResult }),
  };
}

function readAction(value: JsonValue | undefined, { pointer, fail }: Origin): Action | undefined {
  const action = ACTIONS.find((known) => known === value);
  if (value === undefined || action !== undefined) return action;
  const hint = typeof value === 'string' ? didYouMean(value, ACTIONS) : undefined;
  return fail(`${pointer}/expected`, `expected "allow", "deny" or "prompt", found ${describe(value)}`, hint);
}

function readResultOutcome(
  value: JsonValue | undefined,
  result: JsonValue | undefined,
  { pointer, fail }: Origin,
): ResultOutcome | undefined {
  if (value === undefined) return undefined;
  const place = `${pointer}/expectedResult`;
  const outcome = RESULT_OUTCOMES.find((known) => known === value);
  if (outcome === undefined) {
    const hint = typeof value === 'string' ? didYouMean(value, RESULT_OUTCOMES) : undefined;
    return fail(place, `expected ${listed(RESULT_OUTCOMES)}, found ${describe(value)}`, hint);
  }
  return result === undefined
    ? fail(place, 'there is no "result" that anything could become of', 'it is for a step with one')
    : outcome;
}

function readRule(value: JsonValue | undefined, { pointer, fail }: Origin): string | number | null | undefined {
  if (value === undefined || value === null || (typeof value === 'string' && value !== '')) return value;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1) return value;
  return fail(
    `${pointer}/expectedRule`,
    `expected the id of a rule, its number from 1, or null for none, found ${describe(value)}`,
  );
}

function readFlow(value: JsonValue | undefined, { pointer, fail }: Origin): readonly FlowRuleName[] | undefined {
  if (value === undefined) return undefined;
  const place = `${pointer}/expectedFlow`;
  if (!Array.isArray(value)) return fail(place, `expected a list of flow rules, found ${describe(value)}`);
  const found = (value as readonly JsonValue[]).map((item, index) => {
    const hint = typeof item === 'string' ? didYouMean(item, FLOW_RULES) : undefined;
    const rule = FLOW_RULES.find((known) => known === item);
    return rule ?? fail(`${place}/${index}`, `expected ${listed(FLOW_RULES)}, found ${describe(item)}`, hint);
  });
  const twice = found.findIndex((rule, index) => found.indexOf(rule) < index);
  return twice === -1 ? found : fail(`${place}/${twice}`, 'this flow rule is there twice');
}
