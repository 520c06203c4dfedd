import type { Family } from '../types.ts';
import { toConceptSet, type ConceptSet } from './concepts.ts';

/**
 * A rule about the words of one clause, as data. `words` are steps in order: `read&imp >6 secretpath` is a verb that leads an order and,
 * behind it, with at most six words between, a path to secrets. `|` separates alternatives, `&` joins concepts that one word must have, and
 * `!` precedes a concept that it must not have. Without a number, at most `USUAL_GAP` words may lie between.
 */
export interface RuleText {
  /** Name within the family. */
  readonly id: string;
  /** One sentence for people, without a full stop. */
  readonly says: string;
  /** Different ways to say it. */
  readonly words: readonly string[];
  /** Weight in a definition: from 6 on it is `high` by itself. */
  readonly definition: number;
  /** Weight in an incoming text; the definition's by default. */
  readonly text?: number;
  /** Concepts that cancel the match if one of them stands among its words, or up to three before them. */
  readonly unless?: string;
  /** Set if it only applies to names of parameters. */
  readonly isOfNames?: true;
  /** `speaks`: it shows that a model is spoken to. `beside`: it only counts near such a match, and not by itself. */
  readonly toModel?: 'speaks' | 'beside';
}

/** One place in a rule: a word has to meet each of `all` and none of `none`. */
export interface Step {
  readonly all: readonly ConceptSet[];
  readonly none: ConceptSet;
  /** Most words between it and the step before. */
  readonly gap: number;
}

export interface Rule {
  readonly id: string;
  readonly family: Family;
  readonly says: string;
  readonly definition: number;
  readonly text: number;
  readonly unless: ConceptSet;
  readonly isOfNames: boolean;
  readonly toModel: 'speaks' | 'beside' | undefined;
  readonly ways: readonly Way[];
}

/** One way to say it. */
export interface Way {
  readonly steps: readonly Step[];
  /** Concepts that a clause must have somewhere to match. */
  readonly needs: readonly ConceptSet[];
}

const USUAL_GAP = 4;

/** Parses a family's rules. Throws for one that is not written as `RuleText` describes. */
export function toRules(family: Family, texts: readonly RuleText[]): readonly Rule[] {
  return texts.map(({ id, says, words, definition, text = definition, unless = '', isOfNames = false, toModel }) => ({
    id: `${family}.${id}`,
    family,
    says,
    definition,
    text,
    unless: toConceptSet(unless === '' ? [] : unless.split('|')),
    isOfNames,
    toModel,
    ways: words.map(toWay),
  }));
}

function toWay(words: string): Way {
  const steps = toSteps(words);
  return { steps, needs: steps.flatMap(({ all }) => all) };
}

function toSteps(words: string): readonly Step[] {
  const steps: Step[] = [];
  let gap = USUAL_GAP;
  for (const part of words.split(' ')) {
    if (part.startsWith('>')) {
      gap = Number(part.slice(1));
      continue;
    }
    const pieces = part.split('&');
    steps.push({
      all: pieces.filter((piece) => !piece.startsWith('!')).map((piece) => toConceptSet(piece.split('|'))),
      none: toConceptSet(pieces.flatMap((piece) => (piece.startsWith('!') ? piece.slice(1).split('|') : []))),
      gap,
    });
    gap = USUAL_GAP;
  }
  return steps;
}
