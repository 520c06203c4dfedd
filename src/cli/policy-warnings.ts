import { FAMILIES } from '../core/detect/types.ts';
import { compileGlob } from '../core/policy/glob.ts';
import { locate } from '../core/policy/locate.ts';
import type { Policy } from '../core/policy/types.ts';
import type { Fault } from '../errors.ts';
import { suggestName } from '../suggest.ts';

/** What is allowed in a policy and does nothing, each with its place: suppressions of rules that detection does not have. */
export function findWarnings(file: string, { text, detection }: Policy): readonly Fault[] {
  const custom = detection.rules.patterns.map(({ name }) => `custom.${name}`);
  return detection.suppress.flatMap(({ rule }, index): Fault[] => {
    if (isKnown(rule, custom)) return [];
    const place = { file, ...locate(text, ['detection', 'suppress', index, 'rule']) };
    return [
      {
        place,
        message: `detection has no rule ${JSON.stringify(rule)}, so this suppresses nothing`,
        hint: hintFor(rule, custom),
      },
    ];
  });
}

/** Rules are `FAMILY.NAME`; the names in a family are many, and change with versions. */
function isKnown(rule: string, custom: readonly string[]): boolean {
  const glob = compileGlob(rule);
  if (custom.some((name) => glob.matches(name))) return true;
  const [family = '', ...rest] = rule.split('.');
  // Without a dot only a glob that crosses it, such as `**`, can match one.
  if (rest.length === 0) return FAMILIES.some((known) => glob.matches(`${known}.x`));
  const families = compileGlob(family === '' ? '-' : family);
  return FAMILIES.some((known) => families.matches(known));
}

function hintFor(rule: string, custom: readonly string[]): string {
  const [family = '', ...rest] = rule.split('.');
  const known = FAMILIES.find((each) => each === family);
  if (known !== undefined) return `did you mean "${known}.*"?`;
  const meant = family === 'custom' ? suggestName(rule, custom) : suggestName(family, FAMILIES);
  if (meant === undefined)
    return `a rule is FAMILY.NAME, with one of these: ${FAMILIES.join(', ')}, or custom.NAME for a pattern of yours`;
  return `did you mean "${[meant, ...(family === 'custom' ? [] : rest)].join('.')}"?`;
}
