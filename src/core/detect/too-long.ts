import type { Detection } from './types.ts';

/** The rule for content that was not inspected completely. */
export const TOO_LONG = 'obfuscation.too_long';

/** Reports content that was not inspected completely. @param what describes its size */
export function tooLong({ field, as }: { readonly field: string; readonly as: 'definition' | 'text' }, what: string): Detection {
  return {
    rule: TOO_LONG,
    family: 'obfuscation',
    severity: as === 'definition' ? 'medium' : 'low',
    description: `Has ${what}, not all of which were scanned`,
    field,
    matches: [],
  };
}
