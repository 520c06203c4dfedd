import type { Call } from '../../../core/call.ts';
import type { CompiledPolicy } from '../../../core/policy/compile.ts';
import type { CompiledRule } from '../../../core/policy/compiled-policy.ts';
import { createEvaluated, evaluateRule, matchesNames, type Evaluated, type Outcome } from '../../../core/policy/evaluate.ts';
import type { Mutant } from '../../../core/policy/mutate/mutant.ts';
import type { Fixture, SessionSetup } from '../fixtures/fixture-case.ts';
import { isRequestOfServer } from '../fixtures/fixture-detection.ts';
import { FIXTURE_PATHS } from '../fixtures/fixture-session.ts';

/** Fixtures that are decided in one session: the steps of one, or a single one. */
export interface Suite {
  readonly fixtures: readonly Fixture[];
  readonly session: SessionSetup | undefined;
  /** What each of them is to the rules. */
  readonly probes: readonly Probe[];
}

/** A call, as rules see it. What they ask of it is worked out once, however many mutants ask. */
interface Probe {
  readonly evaluated: Evaluated;
  /** The place of the first rule that takes it, and whether it matches; that behind the last one where none does. */
  readonly first: number;
  readonly outcome: Outcome;
  /** The call is read as another one where no rule is about it, or where something is taken out of it before. */
  readonly isDouble: boolean;
}

/** The fixtures, those of one session together. */
export function toSuites(policy: CompiledPolicy, fixtures: readonly Fixture[]): readonly Suite[] {
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
export function canTouch({ probes }: Suite, { mutant, compiled, changed }: Changed): boolean {
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
