import { normalise, type Normalised } from '../../normalise/normalise.ts';
import type { Detection } from '../../types.ts';
import { findEncoded } from './encoded.ts';
import type { FindHiding } from './finding.ts';
import { findInvisible } from './invisible.ts';
import { findLayout } from './layout.ts';
import { findLookalikeLetters } from './lookalikes.ts';
import { findTerminal } from './terminal.ts';

const HIDINGS: readonly FindHiding[] = [findInvisible, findTerminal, findLookalikeLetters, findLayout, findEncoded];

/**
 * Finds ways of hiding text, in the text as sent. Takes time linear in it.
 *
 * @param field place of the findings, e.g. `description`
 * @param normalised the same text normalised, if the caller has it
 */
export function findObfuscation(field: string, text: string, normalised: Normalised = normalise(text)): readonly Detection[] {
  const seen = { field, text, normalised };
  const found: Detection[] = [];
  return found.concat(...HIDINGS.map((find) => find(seen)));
}
