import type { Complaints } from './complaints.ts';
import { flag, type Keys, openTable, readValues, usualValues, type Values, word } from './keys.ts';
import type { TomlValue } from './toml.ts';

/** `[pinning]`. */
export const PINNING = {
  enabled: flag(true, 'Whether clawai compares definitions with what was approved.'),
  trust_first_use: flag(
    true,
    'true: a definition counts as approved when it is first seen; false: only once a person has approved it.',
  ),
  on_change: word(['deny', 'hide', 'prompt', 'alert'], {
    usual: 'deny',
    noun: 'action',
    plural: 'actions',
    said: '"deny" denies calls to a changed definition, "hide" also removes it from the lists, "prompt" asks a person about each call, "alert" only records it.',
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
