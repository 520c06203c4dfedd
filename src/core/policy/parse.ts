import { checkKeys, complain, type Complaints } from './complaints.ts';
import { parseRule } from './parse-rule.ts';
import { parseTables, type PolicyResult, TABLES } from './tables.ts';
import { isTomlTable, parseToml, type TomlTable, type TomlValue } from './toml.ts';
import type { Rule } from './types.ts';
import type { RegexCompiler } from '../patterns/regex.ts';

/** The keys of a project's policy: rules that are stricter than the user's own policy, and nothing else. */
const PROJECT_KEYS = ['rule'];
const POLICY_KEYS = [...Object.keys(TABLES), 'rule'];
const HINTS = new Map([
  // Tables by the names that other tools have for them.
  ['cross_server', 'did you mean "flow"?'],
  ['version_pinning', 'did you mean "pinning"?'],
  ...['mode', 'on_error', 'state_dir', 'limits', 'audit'].map((key) => [key, 'it belongs in config.toml'] as const),
]);

export interface ParseOptions {
  /** Origin of the text, kept in the policy. */
  readonly file: string;
  /** Compiles `regex` operators; without one, a policy that has any comes back with `needsRegex`. */
  readonly regex?: RegexCompiler;
  /** Set for a project's text: only rules, and none that allows. */
  readonly isProject?: boolean;
}

/**
 * Parses a policy. Strict: anything not understood is an error, since a typo must never weaken a policy. Errors are values, all of them at
 * once; an empty text is a valid policy that denies everything.
 */
export function parsePolicy(text: string, { file, regex, isProject = false }: ParseOptions): PolicyResult {
  const toml = parseToml(text);
  if (!toml.ok) return { ok: false, syntax: toml.syntax };
  const to: Complaints = { errors: [], regex, needsRegex: false };
  const { table } = toml;
  if (isProject) checkProject(table, to);
  else checkKeys(to, [], table, { read: POLICY_KEYS, hints: HINTS, where: 'the policy' });
  const tables = parseTables(table, to);
  const rules = parseRules(table['rule'], to);
  if (to.errors.length > 0 || to.needsRegex) return { ok: false, errors: to.errors, needsRegex: to.needsRegex };
  return { ok: true, policy: { file, text, ...tables, rules } };
}

/** Checks a project's policy. Anybody may have written it, so it may deny and prompt, and never allow. */
function checkProject(table: TomlTable, to: Complaints): void {
  for (const key of Object.keys(table)) {
    if (PROJECT_KEYS.includes(key)) continue;
    if (POLICY_KEYS.includes(key))
      complain(to, [key], `"${key}" does not belong in a project's policy`, 'it can only have [[rule]] tables');
    else checkKeys(to, [], { [key]: true }, { read: PROJECT_KEYS, where: "a project's policy" });
  }
  const rules = Array.isArray(table['rule']) ? table['rule'] : [];
  for (const [index, rule] of rules.entries()) {
    if (!isTomlTable(rule) || rule['action'] !== 'allow') continue;
    complain(to, ['rule', index, 'action'], "a project's policy cannot allow anything", 'action = "deny" or "prompt"');
  }
}

function parseRules(value: TomlValue | undefined, to: Complaints): Rule[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    complain(to, ['rule'], 'rules are a list of tables', isTomlTable(value) ? 'write [[rule]] with two brackets' : undefined);
    return [];
  }
  const rules: Rule[] = [];
  const ids = new Map<string, number>();
  for (const [index, item] of value.entries()) {
    const rule = parseRule(item, index, to);
    if (rule === undefined) continue;
    rules.push(rule);
    if (rule.id === undefined) continue;
    const earlier = ids.get(rule.id);
    if (earlier === undefined) ids.set(rule.id, index);
    else
      complain(
        to,
        ['rule', index, 'id'],
        `rule ${earlier + 1} already has the id "${rule.id}"`,
        'ids name rules in fixtures and logs',
      );
  }
  return rules;
}
