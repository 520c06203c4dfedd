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

/** Settings for calls whose definition differs from the approved one. */
export type Pinning = Values<typeof PINNING>;

/** The action on an unapproved definition. `hide`: removed from the server's lists, and denied. */
export type OnChange = Pinning['onChange'];

/** A policy without the table. */
export const DEFAULT_PINNING: Pinning = usualValues(PINNING);

/** Reads `[pinning]`: the settings for calls whose definition differs from the approved one. */
export function parsePinning(value: TomlValue | undefined, to: Complaints): Pinning {
  return readValues(openTable(value, { path: ['pinning'], to }, PINNING), PINNING);
}
