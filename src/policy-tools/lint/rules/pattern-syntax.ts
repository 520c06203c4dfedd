import type { PolicyPath } from '../../../core/policy/types.ts';
import type { LintRule, LintSubject } from '../finding.ts';
import { eachGlob, fieldsOf, patternsOf } from '../rule-fields.ts';

const PATH_OR_URL = /^(?:\/|~|\.{1,2}\/|\*\*\/|[A-Za-z]:[/\\]|[a-z][a-z0-9+.-]*:\/\/)\S*$/i;

/** `"read "` is no `read`. */
export const outerSpace: LintRule = {
  id: 'outer-space',
  severity: 'warning',
  summary: 'A name or a path begins or ends with white space or an invisible character, which is a part of it.',
  *find(subject) {
    for (const { text, path } of namesIn(subject)) {
      // Nobody sees U+200B, and `trim` leaves it.
      const trimmed = text.replaceAll(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '');
      if (trimmed === text || trimmed === '') continue;
      yield {
        path,
        message: `${JSON.stringify(text)} begins or ends with white space or an invisible character, so it does not match ${JSON.stringify(trimmed)}`,
        hint: `write ${JSON.stringify(trimmed)}`,
      };
    }
  },
};

/** A regular expression that is found anywhere, in a rule that lets through: more passes than it names. */
export const unanchoredRegex: LintRule = {
  id: 'unanchored-regex',
  severity: 'warning',
  summary: 'A regular expression that lets calls through is not anchored, so it matches anywhere in a text.',
  *find({ policy }) {
    for (const { regex, path, mode } of policy.rules.flatMap(patternsOf)) {
      if (regex === undefined || mode !== 'certain' || isAnchored(regex.source)) continue;
      yield {
        path,
        message: `"${regex.source}" matches anywhere in a text, so it lets through more than it names`,
        hint: '"^(?:…)$" matches the whole text, "^(?:…)" matches its beginning',
      };
    }
  },
};

/** Names of tools and methods have neither commas nor bars nor spaces around them (MCP 2026-07-28, tool names). */
const SEVERAL = /^[\w./*?-]+(?:\s*[,|;]\s*[\w./*?-]+)+$/;

/** Arguments often have commas and bars: several paths in one text each begin as paths, and a bar between words is no pipe. */
const SEVERAL_PATHS = /^(?:~|\.{0,2}\/|\*\*)[^\s|,;]*(?:\s*[|,;]\s*(?:~|\.{0,2}\/|\*\*\/?[\w.])[^\s|,;]*)+$/;
const SEVERAL_WORDS = /^[\w.-]+(?:\|[\w.-]+)+$/;

/** Several names in one text. */
export const listInText: LintRule = {
  id: 'list-in-text',
  severity: 'warning',
  summary: 'Several names are in one text, which counts as one name.',
  find: eachGlob(({ glob, field }) => {
    const isName = field !== 'args' && field !== 'resource';
    if (isName ? !SEVERAL.test(glob) : !SEVERAL_PATHS.test(glob) && !SEVERAL_WORDS.test(glob)) return undefined;
    const names = glob.split(/\s*[,|;]\s*/).map((name) => JSON.stringify(name));
    const message = isName
      ? `"${glob}" is one name, and no ${field} has it`
      : `"${glob}" is one text, and none of its parts matches by itself`;
    return { message, hint: `write a list: [${names.join(', ')}]` };
  }),
};

const FOREIGN_SIGNS: readonly [sign: RegExp, what: string, hint: string][] = [
  [/\{[^{}]*,[^{}]*\}/, 'braces', 'write a list, as in ["a*", "b*"]'],
  [/\[(?:!|\^)?[a-z0-9]-[a-z0-9]/i, 'a range in brackets', 'use { regex = "…" }'],
  [/^!/, '"!"', 'for all but some, use { not = "…" }'],
  [/^\s*[<>]=?\s*-?\d+(?:\.\d+)?\s*$/, 'a comparison', 'to compare numbers, use { gt = 5 }, gte, lt or lte'],
];

/** Syntax of other globs, which here is text. */
export const foreignGlob: LintRule = {
  id: 'foreign-glob',
  severity: 'warning',
  summary: 'A glob has braces, ranges, "!" or a comparison, which match literally.',
  find: eachGlob(({ glob }) => {
    const sign = FOREIGN_SIGNS.find(([form]) => form.test(glob));
    if (sign === undefined) return undefined;
    return {
      message: `"${glob}" has ${sign[1]}, which matches literally; globs only have *, ** and ?`,
      hint: sign[2],
    };
  }),
};

/** Signs that every second regular expression has, but no name and hardly a path. */
const SIGNS: readonly [sign: RegExp, what: string][] = [
  [/^\^|[^\\]\$$/, 'an anchor'],
  [/\\[dwsb](?![\w])/i, 'a class of letters'],
  [/\([^()]*\|[^()]*\)/, 'alternatives'],
  [/(?:^|[^*])\.\*\\\./, 'an escaped dot'],
  [/^\.\*|[_-]\.\*|\.\*[\w-]|\.\*\$?$/, '".*"'],
  [/\.\+/, '".+"'],
  [/[\w)]\+$/, '"+"'],
];

/** A regular expression where a glob stands: its letters count as themselves. */
export const regexInGlob: LintRule = {
  id: 'regex-in-glob',
  severity: 'warning',
  summary: 'A glob looks like a regular expression, but it matches literally.',
  find: eachGlob(({ glob, field }) => {
    const isName = field !== 'args' && field !== 'resource';
    const sign = SIGNS.find(([form]) => form.test(glob));
    // `~/.*` and `file.*` are honest paths, and a drive has backslashes.
    if (sign === undefined || (!isName && (/^(?:[A-Za-z]:|\\\\)/.test(glob) || sign[1].startsWith('"')))) return undefined;
    // `github.*` may be a name with a dot; `delete_.*` and `get.*user` are hardly.
    if (sign[1] === '".*"' && !/^\.\*|[_-]\.\*|\.\*[\w-]/.test(glob)) return undefined;
    return {
      message: `"${glob}" is a glob, in which ${sign[1]} of a regular expression matches literally`,
      hint: 'write a regular expression as { regex = "…" }; in globs, * matches any text without a slash, and ** any text',
    };
  }),
};

/** Tells whether all alternatives are anchored on the same side. `^read|write$` is what begins so or ends so, and hardly meant. */
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

function* namesIn({ policy, keysOf }: LintSubject): Iterable<{ readonly text: string; readonly path: PolicyPath }> {
  for (const rule of policy.rules) {
    for (const { glob: text, path, field } of patternsOf(rule)) {
      // Other texts may well begin or end with a space.
      if (text !== undefined && (field !== 'args' || PATH_OR_URL.test(text.trim()))) yield { text, path };
    }
    for (const { field, path } of fieldsOf(rule)) {
      const keys = field === 'args' ? path.slice(path.indexOf('args') + 1) : [];
      for (const text of keys) if (typeof text === 'string') yield { text, path };
    }
  }
  for (const key of ['allow', 'deny'] as const) {
    for (const [index, text] of policy.serverPolicy[key].entries()) yield { text, path: ['server_policy', key, index] };
  }
  for (const [category, globs] of Object.entries(policy.classify)) {
    for (const [index, text] of (globs ?? []).entries()) yield { text, path: ['classify', category, index] };
  }
  for (const text of keysOf(['rate_limits', 'server'])) yield { text, path: ['rate_limits', 'server', text] };
}
