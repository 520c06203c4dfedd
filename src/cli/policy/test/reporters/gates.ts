import { formatCount } from '../../../terminal/layout.ts';
import type { Annotation } from '../../annotations.ts';
import type { TestReport } from '../test-report.ts';
import { placeOf, type ReportContext } from './describe-result.ts';

/** A minimum for fixtures, and what they reach of it. */
export interface Gate {
  readonly name: 'coverage' | 'mutation';
  /** The percentage that fixtures reach, rounded down to a tenth; 100 if there is nothing to reach. */
  readonly percent: number;
  readonly min: number | undefined;
  /** True if the minimum is reached. */
  readonly isMet: boolean;
  /** The count in words, and the minimum. */
  readonly line: string;
  /** Rules or mutants that no fixture reaches, in file order, each with its `place` as `file:line`. */
  readonly gaps: readonly (Pick<Annotation, 'title' | 'isTitleSubject' | 'message'> & {
    /** The line, from 1; undefined if it is not known. */
    readonly line: number | undefined;
    readonly place: string;
  })[];
}

/** Both gates as far as they are asked for: rules that are hit, and mutants that are noticed. Of mutants nothing is known where fixtures fail. */
export function gatesOf(report: TestReport, context: ReportContext): readonly Gate[] {
  const mutation = mutationGate(report, context);
  return [...(context.minCoverage === undefined ? [] : [coverageGate(report, context)]), ...(mutation ? [mutation] : [])];
}

export function coverageGate({ coverage: { hit, rules, missedIndexes } }: TestReport, context: ReportContext): Gate {
  const { minCoverage: min } = context;
  const reached = measure(hit, rules, min);
  const line = `${reached.percent} % of the rules were hit${belowWords(reached)}`;
  const message = `no fixture hits this rule: ${line}`;
  const gaps = missedIndexes.map((index) => {
    const title = context.rules[index] ?? '';
    return { title, isTitleSubject: true, message, line: context.ruleLines[index], place: placeOf(index, context) };
  });
  return { name: 'coverage', ...reached, line, gaps };
}

export function mutationGate({ mutation }: TestReport, { policy, minMutation: min }: ReportContext): Gate | undefined {
  if (mutation === undefined || mutation === null) return undefined;
  const { killed, survivors } = mutation;
  const all = killed + survivors.length;
  const reached = measure(killed, all, min);
  const summary = `${reached.percent} % of the mutants were noticed (${formatCount(killed)} of ${formatCount(all)})${belowWords(reached)}`;
  const gaps = survivors.map(({ change, need, line }) => {
    const message = `no fixture notices ${change}; missing is ${need}`;
    return { title: change, message, line, place: `${policy}:${line}` };
  });
  return { name: 'mutation', ...reached, line: summary, gaps };
}

function belowWords({ isMet, min }: Pick<Gate, 'isMet' | 'min'>): string {
  return isMet ? '' : `, below the required ${min} %`;
}

/** Tells whether a gate has something to say to those who want to hear of failures alone. Without a minimum, each gap is one. */
export function isFailing({ isMet, min, gaps }: Gate): boolean {
  return !isMet || (min === undefined && gaps.length > 0);
}

function measure(reached: number, all: number, min: number | undefined): Pick<Gate, 'percent' | 'min' | 'isMet'> {
  const percent = all === 0 ? 100 : Math.floor((reached / all) * 1000) / 10;
  return { percent, min, isMet: reached * 100 >= (min ?? 0) * all };
}
