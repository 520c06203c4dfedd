import { expandHome, foldPath, toAbsolutePath, toSlashes } from '../../core/paths/absolute-path.ts';
import type { MatchContext } from '../../core/match/match-context.ts';
import { basesOf, spellings, toHomeOfOther, withoutAliases } from '../../core/paths/path-forms.ts';
import {
  readFileUri,
  readForeignFileUri,
  readSurrogateEscapes,
  readTexts,
  tidyUrl,
  withoutPosition,
  withoutVariable,
  withoutWrapping,
} from '../../core/paths/path-readings.ts';
import { decodePercent, decodeRounds } from '../../core/paths/percent.ts';
import { MAX_REAL_PATH } from '../../core/paths/shorten-path.ts';
import type { ReadingStep } from './explanation.ts';

/** One text and what a server may make of it next. */
type Edge = readonly [step: ReadingStep, text: string];

/** Forms are made in fewer steps; what stands between a text and one of its forms may be some hundreds of texts. */
const MOST_STEPS = 6;
const MOST_TEXTS = 2000;

/**
 * The fewest steps that turn a text into one of its forms. `other` if so few do not; it is a form all the same, or it would not have been
 * asked about.
 *
 * @param words the paths that the text names if it is a command line
 */
export function readAs(text: string, form: string, context: MatchContext, words: readonly string[] = []): readonly ReadingStep[] {
  if (text === form) return [];
  if (words.includes(form)) return ['command_word'];
  if (text.length > MAX_REAL_PATH && words.length === 0) return ['shortened'];
  const known = new Set([text, ...words]);
  let reached: readonly { readonly text: string; readonly steps: readonly ReadingStep[] }[] = [
    { text, steps: [] },
    ...words.map((word) => ({ text: word, steps: ['command_word' as const] })),
  ];
  for (let step = 0; step < MOST_STEPS && known.size < MOST_TEXTS; step += 1) {
    const next: { text: string; steps: readonly ReadingStep[] }[] = [];
    for (const from of reached) {
      for (const [name, to] of edgesFrom(from.text, context)) {
        if (known.has(to)) continue;
        const steps = name === from.steps.at(-1) && name !== 'decoded' ? from.steps : [...from.steps, name];
        if (to === form) return steps;
        known.add(to);
        next.push({ text: to, steps });
      }
    }
    reached = next;
  }
  return ['other'];
}

/** Yields each text that a server may make of this one, the likeliest first. */
function* edgesFrom(text: string, context: MatchContext): Generator<Edge, void> {
  const { paths } = context;
  yield* absoluteEdges(text, context);
  yield ['folded', foldPath(text, paths.platform)];
  const decoded = decodePercent(text);
  yield ['decoded', decoded];
  for (const path of readFileUri(text, paths) ?? []) yield ['file_uri', path];
  for (const path of /^file:/i.test(text) ? readForeignFileUri(text) : []) yield ['foreign_file_uri', path];
  yield ['slashes', toSlashes(text)];
  for (const spelling of spellings(text)) yield ['spelling', spelling];
  if (paths.platform === 'windows') yield ['alias', withoutAliases(text)];
  // Decoding again is a step of its own.
  const rounds = new Set(decodeRounds(text));
  for (const { text: reading } of readTexts(text, paths)) {
    if (!rounds.has(reading)) yield [nameReading(text, reading, context), reading];
  }
  const elsewhere = toHomeOfOther(text, paths);
  if (elsewhere !== undefined) yield ['home_of_other', elsewhere];
  if (text.startsWith('~') || /^file:/i.test(text)) yield ['folder_name', `./${text}`];
}

function* absoluteEdges(text: string, context: MatchContext): Generator<Edge, void> {
  const { paths } = context;
  for (const base of basesOf(text, paths)) {
    const path = toAbsolutePath(text, base);
    yield [expandHome(text, base) !== text ? 'home' : text.startsWith('/') ? 'tidied' : 'absolute', path];
    yield ['links', context.realPath(path)];
  }
  for (const path of context.forms(text).climbing) {
    const real = context.resolved(path);
    if (real !== undefined) yield ['links', real];
  }
}

/** A reading of `readTexts` by the step that gives it. */
function nameReading(text: string, reading: string, { paths }: MatchContext): ReadingStep {
  if (reading === tidyUrl(text, paths)) return 'url';
  if (reading === withoutWrapping(text) || reading === withoutPosition(text)) return 'unwrapped';
  if (reading === readSurrogateEscapes(text)) return 'surrogates';
  return reading === withoutVariable(text) ? 'home_variable' : 'url';
}
