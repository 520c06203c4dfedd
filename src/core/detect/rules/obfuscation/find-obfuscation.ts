import { normalise, type Normalised } from '../../normalise/normalise.ts';
import type { Detection } from '../../types.ts';
import { detection, type FindHiding } from './finding.ts';
import { findInvisible } from './invisible.ts';
import { findLayout } from './layout.ts';
import { findLookalikeLetters } from './lookalikes.ts';
import { findTerminal } from './terminal.ts';
import type { Severity } from '../../../finding.ts';
import type { Hiding } from '../../normalise/decode/bytes-as-text.ts';
import { isOrderLike } from '../../normalise/order-words.ts';

/** Encodings that honest texts have as well: reported if an order results. Those of invisible characters have their own rules. */
const ENCODINGS: Readonly<Partial<Record<Hiding, { readonly severity: Severity; readonly name: string }>>> = {
  base64: { severity: 'high', name: 'base64' },
  hex: { severity: 'high', name: 'hexadecimal digits' },
  binary: { severity: 'high', name: 'binary digits' },
  decimal: { severity: 'high', name: 'numbers of characters' },
  base32: { severity: 'high', name: 'base32' },
  spelling: { severity: 'medium', name: 'odd spelling' },
  spacing: { severity: 'medium', name: 'spaced letters' },
  rot13: { severity: 'high', name: 'ROT13 or backwards' },
};

/** Characters of the encoded text that are shown. */
const TOLD = 64;

/** Finds encoded text that decodes to a sentence like an order. */
export const findEncoded: FindHiding = (seen) => {
  const found: Detection[] = [];
  const { hidden, origins } = seen.normalised;
  for (const [index, { hiding, position, text }] of origins.entries()) {
    const encoding = ENCODINGS[hiding];
    const decoded = hidden[index] ?? '';
    if (encoding === undefined || found.some(({ rule }) => rule === `obfuscation.encoded_${hiding}`) || !isOrderLike(decoded))
      continue;
    const end = Math.min(seen.text.length, position + Math.max(TOLD, text.length));
    const description = `a text in ${encoding.name} that decodes to something like an instruction`;
    const places = [{ start: position, end }];
    found.push(detection(seen, { rule: `encoded_${hiding}`, severity: encoding.severity, description, places, decoded: hiding }));
  }
  return found;
};

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
