import type { Complaints } from './complaints.ts';
import { flag, type Keys, openTable, readValues, usualValues, type Values, word } from './keys.ts';
import type { TomlValue } from './toml.ts';

/** `[pinning]`. */
export const PINNING = {
  enabled: flag(true, 'Whether definitions are held to what was approved.'),
  trust_first_use: flag(
    true,
    'What is seen for the first time counts as approved; false: nothing does until a person has approved it.',
  ),
  on_change: word(['deny', 'hide', 'prompt', 'alert'], {
    usual: 'deny',
    noun: 'action',
    plural: 'actions',
    said: '"deny" denies calls of what has changed, "hide" also takes it out of the lists, "prompt" asks a person for each call, "alert" only records it.',
  }),
} as const satisfies Keys;

/** What becomes of calls whose definition is another one than a person approved. */
export type Pinning = Values<typeof PINNING>;

/** What becomes of what was not approved as it is. `hide`: out of the server's lists, and denied. */
export type OnChange = Pinning['onChange'];

/** A policy without the table. */
export const DEFAULT_PINNING: Pinning = usualValues(PINNING);

/** Reads `[pinning]`: what becomes of calls whose definition is not as it was approved. */
export function parsePinning(value: TomlValue | undefined, to: Complaints): Pinning {
  return readValues(openTable(value, { path: ['pinning'], to }, PINNING), PINNING);
}
