import { isJsonObject, type JsonValue } from '../json.ts';
import { compareNumerals, type Numeral, readNumeral, toNumeral, toSentText, toText } from '../numeral.ts';
import type { Selection } from './args.ts';
import type { CompiledMatcher } from './compile-matcher.ts';
import { flip, type MatchContext, type Mode } from './match-context.ts';
import { findInCommand, matchesPath } from './match-path.ts';
import { foldPath, oddKeys } from '../paths/path-forms.ts';
import type { Regex } from '../patterns/regex.ts';
import type { Comparison, Scalar, Whole } from '../policy/types.ts';

export interface MatchOptions {
  readonly mode: Mode;
  readonly context: MatchContext;
}

/** Match options, the texts that are no paths, and those that are run. */
interface ValueOptions extends MatchOptions {
  readonly prose?: ReadonlySet<string>;
  readonly commands?: Selection['commands'];
}

/** The texts of a selection that are only read; undefined if there are none, or if the tool runs commands, which may open any text. */
export function proseIn({ prose }: Selection, context: MatchContext): ReadonlySet<string> | undefined {
  return prose === undefined || context.runsCommands() ? undefined : prose;
}

/** The texts of a selection that are run; undefined if there are none, or if the tool runs no commands. */
export function commandsIn({ commands }: Partial<Selection>, context: MatchContext): Selection['commands'] {
  return commands !== undefined && context.runsCommands() ? commands : undefined;
}

/** Tells whether a matcher holds for the selection of an argument path. Absent values match only `exists = false`. */
export function matchesSelection(matcher: CompiledMatcher, selection: Selection, asked: MatchOptions): boolean {
  const prose = proseIn(selection, asked.context);
  const commands = asked.mode === 'possible' ? commandsIn(selection, asked.context) : undefined;
  const options: ValueOptions =
    prose === undefined && commands === undefined ? asked : { ...asked, ...(prose === undefined ? {} : { prose }), commands };
  const { values, embedded, keys, incomplete, tooDeep } = selection;
  const possible = options.mode === 'possible';
  if (tooDeep) return possible;
  if (asksForAbsence(matcher)) return possible ? values.length === 0 || incomplete : values.length === 0;
  if (possible) {
    if (values.some((value) => matchesValue(matcher, value, options))) return true;
    if (embedded.some((value) => matchesValue(matcher, value, options))) return true;
    if (!asksForSomething(matcher)) return false;
    const odd = oddKeys(keys);
    return keys.some((key) => (odd.has(key) ? matchesValue(matcher, key, options) : matchesPlainKey(matcher, key, options)));
  }
  if (values.length === 0 || incomplete) return false;
  const isMatch = (value: JsonValue): boolean => matchesValue(matcher, value, options);
  return values.every(isMatch) && embedded.every(isMatch);
}

/** Tells whether a matcher holds for one value that is there. */
function matchesValue(matcher: CompiledMatcher, value: JsonValue, options: ValueOptions): boolean {
  switch (matcher.op) {
    case 'globs':
      if (typeof value === 'string') return matchesGlobs(matcher, value, options);
      return textsOf(value, options.mode).some((text) => matchesName(matcher, text, options));
    case 'regex':
      return textsOf(value, options.mode).some((text) => matchesRegex(matcher.regex, text, options.mode));
    case 'equals':
      return isEqual(matcher.value, value, options.mode);
    case 'same':
      return isSame(matcher.value, value, options.mode);
    case 'compare':
      return numeralsOf(value, options.mode).some((numeral) =>
        holds(matcher.comparison, compareNumerals(numeral, matcher.bound)),
      );
    case 'exists':
      return matcher.present;
    case 'not':
      // An object has no text that could be outside of anything: nothing is certain about it.
      if (isJsonObject(value)) return options.mode === 'possible';
      return !matchesValue(matcher.inner, value, { ...options, mode: flip(options.mode) });
    case 'all':
      return matcher.of.every((part) => matchesValue(part, value, options));
    case 'any':
      return matcher.of.some((part) => matchesValue(part, value, options));
  }
}

function matchesGlobs(matcher: CompiledMatcher & { op: 'globs' }, text: string, options: ValueOptions): boolean {
  if (matcher.plain.some((glob) => glob.matches(text))) return true;
  // Only a match that holds a call back spares prose: an exception, or an allow rule, has to be sure of every text.
  if (options.mode === 'possible' && options.prose?.has(text) === true) return false;
  if (matcher.paths === undefined) return false;
  if (matchesPath(matcher.paths, text, options)) return true;
  const line = options.mode === 'possible' ? options.commands?.get(text) : undefined;
  return line !== undefined && findInCommand(matcher.paths, line, options.context) !== undefined;
}

/**
 * A text without a slash that is no path: a number, a plain key. Only the patterns that have no slash either can match it; those are folded
 * as file names are, and so is it.
 */
function matchesName(matcher: CompiledMatcher & { op: 'globs' }, text: string, { context }: MatchOptions): boolean {
  if (matcher.plain.some((glob) => glob.matches(text))) return true;
  if (matcher.paths === undefined) return false;
  const patterns = matcher.paths.slashless(context.paths);
  if (patterns.length === 0) return false;
  const folded = foldPath(text, context.paths.platform);
  return patterns.some(({ written }) => written.matches(folded));
}

/** To a deny rule `.` is also a line end, since a peer can put one anywhere; an allow rule takes nothing that it does not say. */
function matchesRegex(regex: Regex, text: string, mode: Mode): boolean {
  return regex.matches(text) || (mode === 'possible' && text.includes('\n') && regex.matchesAcrossLines(text));
}

/** A key that is a plain name is tried as a name: taken for a file, it would be one of the working directory. */
function matchesPlainKey(matcher: CompiledMatcher, key: string, options: ValueOptions): boolean {
  if (matcher.op === 'globs') return matchesName(matcher, key, options);
  if (matcher.op === 'all') return matcher.of.every((part) => matchesPlainKey(part, key, options));
  if (matcher.op === 'any') return matcher.of.some((part) => matchesPlainKey(part, key, options));
  return matchesValue(matcher, key, options);
}

/** Tells whether a matcher has a positive test. A matcher of only `not` is about values; every key is outside of something. */
function asksForSomething(matcher: CompiledMatcher): boolean {
  if (matcher.op === 'not' || matcher.op === 'exists') return false;
  return matcher.op === 'all' || matcher.op === 'any' ? matcher.of.some(asksForSomething) : true;
}

function asksForAbsence(matcher: CompiledMatcher): boolean {
  return matcher.op === 'exists' && !matcher.present;
}

/** The readings of a scalar as text; the canonical one alone where we must be certain. */
function textsOf(value: JsonValue, mode: Mode): readonly string[] {
  const text = toText(value);
  if (text === undefined) return [];
  const sent = mode === 'possible' ? toSentText(value) : undefined;
  return sent === undefined || sent === text ? [text] : [text, sent];
}

function numeralsOf(value: JsonValue, mode: Mode): readonly Numeral[] {
  const numeral = toNumeral(value) ?? (mode === 'possible' && typeof value === 'string' ? readNumeral(value) : undefined);
  return numeral === undefined ? [] : [numeral];
}

/** Texts that servers turn into a boolean if they expect one (Python's pydantic, YAML). */
const BOOLEANS = { true: /^\s*(?:true|t|yes|y|on|1(?:\.0*)?)\s*$/i, false: /^\s*(?:false|f|no|n|off|0(?:\.0*)?)\s*$/i };

function isEqual(wanted: Scalar, value: JsonValue, mode: Mode): boolean {
  if (typeof wanted === 'object') return numeralsOf(value, mode).some((numeral) => compareNumerals(numeral, wanted) === 0);
  if (wanted === value) return true;
  if (mode !== 'possible') return false;
  const texts = textsOf(value, mode);
  if (typeof wanted === 'boolean') return texts.some((text) => BOOLEANS[`${wanted}`].test(text));
  return texts.includes(wanted);
}

/** Tells whether a value equals all of the wanted one, with nothing missing and nothing else there. */
function isSame(wanted: Whole, value: JsonValue, mode: Mode): boolean {
  if (wanted instanceof Map) {
    if (!isJsonObject(value) || Object.keys(value).length !== wanted.size) return false;
    for (const [name, inner] of wanted as ReadonlyMap<string, Whole>) {
      const member = Object.hasOwn(value, name) ? value[name] : undefined;
      if (member === undefined || !isSame(inner, member, mode)) return false;
    }
    return true;
  }
  if (Array.isArray(wanted)) {
    const items = wanted as readonly Whole[];
    if (!Array.isArray(value) || value.length !== items.length) return false;
    return items.every((item, index) => isSame(item, (value as readonly JsonValue[])[index] ?? null, mode));
  }
  return isEqual(wanted as Scalar, value, mode);
}

function holds(comparison: Comparison, order: number): boolean {
  if (comparison === 'gt') return order > 0;
  if (comparison === 'gte') return order >= 0;
  return comparison === 'lt' ? order < 0 : order <= 0;
}
