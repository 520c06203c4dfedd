import { beyondAscii, INVISIBLE, mayHaveInvisible, TERMINAL_ESCAPE } from './invisible-characters.ts';
import { foldConfusables } from './fold-confusables.ts';
import { chained, rewrite, unchanged, type Rewritten } from './rewrite.ts';

/** Matches text that needs more than lower case and single spaces to be plain. */
const IS_UNUSUAL = /[^\t\n\r\x20-\x7e]/;

/** The kinds of characters in a text. */
export interface SentAs {
  /** True for nothing but printable ASCII and white space, which can neither be invisible nor look like something else. */
  readonly isPrintable: boolean;
  /** True if some characters are, or may be, invisible. */
  readonly mayHaveInvisible: boolean;
}

/** Looks at each character once, and no more than that. */
export function sentAs(text: string): SentAs {
  const isPrintable = !IS_UNUSUAL.test(text);
  return { isPrintable, mayHaveInvisible: !isPrintable && mayHaveInvisible(text) };
}

const IS_MARKED = /\p{M}{31}/u;
/**
 * Matches excess marks: no honest letter has more than 30 (UAX 15, Stream-Safe Text Format), and sorting them would take quadratic time.
 */
const EXCESS_MARKS = /(?<=\p{M}{30})\p{M}{1,256}/gu;

/** Matches the unit of one NFKC step: a letter with its marks, a syllable of Hangul in parts, any other non-ASCII character. */
const CLUSTER =
  /[\u1100-\u11ff\u3130-\u318f\u3200-\u321e\u3260-\u327f\ua960-\ua97f\ud7b0-\ud7ff\uffa0-\uffdc]{1,64}\p{M}{0,64}|[^\p{M}\uff9e\uff9f]?[\p{M}\uff9e\uff9f]{1,64}|[^\x00-\x7f]/gu;

/** Matches accents that no precomposed letter has: strokes through letters, heaps of accents. */
const LEFT_MARKS = /[\u0300-\u036f]|[\u0483-\u0489]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]/g;

const SPACES = /\s{2,}|[^\S \n]/g;
const LINE_ENDS = /\r\n|[\n\r\v\f\u2028\u2029]/g;

/**
 * A text as a reader perceives it, for matching: no terminal escapes, nothing invisible, compatibility forms, odd accents and look-alikes
 * as plain letters, lower case, runs of white space as one space, one line end or two (a blank line).
 *
 * @param sent the kinds of its characters, if the caller knows them
 */
export function unhide(text: string, sent: SentAs = sentAs(text)): Rewritten {
  if (sent.isPrintable) return squeezed(text.toLowerCase());
  let seen = unchanged(text);
  if (sent.mayHaveInvisible) {
    seen = rewrite(text, TERMINAL_ESCAPE, () => '');
    seen = chained(seen, (part) => rewrite(part, INVISIBLE, visible));
  }
  seen = chained(seen, compatible);
  // Both keep the length: each letter becomes one letter, since `compatible` has folded the only exception.
  seen = chained(seen, (part) => unchanged(foldConfusables(part).toLowerCase()));
  return chained(seen, squeezed);
}

function visible(invisible: string): string {
  if (invisible === '\x85') return '\n';
  return invisible === '\u2800' ? ' ' : '';
}

/**
 * Applies NFKC and removes leftover marks. Removing them may bring others beside a letter with which they compose, so it is applied again.
 */
function compatible(text: string): Rewritten {
  const bounded = IS_MARKED.test(beyondAscii(text)) ? rewrite(text, EXCESS_MARKS, () => '') : unchanged(text);
  const composed = chained(bounded, composedText);
  const bare = chained(composed, (part) => rewrite(part, LEFT_MARKS, () => ''));
  return bare.text === composed.text ? composed : chained(bare, composedText);
}

function composedText(text: string): Rewritten {
  if (text.normalize('NFKC') === text && !text.includes('\u0130')) return unchanged(text);
  return rewrite(text, CLUSTER, toCompatible);
}

function toCompatible(cluster: string): string {
  return cluster.normalize('NFKC').replaceAll('\u0130', 'I');
}

function squeezed(text: string): Rewritten {
  return rewrite(text, SPACES, (run) => {
    const ends = run.match(LINE_ENDS)?.length ?? 0;
    if (ends === 0) return ' ';
    return ends === 1 ? '\n' : '\n\n';
  });
}
