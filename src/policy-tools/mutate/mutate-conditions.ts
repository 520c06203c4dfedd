import { NAMES, SUBJECTS } from '../../core/policy/parse-rule.ts';
import type { ArgMatch, ArgStep, Conditions, Matcher, PolicyPath } from '../../core/policy/types.ts';
import type { GlobLists } from './mutant.ts';
import { mutateMatcher } from './mutate-matcher.ts';
import { argField, argPath } from '../arg-path.ts';

/** Match fields that could stand in the place of others. */
export interface ConditionsChange {
  readonly conditions: Conditions;
  /** The path of the change in the table of these fields. */
  readonly path: PolicyPath;
  readonly what: string;
  /** The field, if nothing is asked of it any more. */
  readonly dropped?: string;
  /** An argument or a category of a call that the two decide otherwise, as in `args.size such as 5`. */
  readonly example?: string;
  readonly globs?: Omit<GlobLists, 'rule' | 'isException'>;
}

const LISTS = ['category', 'fingerprint'] as const;

const ANY: Matcher = { op: 'globs', patterns: ['**'] };

/**
 * Changes the fields of a rule or of its `unless`: each field changed, and each gone. A rule has to be about something; if nothing else
 * says what, it is about every tool, resource or prompt instead.
 */
export function mutateConditions(conditions: Conditions, isUnless: boolean): readonly ConditionsChange[] {
  const isOnly = isUnless && countFields(conditions) === 1;
  const isNeeded = (name: string): boolean =>
    !isUnless && SUBJECTS.filter((subject) => conditions[subject] !== undefined).every((subject) => subject === name);
  return [
    ...NAMES.flatMap((name) => mutateName(conditions, name, isNeeded(name), isOnly)),
    ...conditions.args.flatMap((_, index) => mutateArg(conditions, index, isOnly)),
    ...LISTS.flatMap((name) => mutateList(conditions, name, isOnly)),
  ];
}

function mutateName(
  ...[conditions, name, isNeeded, isOnly]: [Conditions, (typeof NAMES)[number], boolean, boolean]
): readonly ConditionsChange[] {
  const { [name]: matcher, ...others } = conditions;
  if (matcher === undefined) return [];
  const changed = mutateMatcher(matcher).map(({ matcher: other, path, what, globs }) => ({
    conditions: { ...conditions, [name]: other },
    path: [name, ...path],
    what: `${name} ${what}`,
    ...(globs === undefined ? {} : { globs: { field: name, ...globs, readsPaths: name === 'resource' } }),
  }));
  const isAny = matcher.op === 'globs' && matcher.patterns.includes('**');
  if (isOnly || (isNeeded && isAny)) return changed;
  // A list with one glob more is the widest that it can be.
  const dropped = isNeeded
    ? { conditions: { ...conditions, [name]: ANY }, what: `${name} with "**"` }
    : { conditions: others, what: `without ${name}` };
  return [{ path: [name], dropped: name, ...dropped }, ...changed];
}

function mutateArg(conditions: Conditions, index: number, isOnly: boolean): readonly ConditionsChange[] {
  const { args } = conditions;
  const arg = args[index];
  if (arg === undefined) return [];
  const field = argField(arg.path);
  const place = argPath(arg.path);
  const replace = (other: Partial<ArgMatch>): Conditions => ({ ...conditions, args: args.with(index, { ...arg, ...other }) });
  return [
    ...(isOnly
      ? []
      : [
          {
            conditions: { ...conditions, args: args.toSpliced(index, 1) },
            path: place,
            what: `without ${field}`,
            dropped: field,
          },
        ]),
    ...mutateArgPath(arg.path).map((path) => ({
      conditions: replace({ path }),
      path: place,
      what: `${argField(path)} for ${field}`,
      example: `a matching value at ${argField(reachedByOne(arg.path, path))}`,
    })),
    ...mutateMatcher(arg.matcher).map(({ matcher, path, what, example, globs }) => ({
      conditions: replace({ matcher }),
      path: [...place, ...path],
      what: `${field} ${what}`,
      ...(example === undefined ? {} : { example: `${field} such as ${example}` }),
      ...(globs === undefined ? {} : { globs: { field, ...globs, readsPaths: true } }),
    })),
  ];
}

/** A path that only one of two reaches, which differ in the kind of one step. */
function reachedByOne(path: readonly ArgStep[], changed: readonly ArgStep[]): readonly ArgStep[] {
  const index = path.findIndex(({ kind }, at) => kind !== changed[at]?.kind);
  const names = path[index]?.kind === 'name' ? ['other'] : ['some', 'more'];
  return path.toSpliced(index, 1, ...names.map((name): ArgStep => ({ kind: 'name', name })));
}

function mutateList(conditions: Conditions, name: (typeof LISTS)[number], isOnly: boolean): readonly ConditionsChange[] {
  const { [name]: list, ...others } = conditions;
  if (list === undefined) return [];
  const fewer =
    list.length === 1
      ? []
      : list.map((text, index) => ({
          conditions: { ...conditions, [name]: list.toSpliced(index, 1) },
          path: [name, index],
          what: `${name} without "${text}"`,
          example: `${name} "${text}"`,
        }));
  return [...(isOnly ? [] : [{ conditions: others, path: [name], what: `without ${name}`, dropped: name }]), ...fewer];
}

function countFields(conditions: Conditions): number {
  const named = [...NAMES, ...LISTS].filter((name) => conditions[name] !== undefined);
  return named.length + conditions.args.length;
}

/** Changes where a rule looks: `**` becomes `*`, `*` becomes `**`, and a name at the end becomes `*`. A JSON Pointer is exact and stays. */
export function mutateArgPath(path: readonly ArgStep[]): readonly (readonly ArgStep[])[] {
  return path.flatMap((step, index): readonly (readonly ArgStep[])[] => {
    if (step.kind === 'deep') return [path.with(index, { kind: 'any' })];
    if (step.kind === 'any') return [path.with(index, { kind: 'deep' })];
    return step.kind === 'name' && index === path.length - 1 ? [path.with(index, { kind: 'any' })] : [];
  });
}
