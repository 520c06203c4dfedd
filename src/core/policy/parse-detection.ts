import { suggestName } from '../../suggest.ts';
import { RULE_IDS } from '../detect/rule-ids.ts';
import { type CustomPattern, type DetectionRules, FAMILIES } from '../detect/types.ts';
import { SEVERITIES } from '../finding.ts';
import { compileGlob, findGlobFault } from '../patterns/glob.ts';
import { checkKeys, complain, complainOfType, type Complaints } from './complaints.ts';
import { flag, type Keys, openTable, OWN, type Place, readFlag, readValues, readWord, type Values, word } from './keys.ts';
import { checkPattern, checkPatternName, readText, tablesOf, patternsOf } from './parse-patterns.ts';
import { isTomlTable, type TomlTable, type TomlValue } from './toml.ts';
import type { PolicyPath } from './types.ts';

interface Known {
  readonly to: Complaints;
  readonly patterns: readonly string[];
}

const ON_TEXT = ['alert', 'redact', 'deny'] as const;
const TEXT_DESCRIPTION = '"redact" removes the text, "deny" withholds the whole answer.';

/** `[detection]`. */
export const DETECTION = {
  enabled: flag(true, 'Whether clawai scans texts.'),
  on_definition: word(['alert', 'hide', 'deny'], {
    usual: 'alert',
    noun: 'action',
    description:
      '"alert" reports it. "hide" removes the tool from the list and "deny" denies its calls, until a person approves it.',
  }),
  on_result: word(ON_TEXT, {
    usual: 'alert',
    noun: 'action',
    description: `What happens to answers of servers with findings. ${TEXT_DESCRIPTION}`,
  }),
  on_sampling: word(ON_TEXT, {
    usual: 'alert',
    noun: 'action',
    description: `What happens to requests of servers to the model or the user with findings. ${TEXT_DESCRIPTION}`,
  }),
  require_approval: flag(false, 'Whether a person must agree before a tool with a critical finding is called.'),
  threshold: word(SEVERITIES, {
    usual: 'high',
    noun: 'severity',
    description: 'Findings below this severity are stored with the definition, but neither reported nor acted on.',
  }),
  families: OWN,
  pattern: OWN,
  suppress: OWN,
} as const satisfies Keys;

/** Settings for texts in which something was found that should not reach a model. */
export interface Detection extends Values<typeof DETECTION> {
  readonly rules: DetectionRules;
  readonly suppress: readonly Suppression[];
}

/** The action on messages with findings in their texts. `redact`: they go on without the findings. */
export type OnText = Detection['onResult'];

/** Findings that the policy's user wants neither reported nor acted on. */
export interface Suppression {
  /** Globs for the server, its tool, and a detector's rule. */
  readonly server: string;
  /** Absent for everything that the server sends. */
  readonly tool?: string;
  readonly rule: string;
  /** Explains it to a reader of the suppressed findings. */
  readonly reason: string;
}

/** Reads `[detection]`: the actions on texts in which something was found that should not reach a model. */
export function parseDetection(value: TomlValue | undefined, to: Complaints): Detection {
  const place = openTable(value, { path: ['detection'], to }, DETECTION);
  const patterns = patternsOf(place, parsePattern);
  return {
    ...readValues(place, DETECTION),
    rules: { families: parseFamilies(place), patterns },
    suppress: tablesOf(place, 'suppress').flatMap((table) => parseSuppression(table, namesIn(place.table)) ?? []),
  };
}

function parseFamilies({ table, to }: Place): DetectionRules['families'] {
  const value = table['families'];
  const path = ['detection', 'families'];
  if (value === undefined) return {};
  if (!isTomlTable(value)) {
    complainOfType(to, path, value, 'a table');
    return {};
  }
  checkKeys(to, path, value, { read: FAMILIES, where: '[detection.families]' });
  const place = { table: value, path, to };
  return Object.fromEntries(FAMILIES.map((family) => [family, readFlag(place, family)]).filter(([, isOn]) => isOn !== undefined));
}

function parsePattern(place: Place): CustomPattern | undefined {
  const { table, path, to } = place;
  checkKeys(to, path, table, {
    read: ['name', 'pattern', 'severity', 'description'],
    where: '[[detection.pattern]]',
  });
  const name = readText(place, 'name');
  const pattern = readText(place, 'pattern');
  const severity = readWord(place, 'severity', { words: SEVERITIES, noun: 'severity' });
  if (severity === undefined && table['severity'] === undefined)
    complain(to, path, 'a pattern needs a severity', `one of: ${SEVERITIES.join(', ')}`);
  const description = table['description'] === undefined ? '' : readText(place, 'description');
  if (name !== undefined) checkPatternName(name, place, 'it is shown as custom.NAME');
  if (pattern !== undefined) checkPattern(pattern, [...path, 'pattern'], to);
  if (name === undefined || pattern === undefined || severity === undefined || description === undefined) return undefined;
  return { name, pattern, severity, description };
}

/** The names of all patterns, even faulty ones, whose faults are reported elsewhere. */
function namesIn({ pattern }: TomlTable): readonly string[] {
  if (!Array.isArray(pattern)) return [];
  return (pattern as readonly TomlValue[]).flatMap((one) =>
    isTomlTable(one) && typeof one['name'] === 'string' ? one['name'] : [],
  );
}

function parseSuppression(place: Place, patterns: readonly string[]): Suppression | undefined {
  const { table, path, to } = place;
  checkKeys(to, path, table, {
    read: ['server', 'tool', 'rule', 'reason'],
    where: '[[detection.suppress]]',
  });
  const server = readGlob(place, 'server');
  const tool = table['tool'] === undefined ? undefined : readGlob(place, 'tool');
  const rule = readGlob(place, 'rule');
  const reason = readText(place, 'reason');
  if (rule !== undefined) checkSuppressedRule(rule, [...path, 'rule'], { to, patterns });
  const isWhole = server !== undefined && rule !== undefined && reason !== undefined;
  // An unreadable tool would make it apply to all of them.
  if (!isWhole || (tool === undefined && table['tool'] !== undefined)) return undefined;
  return { server, ...(tool === undefined ? {} : { tool }), rule, reason };
}

function readGlob(place: Place, key: string): string | undefined {
  const glob = readText(place, key);
  const fault = glob === undefined ? undefined : findGlobFault(glob);
  if (fault === undefined) return glob;
  complain(place.to, [...place.path, key], `bad glob: ${fault}`);
  return undefined;
}

/**
 * Complains of a suppression of an unknown rule: it would suppress nothing, and nobody would know why.
 *
 * @param rule a glob over `FAMILY.NAME`
 * @param patterns names of the policy's own patterns
 */
export function checkSuppressedRule(rule: string, path: PolicyPath, { to, patterns }: Known): void {
  const own = patterns.map((name) => `custom.${name}`);
  const glob = compileGlob(rule);
  if (RULE_IDS.some((id) => glob.matches(id)) || own.some((id) => glob.matches(id))) return;
  complain(to, path, `detection has no rule ${JSON.stringify(rule)}`, hintFor(rule, own));
}

/** Rules about secrets in arguments had this name before `[dlp]`. */
const OF_ARGUMENTS = 'credential_theft.secret_in_argument';

function hintFor(rule: string, own: readonly string[]): string {
  const [family = ''] = rule.split('.', 1);
  if (rule === OF_ARGUMENTS) return 'secrets in arguments belong to [dlp]: its key "allow" lists what is no secret';
  const meant = suggestName(rule, [...RULE_IDS, ...own, ...FAMILIES.map((known) => `${known}.*`)]);
  if (meant !== undefined) return `did you mean "${meant}"?`;
  const names = RULE_IDS.filter((id) => id.startsWith(`${family}.`));
  if (names.length > 0) return `one of: ${[`${family}.*`, ...names].join(', ')}`;
  return `a rule is FAMILY.NAME, with one of these: ${FAMILIES.join(', ')}, or custom.NAME for a pattern of yours`;
}
