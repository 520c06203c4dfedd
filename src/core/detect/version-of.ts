import { hash } from 'node:crypto';
import { TRAINED } from './model/trained.ts';
import { RULES } from './rules/rules.ts';
import type { DetectionRules } from './types.ts';
import { ENGLISH } from './words/english.ts';
import { WRITTEN_WITH_SPACES, WRITTEN_WITHOUT_SPACES } from './words/languages.ts';
import { PERSISTENT_PATH_PARTS, SECRET_PATH_PARTS } from './words/paths.ts';

/** Increase it when findings change for another reason than words and rules. */
const ENGINE = 5;

const WORDS = [ENGLISH, WRITTEN_WITH_SPACES, WRITTEN_WITHOUT_SPACES, SECRET_PATH_PARTS, PERSISTENT_PATH_PARTS];

/** Hexadecimal digits. */
const LENGTH = 16;

let own: string | undefined;

/** A name for everything that determines a detector's findings: those of another version may differ. */
export function versionOf({ families, patterns }: Partial<DetectionRules>): string {
  own ??= digest([RULES, WORDS, TRAINED]);
  const switched = Object.entries(families ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const isUsual = switched.length === 0 && (patterns ?? []).length === 0;
  return `${ENGINE}.${own}${isUsual ? '' : `.${digest([switched, patterns])}`}`;
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'hex').slice(0, LENGTH);
}
