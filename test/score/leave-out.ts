import { knownWords } from '../../src/core/detect/inspect-text.ts';
import { matchRules, RuleIndex } from '../../src/core/detect/engine/match-rules.ts';
import { readClauses } from '../../src/core/detect/engine/read-clauses.ts';
import { fieldsOf } from '../../src/core/detect/fields-of.ts';
import { normalise } from '../../src/core/detect/normalise/normalise.ts';
import { RULES } from '../../src/core/detect/rules/rules.ts';
import type { DetectRow } from './detect-rows.ts';

/** What is found of one source when nothing is used that only this source bears out. */
export interface LeftOut {
  readonly group: string;
  readonly kind: DetectRow['kind'];
  readonly rows: number;
  readonly found: number;
  /** Ways to say something that were left out. */
  readonly left: number;
}

/** One rule for each way to say it. */
const WAYS = RULES.flatMap((rule) => rule.ways.map((way, index) => ({ ...rule, id: `${rule.id}#${index}`, ways: [way] })));
const OF_TEXTS = new RuleIndex(WAYS.filter(({ isOfNames }) => !isOfNames));
const OF_NAMES = new RuleIndex(WAYS.filter(({ isOfNames }) => isOfNames));

/**
 * Weights and words were written by people who saw all sources, but a way to say something that hits in one source alone may have been written for it.
 *
 * @param countFound how many of these rows are found without these ways
 */
export function leaveEachOut(
  rows: readonly DetectRow[],
  countFound: (rows: readonly DetectRow[], left: ReadonlySet<string>) => number,
): readonly LeftOut[] {
  const core = rows.filter(({ isMalicious, isCore }) => isMalicious && isCore);
  const users = new Map<string, Set<string>>();
  for (const row of core) {
    for (const way of waysIn(row)) users.set(way, (users.get(way) ?? new Set<string>()).add(row.group));
  }
  return [...Map.groupBy(core, ({ kind, group }) => JSON.stringify([kind, group])).values()].map((group) => {
    const name = group[0]?.group ?? '';
    const left = new Set([...users].filter(([, groups]) => groups.size === 1 && groups.has(name)).map(([way]) => way));
    return { group: name, kind: group[0]?.kind ?? 'text', rows: group.length, found: countFound(group, left), left: left.size };
  });
}

function waysIn(row: DetectRow): ReadonlySet<string> {
  const texts = row.kind === 'text' ? row.texts.map(({ text }) => ({ text, isName: false })) : fieldsOf(row.definition.value);
  const found = new Set<string>();
  for (const { text, isName } of texts) {
    const { plain, hidden } = normalise(text);
    for (const part of [plain, ...hidden]) {
      const hits = matchRules(readClauses(part, knownWords(), new Map()), isName ? OF_NAMES : OF_TEXTS);
      for (const { rule } of hits) found.add(rule.id);
    }
  }
  return found;
}
