import type { JsonValue } from '../../core/json.ts';
import type { Selection } from '../../core/match/args.ts';
import type { CompiledMatcher } from '../../core/match/compile-matcher.ts';
import { globsOf, type PathGlobs } from '../../core/match/path-globs.ts';
import { selectOne } from '../../core/match/evaluate.ts';
import { flip, type MatchContext } from '../../core/match/match-context.ts';
import { findInCommand, findInside, findOutside, NO_PATH } from '../../core/match/match-path.ts';
import { commandsIn, matchesSelection, type MatchOptions } from '../../core/match/match.ts';
import { formatNumeral, toSentText, toText } from '../../core/numeral.ts';
import { isPathLike, isPlainName } from '../../core/paths/path-forms.ts';
import type { Asks, ReadingStep, Test } from './explanation.ts';
import { readAs } from './read-as.ts';
import type { PathContext } from '../../core/paths/absolute-path.ts';
import type { Scalar, Whole } from '../../core/policy/types.ts';

/** Forms outside of the patterns to search for the likeliest one. */
const MOST_FORMS = 8;

/** A value, or a key if the path ends in `**`. */
interface Tested {
  readonly value: JsonValue;
  readonly isKey: boolean;
  /** The prose of the selection that the value is from. */
  readonly prose?: Selection['prose'];
  /** The lines of the selection that the value is from. */
  readonly commands?: Selection['commands'];
}

/** Tells whether a matcher holds for one value by itself, as the matching sees it. */
export function holdsFor(matcher: CompiledMatcher, tested: Tested, options: MatchOptions): boolean {
  return matchesSelection(matcher, toSelection(tested), options);
}

function toSelection({ value, isKey, prose, commands }: Tested): Selection {
  const one = { ...selectOne(value), prose, commands };
  return isKey && typeof value === 'string' ? { ...one, values: [], keys: [value] } : one;
}

/** The part of a matcher that settles it for a value, and how the value was read for that. */
export function testValue(matcher: CompiledMatcher, tested: Tested, options: MatchOptions): Test {
  switch (matcher.op) {
    case 'not': {
      const inner = testValue(matcher.inner, { ...tested, isKey: false }, { ...options, mode: flip(options.mode) });
      const isNegated = !inner.isNegated;
      // An object is certain neither to match nor not to match.
      return { ...inner, isNegated, matches: holdsFor(matcher, tested, options) !== isNegated };
    }
    case 'all':
    case 'any': {
      // A part that fails settles `all`, one that holds settles `any`; if there is none, all parts do.
      const part = matcher.of.find((each) => holdsFor(each, tested, options) === (matcher.op === 'any'));
      return part === undefined ? testWhole(matcher, tested, options) : testValue(part, tested, options);
    }
    case 'globs':
      return testGlobs(matcher, tested, options);
    default:
      return testWhole(matcher, tested, options);
  }
}

/** Tests a matcher as a whole. */
function testWhole(matcher: CompiledMatcher, tested: Tested, options: MatchOptions): Test {
  const matches = holdsFor(matcher, tested, options);
  const asks = asksOf(matcher, options.context.paths);
  return { asks, matches, isNegated: false, form: undefined, readAs: matches ? conversionOf(matcher, tested.value) : [] };
}

/** The step by which a value of another type was compared. */
function conversionOf(matcher: CompiledMatcher, value: JsonValue): readonly ReadingStep[] {
  if (matcher.op === 'all') return matcher.of.flatMap((part) => conversionOf(part, value)).slice(0, 1);
  if (matcher.op === 'compare' && typeof value === 'string') return ['number'];
  if (matcher.op === 'regex' && typeof value !== 'string') return ['text'];
  if (matcher.op !== 'equals' || typeof value === typeof matcher.value) return [];
  if (typeof matcher.value === 'boolean') return ['boolean'];
  if (typeof matcher.value === 'string') return ['text'];
  return typeof value === 'string' ? ['number'] : [];
}

type Globs = CompiledMatcher & { readonly op: 'globs' };

function testGlobs(matcher: Globs, tested: Tested, options: MatchOptions): Test {
  const { context } = options;
  const matches = holdsFor(matcher, tested, options);
  // Several patterns may hold a value together, each some of its forms; then all of them are named.
  const settling = matches ? (partsOf(matcher, context).find((part) => holdsFor(part, tested, options)) ?? matcher) : matcher;
  const asks = asksOf(settling, context.paths);
  return { asks, matches, isNegated: false, ...formOf(settling, tested, { ...options, matches }) };
}

/** One matcher for each pattern of a list. */
function partsOf({ plain, paths }: Globs, context: MatchContext): readonly Globs[] {
  return [
    ...plain.map((glob): Globs => ({ op: 'globs', plain: [glob], paths: undefined })),
    ...(paths?.patterns(context.paths) ?? []).map((pattern): Globs => ({ op: 'globs', plain: [], paths: globsOf([pattern]) })),
  ];
}

interface Settled extends MatchOptions {
  readonly matches: boolean;
}

/** The form of a value that matches, or that would have to. */
function formOf(
  { plain, paths }: Globs,
  { value, isKey, prose, commands }: Tested,
  options: Settled,
): Pick<Test, 'form' | 'readAs'> {
  const { matches, mode, context } = options;
  if (typeof value !== 'string') return textForm(value, plain, options);
  if (mode === 'possible' && !matches && prose?.has(value) === true && !context.runsCommands()) {
    return { form: undefined, readAs: ['prose'] };
  }
  if (paths === undefined || (isKey && isPlainName(value)) || (matches && plain.some((glob) => glob.matches(value)))) {
    return { form: undefined, readAs: [] };
  }
  const line = mode === 'possible' ? commandsIn({ commands }, context)?.get(value) : undefined;
  const words = line === undefined ? [] : context.commandPaths(line);
  const inside = (): string | undefined => findInside(paths, value, context) ?? (line && findInCommand(paths, line, context));
  const form = mode === 'certain' && !matches ? outsideForm(paths, value, context) : inside();
  if (form === NO_PATH && mode === 'certain') return { form: undefined, readAs: ['uncertain'] };
  // A value without such a form is named as one path if it may be meant as one.
  const given = form ?? (isPathLike(value) ? context.forms(value).absolute[0] : undefined);
  if (given === undefined || given === value) return { form: undefined, readAs: [] };
  return { form: given, readAs: readAs(value, given, context, words) };
}

/** A number or a truth value, as one of the texts that it is. */
function textForm(value: JsonValue, plain: Globs['plain'], { mode, matches }: Settled): Pick<Test, 'form' | 'readAs'> {
  const text = toText(value);
  const sent = mode === 'possible' ? toSentText(value) : undefined;
  const isSent = matches && sent !== undefined && text !== undefined && !plain.some((glob) => glob.matches(text));
  return { form: isSent ? sent : text, readAs: text === undefined ? [] : ['text'] };
}

/** The form that `findOutside` finds, or of several the one that is most likely meant: `~` may be the name of a folder, and rarely is. */
export function outsideForm(globs: PathGlobs, text: string, context: MatchContext): string | undefined {
  const forms = context.forms(text);
  const found: string[] = [];
  let { certain } = forms;
  while (found.length < MOST_FORMS) {
    const left = certain === undefined ? forms : { ...forms, certain };
    const form = findOutside(globs, text, { ...context, forms: () => left });
    if (form === undefined) break;
    found.push(form);
    // The target of a link is no form of its own that could be passed over.
    if (certain?.includes(form) !== true) break;
    certain = certain.filter((each) => each !== form);
  }
  return found.find((form) => !readAs(text, form, context).includes('folder_name')) ?? found[0];
}

/** Conditions to list; nobody reads hundreds. */
const MOST_ASKS = 3;

/** Lists the conditions of a matcher as a policy may write them. A pattern for paths is folded as the platform folds names. */
export function asksOf(matcher: CompiledMatcher, paths: PathContext): Asks {
  const all = toTexts(matcher, paths);
  return { each: all.slice(0, MOST_ASKS), others: Math.max(0, all.length - MOST_ASKS) };
}

function toTexts(matcher: CompiledMatcher, paths: PathContext): readonly string[] {
  switch (matcher.op) {
    case 'globs': {
      const ofPaths = matcher.paths?.patterns(paths) ?? [];
      return [...matcher.plain, ...ofPaths.map(({ written }) => written)].map(({ pattern }) => JSON.stringify(pattern));
    }
    case 'regex':
      return [`regex = ${JSON.stringify(matcher.regex.source)}`];
    case 'equals':
    case 'same':
      return [`equals = ${wholeText(matcher.value)}`];
    case 'compare':
      return [`${matcher.comparison} = ${formatNumeral(matcher.bound)}`];
    case 'exists':
      return [`exists = ${matcher.present}`];
    case 'not': {
      return [`not = ${toTexts(matcher.inner, paths).join(', ')}`];
    }
    case 'all':
      return [matcher.of.flatMap((part) => toTexts(part, paths)).join(' and ')];
    case 'any':
      return matcher.of.flatMap((part) => toTexts(part, paths));
  }
}

function wholeText(value: Whole): string {
  if (value instanceof Map) {
    const members = [...(value as ReadonlyMap<string, Whole>)].map(
      ([name, each]) => `${JSON.stringify(name)} = ${wholeText(each)}`,
    );
    return `{ ${members.join(', ')} }`;
  }
  if (Array.isArray(value)) return `[${(value as readonly Whole[]).map(wholeText).join(', ')}]`;
  return scalarText(value as Scalar);
}

function scalarText(value: Scalar): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'boolean' ? String(value) : formatNumeral(value);
}
