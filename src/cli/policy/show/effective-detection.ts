import { FAMILIES, type Family } from '../../../core/detect/types.ts';
import type { Detection, PolicyPath, Suppression } from '../../../core/policy/types.ts';

/** The one that cries wolf where it is not asked for. */
const OFF_BY_DEFAULT: ReadonlySet<Family> = new Set(['shell_injection']);

/**
 * `[detection]`: what becomes of what is found, from when on, by which rules, and what of it is suppressed; where it is switched off, only that it is.
 *
 * @param settle gives a value, by its path, its name and how it is shown, the place where it is written
 */
export function toDetectionSettings<T>(
  { enabled, threshold, onDefinition, onResult, onSampling, requireApproval, rules, suppress }: Detection,
  settle: (path: PolicyPath, name: string, shown: string) => T,
): readonly T[] {
  const settled = (name: string, value: string): T => settle(['detection', name], name, value);
  const isOn = settled('enabled', String(enabled));
  if (!enabled) return [isOn];
  return [
    isOn,
    settled('threshold', threshold),
    settled('on_definition', onDefinition),
    settled('on_result', onResult),
    settled('on_sampling', onSampling),
    settled('require_approval', String(requireApproval)),
    ...FAMILIES.map((family) => {
      const value = rules.families[family] ?? !OFF_BY_DEFAULT.has(family);
      return settle(['detection', 'families', family], `families.${family}`, String(value));
    }),
    ...rules.patterns.map(({ name, pattern, severity }, index) =>
      settle(['detection', 'pattern', index], `pattern custom.${name}`, `${JSON.stringify(pattern)}, ${severity}`),
    ),
    ...suppress.map((suppression, index) =>
      settle(['detection', 'suppress', index], `suppress ${suppressionName(suppression)}`, JSON.stringify(suppression.reason)),
    ),
  ];
}

/** `exfiltration.* at files:read_*`. */
function suppressionName({ server, tool, rule }: Suppression): string {
  return `${rule} at ${tool === undefined ? server : `${server}:${tool}`}`;
}
