import type { LintRule } from '../finding.ts';
import { patternsOf } from '../rule-fields.ts';

/** In a rule that lets through, a regular expression that is found anywhere lets more through than it names. */
export const unanchoredRegex: LintRule = {
  id: 'unanchored-regex',
  severity: 'warning',
  summary: 'A regular expression that lets calls through is not anchored, so it is found anywhere in a text.',
  *find({ policy }) {
    for (const { regex, path, mode } of policy.rules.flatMap(patternsOf)) {
      if (regex === undefined || mode !== 'certain' || isAnchored(regex.source)) continue;
      yield {
        path,
        message: `"${regex.source}" is found anywhere in a text, so more is let through than it names`,
        hint: '"^(?:…)$" is about the whole text, "^(?:…)" about how it begins',
      };
    }
  },
};

/** Is every alternative anchored, all of them on the same side? `^read|write$` is what begins so or ends so, and hardly meant. */
function isAnchored(source: string): boolean {
  const alternatives = outerAlternatives(source.replace(/^\(\?[a-z]+\)/i, ''));
  return alternatives.every((text) => /^(?:\^|\\A)/.test(text)) || alternatives.every((text) => /(?:[^\\]\$|\\z)$/.test(text));
}

/** The alternatives that are in no group. */
function outerAlternatives(source: string): readonly string[] {
  const found: string[] = [];
  let start = 0;
  let depth = 0;
  let inClass = false;
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at];
    if (char === '\\') at += 1;
    else if (inClass) inClass = char !== ']';
    else if (char === '[') inClass = true;
    else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    else if (char === '|' && depth === 0) {
      found.push(source.slice(start, at));
      start = at + 1;
    }
  }
  return [...found, source.slice(start)];
}
