/** A model as it is stored: the numbers of `GradedModel`, with one signed byte for each weight, as base64. */
export interface StoredModel {
  readonly medium: number;
  readonly high: number;
  readonly critical: number;
  readonly scale: number;
  readonly bias: number;
  readonly weights: string;
}
