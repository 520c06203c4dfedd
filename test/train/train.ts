// Trains the two models of detection, and prints how well they do on sources that they have not seen.
//   node test/train/train.ts <corpus folder>…
// The corpora are gzipped JSON Lines, as for `npm run score`. What stands in them is counted, never followed. The same rows give the same
// weights. Only rows with a permissive licence are trained on; all are measured.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GradedModel, Models } from '../../src/core/detect/model/models.ts';
import { readCorpus } from '../score/corpus.ts';
import { OWN_ROWS } from './own-rows.ts';
import type { DetectRow } from '../score/detect-rows.ts';
import { fit, type Fitted, scoreOf, type Settings } from './fit.ts';
import { formatEvaluation, judgeRows, type Judged } from './evaluation.ts';
import { foldsOf } from './folds.ts';
import { thresholdsOf, toModel, toSource } from './small-model.ts';
import { toTrainingRows, type TrainingRow } from './training-rows.ts';

const FOLDS = 8;
const SETTINGS: readonly Settings[] = [
  { kind: 'definition', epochs: 12, seeds: [1, 2] },
  { kind: 'text', epochs: 8, seeds: [1, 2] },
];
const TRAINED = join(import.meta.dirname, '../../src/core/detect/model/trained.ts');

const folders = process.argv.slice(2);
if (folders.length === 0) {
  process.stderr.write('usage: node test/train/train.ts <corpus folder>…\n');
  process.exitCode = 2;
} else {
  const rows = toTrainingRows([...folders.flatMap((folder) => readCorpus(folder)), ...OWN_ROWS]);
  const folds = foldsOf(rows, FOLDS);
  const [definition, text] = SETTINGS.map((settings) => train(rows, folds, settings));
  if (definition === undefined || text === undefined) throw new Error('there are two models');
  const judged = folds.flatMap((fold, index) => {
    const models = { definition: definition.ofFolds[index]!, text: text.ofFolds[index]! } satisfies Models;
    return judgeRows(fold, models);
  }) satisfies readonly Judged[];
  writeFileSync(TRAINED, toSource({ definition: definition.shipped, text: text.shipped }));
  process.stdout.write(`${formatEvaluation(judged)}\n`);
}

interface Trained {
  readonly shipped: GradedModel;
  /** One for each fold, which has not seen its rows. */
  readonly ofFolds: readonly GradedModel[];
}

function train(rows: readonly TrainingRow[], folds: readonly (readonly TrainingRow[])[], settings: Settings): Trained {
  const fitted = folds.map((fold) => {
    const left = new Set(fold);
    return fit(
      rows.filter((row) => !left.has(row) && isForTraining(row)),
      settings,
    );
  });
  const scored = folds.flatMap((fold, index) =>
    fold.filter(isOf(settings.kind)).map((row) => ({ row, score: scoreOf(row, fitted[index]!) })),
  );
  const thresholds = thresholdsOf(scored, settings.kind);
  const graded = (one: Fitted): GradedModel => ({ ...toModel(one), ...thresholds });
  process.stderr.write(`${settings.kind}s: folds fitted\n`);
  return { shipped: graded(fit(rows.filter(isForTraining), settings)), ofFolds: fitted.map(graded) };
}

function isOf(kind: DetectRow['kind']): (row: TrainingRow) => boolean {
  return ({ row }) => row.kind === kind;
}

/** Rows whose text does not show the malice would teach the wrong words. */
function isForTraining({ row, mayShip }: TrainingRow): boolean {
  return mayShip && (!row.isMalicious || row.isCore || row.kind === 'text');
}
