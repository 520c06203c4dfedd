import type { Model } from './find-telling.ts';
import type { StoredModel } from './stored-model.ts';
import { TRAINED } from './trained.ts';

/** A model with the log-odds from which a passage is as severe as that. */
export interface GradedModel extends Model {
  readonly medium: number;
  readonly high: number;
  readonly critical: number;
}

/** One model for definitions, one for all other texts. */
export interface Models {
  readonly definition: GradedModel;
  readonly text: GradedModel;
}

let models: Models | undefined;

/** The models that ship. They are decoded at first use. */
export function trainedModels(): Models {
  models ??= { definition: decode(TRAINED.definition), text: decode(TRAINED.text) };
  return models;
}

function decode(stored: StoredModel): GradedModel {
  const bytes = Buffer.from(stored.weights, 'base64');
  return { ...stored, weights: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length) };
}
