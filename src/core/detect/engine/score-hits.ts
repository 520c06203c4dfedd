import type { Severity } from '../../finding.ts';
import type { Hit } from './match-rules.ts';

/** A hit that counts, with its severity. */
export interface Scored {
  readonly hit: Hit;
  readonly severity: Severity;
}

/** Least points of each severity. Two independent signs of four are as good as a near-certain one. */
const CRITICAL = 11;
const HIGH = 6;
const MEDIUM = 3.5;
const LOW = 2;

/** Signs within so many consecutive clauses are added up: an order and its excuse are neighbours. */
const NEIGHBOURS = 4;

function toSeverity(points: number): Severity | undefined {
  if (points >= CRITICAL) return 'critical';
  if (points >= HIGH) return 'high';
  if (points >= MEDIUM) return 'medium';
  return points >= LOW ? 'low' : undefined;
}

/**
 * Scores the hits of one text: each by itself, except the strongest of neighbours, which gets their sum.
 *
 * @param pointsOf points of a hit by itself
 */
export function scoreHits(hits: readonly Hit[], pointsOf: (hit: Hit) => number): readonly Scored[] {
  const together = new Map<Hit, number>();
  for (let from = 0; from < hits.length; from += 1) {
    const group = strongestOfEachRule(hits, from, pointsOf);
    if (group.length === 0) continue;
    const best = group.reduce((one, other) => (pointsOf(other) > pointsOf(one) ? other : one));
    const sum = group.reduce((points, hit) => points + pointsOf(hit), 0);
    together.set(best, Math.max(together.get(best) ?? 0, sum));
  }
  return hits.flatMap((hit) => {
    const alone = hit.rule.toModel === 'beside' ? 0 : pointsOf(hit);
    const severity = toSeverity(together.get(hit) ?? alone);
    return severity === undefined ? [] : [{ hit, severity }];
  });
}

function strongestOfEachRule(hits: readonly Hit[], from: number, pointsOf: (hit: Hit) => number): readonly Hit[] {
  const best = new Map<string, Hit>();
  const start = hits[from]?.clause ?? 0;
  for (let index = from; index < hits.length; index += 1) {
    const hit = hits[index];
    if (hit === undefined || hit.clause - start >= NEIGHBOURS) break;
    const before = best.get(hit.rule.id);
    if (before === undefined || pointsOf(hit) > pointsOf(before)) best.set(hit.rule.id, hit);
  }
  const found = [...best.values()];
  const isSpokenTo = found.some(({ rule }) => rule.toModel === 'speaks');
  return isSpokenTo ? found : found.filter(({ rule }) => rule.toModel !== 'beside');
}
