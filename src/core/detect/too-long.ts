import type { Detection } from './types.ts';

/** The rule by which it shows that not all was looked at. */
export const TOO_LONG = 'obfuscation.too_long';

/** Tells that not all was looked at. @param what there is of it */
export function tooLong({ field, as }: { readonly field: string; readonly as: 'definition' | 'text' }, what: string): Detection {
  return {
    rule: TOO_LONG,
    family: 'obfuscation',
    severity: as === 'definition' ? 'medium' : 'low',
    description: `Has ${what}, of which not all were looked at`,
    field,
    matches: [],
  };
}
