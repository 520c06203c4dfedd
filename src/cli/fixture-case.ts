import type { Call } from '../core/call.ts';
import { ACTIONS, type Action } from '../core/decision.ts';
import { FLOW_RULES, type FlowRuleName } from '../core/flow/finding.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { FixtureContext } from './fixture-context.ts';
import { RESULT_OUTCOMES, type ResultOutcome } from './fixture-detection.ts';
import { isRequestOfServer, REQUESTS_OF_SERVERS } from './fixture-detection.ts';
import { describe, didYouMean, type Fail, listed, type Origin } from './fixture-value.ts';

/** One case for a policy: a call, and what should become of it. */
export interface Fixture extends Expectation {
  readonly file: string;
  /** For people: the fixture's own `name`, else its file's, with its number where the file holds several. */
  readonly name: string;
  readonly call: Call;
  /** What is known besides the call. */
  readonly context?: FixtureContext;
  /** Where it is one of several steps: its place among them. */
  readonly step?: FixtureStep;
}

/** One call of several in a session. */
export interface FixtureStep {
  /** From 1. */
  readonly number: number;
  readonly isLast: boolean;
  /** The same object for all steps of a session. */
  readonly session: SessionSetup;
  /** Milliseconds from the start of the session. */
  readonly at: number;
  /** The answer of the model that it comes from. */
  readonly turn: string | undefined;
  /** What the server answers: the result, or its text. */
  readonly result: string | JsonObject | undefined;
  /** Who is asked says yes. */
  readonly isApproved: boolean;
  /** It is taken back after it was decided. */
  readonly isRetracted: boolean;
}

/** What there is in a session before its first call. */
export interface SessionSetup {
  /** Names of tools by their server, in the order in which they were listed. */
  readonly tools: ReadonlyMap<string, readonly string[]>;
  /** The servers that are connected. */
  readonly servers: ReadonlySet<string>;
}

/** What should become of a call. What is not said is not checked. */
export interface Expectation {
  readonly expected?: Action;
  /** What should decide: a rule's id, its number from 1, a guard's name as `guardName` has it, or null for the default. */
  readonly expectedRule?: string | number | null;
  /** All that flow rules should find, whatever decides, in any order. */
  readonly expectedFlow?: readonly FlowRuleName[];
  /** What should become of a step's result. */
  readonly expectedResult?: ResultOutcome;
  /** What should become of what a server asks for itself. */
  readonly expectedRequest?: ResultOutcome;
}

/** Is anything said of what should become of a call? Without that, nothing it comes to is wrong. */
export function expectsSomething({
  expected,
  expectedRule,
  expectedFlow,
  expectedResult,
  expectedRequest,
}: Expectation): boolean {
  return [expected, expectedRule, expectedFlow, expectedResult, expectedRequest].some((each) => each !== undefined);
}

/** The keys that `readExpectation` reads; `expectedResult` besides, of a step alone. */
export const EXPECTATION_KEYS = ['expected', 'expectedRule', 'expectedFlow', 'expectedRequest'] as const;

/** Reads `{"expected": "deny", "expectedRule": "keys", "expectedFlow": ["burst"], "expectedResult": "redact", "expectedRequest": "deny"}`, each of which may be missing. */
export function readExpectation(value: JsonObject, origin: Origin): Expectation {
  const expected = readAction(value['expected'], origin);
  const expectedRule = readRule(value['expectedRule'], origin);
  const expectedFlow = readFlow(value['expectedFlow'], origin);
  const expectedResult = readResultOutcome(value['expectedResult'], value['result'], origin);
  const expectedRequest = readRequestOutcome(value['expectedRequest'], value['method'], origin);
  return {
    ...(expected === undefined ? {} : { expected }),
    ...(expectedRule === undefined ? {} : { expectedRule }),
    ...(expectedFlow === undefined ? {} : { expectedFlow }),
    ...(expectedResult === undefined ? {} : { expectedResult }),
    ...(expectedRequest === undefined ? {} : { expectedRequest }),
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
  const place = `${pointer}/expectedResult`;
  const outcome = readOutcome(value, place, fail);
  return outcome !== undefined && result === undefined
    ? fail(place, 'there is no "result" that anything could become of', 'it is for a step with one')
    : outcome;
}

function readRequestOutcome(
  value: JsonValue | undefined,
  method: JsonValue | undefined,
  { pointer, fail }: Origin,
): ResultOutcome | undefined {
  const place = `${pointer}/expectedRequest`;
  const outcome = readOutcome(value, place, fail);
  if (outcome === undefined || (typeof method === 'string' && isRequestOfServer({ method }))) return outcome;
  return fail(place, 'this is no request of a server', `it is for ${listed(REQUESTS_OF_SERVERS)}`);
}

function readOutcome(value: JsonValue | undefined, place: string, fail: Fail): ResultOutcome | undefined {
  const outcome = RESULT_OUTCOMES.find((known) => known === value);
  if (value === undefined || outcome !== undefined) return outcome;
  const hint = typeof value === 'string' ? didYouMean(value, RESULT_OUTCOMES) : undefined;
  return fail(place, `expected ${listed(RESULT_OUTCOMES)}, found ${describe(value)}`, hint);
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
