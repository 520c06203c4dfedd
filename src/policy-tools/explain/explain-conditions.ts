import { argsOf, type Call } from '../../core/call.ts';
import type { CompiledConditions, CompiledRule } from '../../core/match/compiled-policy.ts';
import { type Evaluated, hasNul, matchesField, selectOne } from '../../core/match/evaluate.ts';
import { matchesSelection } from '../../core/match/match.ts';
import { matchesSubject } from '../../core/match/subject.ts';
import { argField } from '../arg-path.ts';
import { asksOf } from './test-value.ts';
import type { ConditionAccount, NameField } from './explanation.ts';
import { settleSelection } from './settle-selection.ts';

/** The fields that are about names. */
export const NAME_FIELDS = ['method', 'server', 'tool', 'prompt'] as const;

/** Each condition of a rule or of its exception, by itself: all of them, also those that evaluating would not have come to. */
export function explainConditions(conditions: CompiledConditions, of: Evaluated): readonly ConditionAccount[] {
  return [
    ...explainNames(conditions, of),
    ...explainResource(conditions, of),
    ...explainArgs(conditions, of),
    ...explainSubject(conditions, of),
  ];
}

/** Counts the conditions of a rule beyond its names that do not hold, up to `most`. */
export function countMisses(conditions: CompiledConditions, of: Evaluated, most: number): number {
  const { resource, args, mode } = conditions;
  const { call, context } = of;
  let misses = 0;
  if (resource !== undefined) {
    const uri = call.resource === undefined ? undefined : selectOne(call.resource);
    if (uri === undefined || !matchesSelection(resource.matcher, uri, { mode, context })) misses += 1;
  }
  for (const arg of args) {
    if (misses >= most) return misses;
    if (!matchesSelection(arg.matcher, context.select(arg.path), { mode, context })) misses += 1;
  }
  for (const part of subjectParts(conditions)) if (misses < most && !matchesSubject(part, of.subject)) misses += 1;
  return misses;
}

function explainNames(conditions: CompiledConditions, { call, context }: Evaluated): ConditionAccount[] {
  return NAME_FIELDS.flatMap((field) => {
    const matcher = conditions[field];
    if (matcher === undefined) return [];
    const name = call[field];
    const asks = asksOf(matcher, context.paths);
    return [{ field, holds: matchesField(matcher, name), mode: conditions.mode, because: { kind: 'name', name, asks } as const }];
  });
}

function explainResource({ resource, mode }: CompiledConditions, { call, context }: Evaluated): ConditionAccount[] {
  if (resource === undefined) return [];
  const field = 'resource';
  if (call.resource === undefined) return [{ field, holds: false, mode, because: { kind: 'absent' } }];
  const uri = selectOne(call.resource);
  if (hasNul(resource, uri, { mode, context })) return [{ field, holds: false, mode, because: { kind: 'nul' } }];
  const holds = matchesSelection(resource.matcher, uri, { mode, context });
  const because = settleSelection(resource.matcher, uri, { mode, context, holds, args: undefined, path: undefined });
  return [{ field, holds, mode, because }];
}

function explainArgs({ args, mode }: CompiledConditions, { call, context }: Evaluated): ConditionAccount[] {
  return args.map((arg): ConditionAccount => {
    const field = argField(arg.path);
    const selection = context.select(arg.path);
    if (hasNul(arg, selection, { mode, context })) return { field, holds: false, mode, because: { kind: 'nul' } };
    const holds = matchesSelection(arg.matcher, selection, { mode, context });
    const because = settleSelection(arg.matcher, selection, { mode, context, holds, args: argsOf(call), path: arg.path });
    return { field, holds, mode, because };
  });
}

function explainSubject(conditions: CompiledConditions, { subject }: Evaluated): ConditionAccount[] {
  const { mode, categories, fingerprints } = conditions;
  return subjectParts(conditions).map((part): ConditionAccount => {
    const holds = matchesSubject(part, subject);
    if (part.categories !== undefined) {
      const because = { kind: 'category', categories: subject.categories(), wanted: categories ?? [] } as const;
      return { field: 'category', holds, mode, because };
    }
    const because = { kind: 'fingerprint', seen: subject.fingerprint, wanted: fingerprints ?? [] } as const;
    return { field: 'fingerprint', holds, mode, because };
  });
}

/** Splits the conditions into category and fingerprint. */
function subjectParts(conditions: CompiledConditions): readonly CompiledConditions[] {
  const { categories, fingerprints } = conditions;
  return [
    ...(categories === undefined ? [] : [{ ...conditions, fingerprints: undefined }]),
    ...(fingerprints === undefined ? [] : [{ ...conditions, categories: undefined }]),
  ];
}

/** The reason why a rule is no candidate for a call: the first name that is not the call's. */
export function elsewhereOf(rule: CompiledRule, call: Call): NameField {
  if (call.origin === 'native' && !rule.coversNative) return 'native';
  if (!matchesField(rule.method, call.method)) return 'method';
  const isOfOther =
    (rule.tool !== undefined && call.tool === undefined) || (rule.prompt !== undefined && call.prompt === undefined);
  if (isOfOther) return 'method';
  for (const field of ['server', 'tool', 'prompt'] as const) if (!matchesField(rule[field], call[field])) return field;
  // Its names match, so it is about another method without saying so, as a rule about tools is about `tools/call`.
  return 'method';
}
