import { complain, complainOfType, type Complaints, type Faults } from './complaints.ts';
import { adviseOnOperator, OPERATORS, parseMatcher, parseScalar } from './parse-matcher.ts';
import { isTomlTable, type TomlTable, type TomlValue } from './toml.ts';
import type { ArgMatch, ArgStep, PolicyPath, Whole } from './types.ts';

/** Most steps of a path: they are bits of one word while the arguments are walked. */
export const MAX_ARG_STEPS = 30;

/**
 * Reads `args`: TOML keys are segments of a path, a table with only operators is a matcher, a key that starts with `/` is a JSON Pointer
 * (RFC 6901). A table with `equals` alone, itself a table, must equal all arguments.
 */
export function parseArgs(value: TomlValue, path: PolicyPath, to: Complaints): ArgMatch[] {
  if (!isTomlTable(value)) {
    complainOfType(to, path, value, 'a table of argument names');
    return [];
  }
  const keys = Object.keys(value);
  if (keys.length === 0) complain(to, path, 'an empty table matches nothing', 'name an argument, as in args.path = "/home/**"');
  const { equals } = value;
  if (isTomlTable(equals) && keys.length === 1) {
    const whole = parseWhole(equals, [...path, 'equals'], to);
    return whole === undefined ? [] : [{ path: [], matcher: { op: 'same', value: whole } }];
  }
  const matches: ArgMatch[] = [];
  for (const key of keys) {
    const at = [...path, key];
    const inner = value[key];
    if (inner === undefined) continue;
    if (OPERATORS.includes(key)) {
      complain(
        to,
        at,
        `"${key}" is an operator, so it belongs under an argument's name`,
        `for an argument of that name write args."/${key}"`,
      );
    } else if (key.startsWith('/')) parsePointer(key, inner, { path: at, to, matches });
    else parseSegment(key, inner, { path: at, to, matches, steps: [] });
  }
  return matches;
}

interface Place {
  readonly path: PolicyPath;
  readonly to: Complaints;
  readonly matches: ArgMatch[];
}

function parsePointer(pointer: string, value: TomlValue, { path, to, matches }: Place): void {
  if (/~(?![01])/.test(pointer)) {
    complain(to, path, `"${pointer}" is not a JSON Pointer`, 'write ~0 for a tilde and ~1 for a slash inside a name');
    return;
  }
  const tokens = pointer.slice(1).split('/');
  const steps = tokens.map((token): ArgStep => ({ kind: 'token', name: token.replaceAll('~1', '/').replaceAll('~0', '~') }));
  if (isTomlTable(value) && !checkOperatorTable(value, path, to)) return;
  push(value, steps, { path, to, matches });
}

function parseSegment(key: string, value: TomlValue, place: Place & { readonly steps: readonly ArgStep[] }): void {
  const { path, to, matches } = place;
  const step = toStep(key);
  if (step === undefined) {
    const hint = `only "*" and "**" as a whole are wildcards; for an argument of that name write args."${toPointer([key])}"`;
    complain(to, path, `"${key}" is not an argument's name`, hint);
    return;
  }
  // Two consecutive `**` match the same as one.
  const steps = step.kind === 'deep' && place.steps.at(-1)?.kind === 'deep' ? place.steps : [...place.steps, step];
  if (!isTomlTable(value)) return push(value, steps, place);
  const keys = Object.keys(value);
  const operators = keys.filter((name) => OPERATORS.includes(name));
  if (operators.length === keys.length) return push(value, steps, place);
  if (operators.length > 0) {
    const hint = `operators: ${operators.join(', ')}; for an argument of such a name use a JSON Pointer`;
    return complain(to, path, 'operators and argument names cannot be mixed in one table', hint);
  }
  for (const [name, inner] of Object.entries(value)) {
    const at = [...path, name];
    const advice = adviseOnOperator(name);
    if (advice !== undefined) {
      complain(to, at, `"${name}" looks like an operator, but is not one`, `${advice} ${insteadOf(name, steps)}`);
      continue;
    }
    if (name.startsWith('/')) complain(to, at, 'a JSON Pointer belongs directly under args');
    else parseSegment(name, inner, { path: at, to, matches, steps });
  }
}

/** Tells how to name an argument that looks like an operator. A JSON Pointer has no wildcards, so behind one only its form is shown. */
function insteadOf(name: string, steps: readonly ArgStep[]): string {
  const names = steps.flatMap((step) => ('name' in step ? [step.name] : []));
  const pointer = names.length === steps.length ? toPointer([...names, name]) : `/…${toPointer([name])}`;
  return `(for an argument of that name write args."${pointer}")`;
}

function toPointer(names: readonly string[]): string {
  return names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function push(value: TomlValue, steps: readonly ArgStep[], { path, to, matches }: Place): void {
  if (steps.length > MAX_ARG_STEPS) return complain(to, path, `an argument path has at most ${MAX_ARG_STEPS} segments`);
  const matcher = parseMatcher(value, { path, kind: 'argument' }, to);
  if (matcher !== undefined) matches.push({ path: steps, matcher });
}

function toStep(key: string): ArgStep | undefined {
  if (key === '*') return { kind: 'any' };
  if (key === '**') return { kind: 'deep' };
  return key.includes('*') || key.includes('/') ? undefined : { kind: 'name', name: key };
}

/** Under a pointer there is nothing left to name, so a table must consist of operators. */
function checkOperatorTable(table: TomlTable, path: PolicyPath, to: Complaints): boolean {
  const stray = Object.keys(table).find((key) => !OPERATORS.includes(key));
  if (stray === undefined) return true;
  complain(to, [...path, stray], `"${stray}" is not an operator`, 'a JSON Pointer names the argument in full');
  return false;
}

/** Reads a value that is compared with all its content. Undefined if it is faulty, after complaining. */
function parseWhole(value: TomlValue, path: PolicyPath, to: Faults): Whole | undefined {
  if (Array.isArray(value)) {
    const items = value.map((item, index) => parseWhole(item, [...path, index], to));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (!isTomlTable(value)) return parseScalar(value, path, to);
  const table = new Map<string, Whole>();
  const names = Object.keys(value);
  for (const name of names) {
    const member = parseWhole(value[name] ?? '', [...path, name], to);
    if (member !== undefined) table.set(name, member);
  }
  return table.size === names.length ? table : undefined;
}
