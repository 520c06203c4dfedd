import type { Call } from '../../../core/call.ts';
import { type CompiledPolicy, compilePolicy, createRecompiler } from '../../../core/match/compile.ts';
import type { CompiledRule } from '../../../core/match/compiled-policy.ts';
import { createEvaluated, type Evaluated, evaluateRule, matchesNames, type Outcome } from '../../../core/match/evaluate.ts';
import { createLocator } from '../../../core/policy/locate.ts';
import type { Policy } from '../../../core/policy/tables.ts';
import { readTomlLayout } from '../../../core/policy/toml-layout.ts';
import { createEquivalence } from '../../../policy-tools/mutate/create-equivalence.ts';
import { describeNeed, type Mutant } from '../../../policy-tools/mutate/mutant.ts';
import { createMutants } from '../../../policy-tools/mutate/mutations.ts';
import { Progress } from '../../terminal/notes.ts';
import { expectsSomething, type Fixture, type SessionSetup } from '../fixtures/fixture-case.ts';
import { isRequestOfServer } from '../fixtures/fixture-detection.ts';
import { FIXTURE_PATHS, FixtureSession } from '../fixtures/fixture-session.ts';
import { type Comparing, type Mutation, type TestResult, toResult } from './test-report.ts';

/** Counts of a policy's mutants, and those that survived. */
interface MutantsOutcome {
  /** Mutants that some fixture noticed by not coming out as expected. */
  readonly killed: number;
  /** Mutants that no fixture could tell from the policy, so they do not count. */
  readonly equivalent: number;
  /** Mutants that no fixture noticed. */
  readonly survivors: readonly Mutant[];
}

interface MutationOptions extends Comparing {
  /** Receives how many mutants are done, and how many there are. */
  readonly onProgress?: (done: number, of: number) => void;
}

/**
 * Decides fixtures, all of which the policy passes, with every mutant of it, until one fails. A fixture is only decided again where the
 * rule that was changed could matter to it, and what has noticed the mutant before is asked first: it mostly notices the next one too. Pure.
 */
export function mutatePolicy(
  policy: Policy,
  fixtures: readonly Fixture[],
  { onProgress = () => undefined, ...comparing }: MutationOptions = {},
): MutantsOutcome {
  const compiled = compilePolicy(policy);
  const recompile = createRecompiler(compiled);
  const suites = toSuites(compiled, fixtures).filter(
    (suite) => comparing.expect !== undefined || suite.fixtures.some(expectsSomething),
  );
  const isEquivalent = createEquivalence(policy);
  const mutants = createMutants(policy).filter((mutant) => comparing.isProject !== true || canBeProjects(mutant));
  /** The order in which suites are tried, by the place of the changed rule; -1 for all other changes. */
  const orders = new Map<number, Suite[]>();
  const survivors: Mutant[] = [];
  let killed = 0;
  let equivalent = 0;
  for (const [index, mutant] of mutants.entries()) {
    onProgress(index, mutants.length);
    const place = mutant.rule ?? mutant.swapped ?? -1;
    const order = orders.get(place) ?? [...suites];
    orders.set(place, order);
    const changed = recompile(mutant.policy);
    const at = order.findIndex(
      (suite) => canTouch(suite, { mutant, compiled, changed }) && fails(suite, changed, { mutant, comparing }),
    );
    if (at >= 0) {
      killed += 1;
      order.unshift(...order.splice(at, 1));
    } else if (isEquivalent(mutant)) equivalent += 1;
    else survivors.push(mutant);
  }
  return { killed, equivalent, survivors };
}

/** Tells whether a mutant could be a project's policy, whose rules allow nothing. */
function canBeProjects({ policy }: Mutant): boolean {
  return policy.rules.every(({ action }) => action !== 'allow');
}

interface Asked {
  readonly mutant: Mutant;
  readonly comparing: Comparing;
}

/** Tells whether any fixture of a suite does not come out as expected. */
function fails({ fixtures, session: setup }: Suite, policy: CompiledPolicy, { mutant, comparing }: Asked): boolean {
  const session = new FixtureSession({ policy }, setup);
  return fixtures.some((fixture) => {
    const decided = session.decide(fixture);
    return !toResult(fixture, { ...decided, decision: withOwnNumber(decided.decision, mutant) }, comparing).ok;
  });
}

/** Restores the numbers of swapped rules in the file, since fixtures may name rules by them. */
function withOwnNumber(decision: TestResult['decision'], { swapped }: Mutant): TestResult['decision'] {
  const { rule } = decision;
  if (swapped === undefined || rule === undefined || (rule.index !== swapped && rule.index !== swapped + 1)) return decision;
  return { ...decision, rule: { ...rule, index: rule.index === swapped ? swapped + 1 : swapped } };
}

/**
 * Tries every mutant of a policy on fixtures that the policy passes, says how far it is, and places those that no fixture notices.
 */
export function testMutants(policy: Policy, fixtures: readonly Fixture[], comparing: Comparing): Mutation {
  let progress: Progress | undefined;
  const { killed, equivalent, survivors } = mutatePolicy(policy, fixtures, {
    ...comparing,
    onProgress: (done, of) => (progress ??= new Progress('mutants', of)).show(done),
  });
  progress?.end();
  const { nearest: placeOf } = createLocator(readTomlLayout(policy.text));
  const placed = survivors.map((mutant) => {
    const { id, kind, what, path } = mutant;
    return { id, kind, change: what, need: describeNeed(mutant), ...placeOf(path) };
  });
  return { killed, equivalent, survivors: placed.toSorted((a, b) => a.line - b.line || a.column - b.column) };
}

/** Fixtures that are decided in one session: the steps of one, or a single one. */
interface Suite {
  readonly fixtures: readonly Fixture[];
  readonly session: SessionSetup | undefined;
  /** The fixtures' calls as rules see them. */
  readonly probes: readonly Probe[];
}

/** A call, as rules see it. What they ask of it is worked out once, however many mutants ask. */
interface Probe {
  readonly evaluated: Evaluated;
  /** The index of the first rule that does not miss, and its outcome; behind the last rule if all miss. */
  readonly first: number;
  readonly outcome: Outcome;
  /** True if rules may see another call: a method it amounts to, or a request after redaction. */
  readonly isDouble: boolean;
}

/** Groups fixtures by session. */
function toSuites(policy: CompiledPolicy, fixtures: readonly Fixture[]): readonly Suite[] {
  const groups = Map.groupBy(fixtures, (fixture) => fixture.step?.session ?? fixture);
  return [...groups.values()].map((group) => ({
    fixtures: group,
    session: group[0]?.step?.session,
    probes: group.map((fixture) => toProbe(policy, fixture)),
  }));
}

interface Changed {
  readonly mutant: Mutant;
  readonly compiled: CompiledPolicy;
  readonly changed: CompiledPolicy;
}

/**
 * Could a mutant matter to any call of a suite? Where one rule was changed, only to one that comes as far as that rule, and of which it says
 * something else now. False is certain.
 */
function canTouch({ probes }: Suite, { mutant, compiled, changed }: Changed): boolean {
  const { rule: place, swapped } = mutant;
  if (swapped !== undefined) return probes.some(({ first, isDouble }) => isDouble || first === swapped || first === swapped + 1);
  if (place === undefined) return true;
  const rule = mutant.isDropped === true ? undefined : changed.rules[place];
  const isSameAction = rule?.rule.action === compiled.rules[place]?.rule.action;
  return probes.some(({ evaluated, first, outcome, isDouble }) => {
    if (isDouble) return true;
    if (first < place) return false;
    const before = first === place ? outcome : 'miss';
    const after = rule === undefined ? 'miss' : outcomeOf(rule, evaluated);
    return after !== before || (after !== 'miss' && !isSameAction);
  });
}

function toProbe(policy: CompiledPolicy, { call: written, context = {} }: Fixture): Probe {
  const call: Call = context.isUnmapped === true ? { ...written, origin: 'unmapped' } : written;
  const { registry, categories } = context;
  const known = {
    policy,
    ...(registry === undefined ? {} : { registry }),
    ...(categories === undefined ? {} : { categories }),
  };
  const evaluated = createEvaluated(call, { ...known, paths: FIXTURE_PATHS, realPaths: new Map() });
  const outcomes = policy.rules.map((rule) => outcomeOf(rule, evaluated));
  const found = outcomes.findIndex((outcome) => outcome !== 'miss');
  const first = found === -1 ? policy.rules.length : found;
  return { evaluated, first, outcome: outcomes[first] ?? 'miss', isDouble: call.like !== undefined || isRequestOfServer(call) };
}

function outcomeOf(rule: CompiledRule, evaluated: Evaluated): Outcome {
  const { call } = evaluated;
  if (call.origin === 'native' && !rule.coversNative) return 'miss';
  if (!matchesNames(rule, call)) return 'miss';
  return rule.isSettled ? 'match' : evaluateRule(rule, evaluated);
}
