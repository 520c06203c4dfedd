import type { Model } from '../../src/core/detect/model/find-telling.ts';
import type { GradedModel, Models } from '../../src/core/detect/model/models.ts';
import type { StoredModel } from '../../src/core/detect/model/stored-model.ts';
import type { Fitted } from './fit.ts';
import type { TrainingRow } from './training-rows.ts';

const MOST = 127;
/** Weights beyond this quantile are cut, so that a few large ones do not make the unit coarse. */
const CUT = 0.9998;

/**
 * Shares of honest rows that may score at least so high. For `high`, it is of the worst kind of source; rules on words add theirs. A definition
 * is there in each session, so fewer may be flagged.
 */
const HIGH = { definition: 0.0045, text: 0.007 } as const;
/** In a kind with few rows, one or two would decide. */
const FEW = 1000;
const HIGH_OF_FEW = { definition: 0.0075, text: 0.012 } as const;
const CRITICAL = 0.0004;
const MEDIUM = 0.05;

interface Scored {
  readonly row: TrainingRow;
  readonly score: number;
}

/** Makes the weights bytes. */
export function toModel({ weights, bias }: Fitted): Model {
  const sizes = Float32Array.from(weights, Math.abs).sort();
  const scale = (sizes[Math.floor(CUT * sizes.length)] ?? 1) / MOST || 1;
  const bytes = Int8Array.from(weights, (weight) => Math.max(-MOST, Math.min(MOST, Math.round(weight / scale))));
  return { weights: bytes, scale, bias };
}

/** Limits of severities, from scores of honest rows by models that have not seen their sources. */
export function thresholdsOf(scored: readonly Scored[], model: keyof Models): Pick<GradedModel, 'medium' | 'high' | 'critical'> {
  const honest = scored.filter(({ row }) => !['malicious', 'hard', 'chat'].includes(row.from));
  const kinds = [...Map.groupBy(honest, ({ row }) => row.from).values()];
  const high = Math.max(...kinds.map((of) => limitOf(of, (of.length < FEW ? HIGH_OF_FEW : HIGH)[model])));
  return { medium: limitOf(honest, MEDIUM), high, critical: Math.max(high, limitOf(honest, CRITICAL)) };
}

function limitOf(scored: readonly Scored[], share: number): number {
  const scores = scored.map(({ score }) => score).sort((one, other) => other - one);
  return rounded((scores[Math.floor(share * scores.length)] ?? 0) + 0.001);
}

/** The module of the models that ship. */
export function toSource({ definition, text }: Models): string {
  return [
    "import type { StoredModel } from './stored-model.ts';",
    '',
    '/** Written by `npm run train`; docs/detection.md says on what. */',
    "export const TRAINED: Readonly<Record<'definition' | 'text', StoredModel>> = {",
    ...member('definition', stored(definition)),
    ...member('text', stored(text)),
    '};',
    '',
  ].join('\n');
}

function stored({ weights, scale, bias, ...limits }: GradedModel): StoredModel {
  return { ...limits, scale: rounded(scale), bias: rounded(bias), weights: Buffer.from(weights.buffer).toString('base64') };
}

function member(name: string, { weights, ...numbers }: StoredModel): readonly string[] {
  const lines = Object.entries(numbers).map(([key, number]) => `    ${key}: ${number},`);
  return [`  ${name}: {`, ...lines, '    weights:', `      '${weights}',`, '  },'];
}

function rounded(number: number): number {
  return Number(number.toPrecision(6));
}
