import type { DefinitionInput, TextField, TextOrigin } from '../../../core/detect/types.ts';

/** Something that is not looked at, and why, as phrases. */
export interface Skipped {
  readonly what: string;
  readonly why: string;
}

/** Texts of one message. */
export interface TextsInput {
  readonly kind: TextOrigin;
  readonly fields: readonly TextField[];
  readonly skipped: readonly Skipped[];
}

/** One thing to look at. */
export type ItemInput = DefinitionInput | TextsInput;

/** Things that are looked at together: what one server declares, or what stands on one line. */
export interface ItemGroup {
  /** What they were read from: a line of a JSON Lines file, from 1. */
  readonly line?: number | undefined;
  /** What the server is called; empty where nobody knows. */
  readonly server: string;
  readonly items: readonly ItemInput[];
  /** What of this part could not be read as anything to look at. */
  readonly skipped: readonly Skipped[];
}

export function isTexts(item: ItemInput): item is TextsInput {
  return 'fields' in item;
}
