import type { Family } from '../types.ts';
import { toConceptSet, type ConceptSet } from './concepts.ts';

/**
 * What words in one clause give away, as data. `words` are steps in their order: `read&imp >6 secretpath` is a verb that leads an order, and behind
 * it, with at most six words between, a path behind which secrets lie. `|` parts what may stand there, `&` what a word has to be at once, `!` before a
 * concept what it must not be. Without a number at most `USUAL_GAP` words may lie between.
 */
export interface RuleText {
  /** Behind the family's name. */
  readonly id: string;
  /** One sentence for people, without a full stop. */
  readonly says: string;
  /** Different ways to say it. */
  readonly words: readonly string[];
  /** How much it says of a definition: from 6 on it is `high` by itself. */
  readonly definition: number;
  /** Of a text that comes in; as of a definition where it is absent. */
  readonly text?: number;
  /** Concepts that take it back where one of them stands among the words, or up to three before them. */
  readonly unless?: string;
  /** It is about the names of parameters alone. */
  readonly isOfNames?: true;
  /** It tells that a model is spoken to, or that it is not: `speaks` of the one, `beside` of what counts where one of these is near, and not by itself. */
  readonly toModel?: 'speaks' | 'beside';
}

/** One place in a rule: a word has to meet each of `all` and none of `none`. */
export interface Step {
  readonly all: readonly ConceptSet[];
  readonly none: ConceptSet;
  /** Words between it and the one before, at most. */
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
  /** What a clause has to have somewhere, or it is not said there. */
  readonly needs: readonly ConceptSet[];
}

const USUAL_GAP = 4;

/** Reads a family's rules. Throws for one that is not written as `RuleText` says. */
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
