import { CATEGORIES, type Category } from '../call.ts';
import type { RegexCompiler } from '../patterns/regex.ts';
import { checkKeys, complain, complainOfType, type Complaints } from './complaints.ts';
import { parseApproval } from './parse-approval.ts';
import { parseDetection } from './parse-detection.ts';
import { parseFlow } from './parse-flow.ts';
import { parsePinning } from './parse-pinning.ts';
import { parseRateLimits } from './parse-rate-limits.ts';
import { complainOfCategory, parseAction, parseRule } from './parse-rule.ts';
import { parseServerPolicy } from './parse-server-policy.ts';
import { parseGlobs } from './parse-texts.ts';
import { isTomlTable, parseToml, type TomlTable, type TomlValue } from './toml.ts';
import type { ClassifyGlobs, Policy, PolicyResult, Rule } from './types.ts';

/** What a project may say: rules that are stricter than the user's own policy, and nothing else. */
const PROJECT_KEYS = ['rule'];
const POLICY_KEYS = ['defaults', 'server_policy', 'pinning', 'rate_limits', 'flow', 'detection', 'classify', 'approval', 'rule'];
const UNENFORCED_TABLES = ['dlp'];
/** Tables by the names that other tools have for them. */
const OTHER_NAMES = new Map([
  ['cross_server', 'flow'],
  ['version_pinning', 'pinning'],
]);
/** What a config.toml has and people look for here. */
const OF_CONFIG = { keys: ['mode', 'on_error', 'state_dir', 'store', 'limits', 'audit'], file: 'config.toml' };
const DEFAULTS_KEYS = ['action', 'native', 'unknown_methods', 'unknown_server', 'unmapped_tool'];
const FALLBACK: Policy['defaults'] = {
  action: 'deny',
  unknownMethods: 'allow',
  unknownServer: 'allow',
  native: 'allow',
  unmappedTool: 'deny',
};

export interface ParseOptions {
  /** Where the text came from, kept in the policy. */
  readonly file: string;
  /** Compiles `regex` operators; without one a policy that has any comes back with `needsRegex`. */
  readonly regex?: RegexCompiler;
  /** The text is a project's: only rules, and none that allows. */
  readonly isProject?: boolean;
}

/**
 * Reads a policy. Strict: whatever is not understood is an error, since a typo must never weaken a policy.
 * Faults are values, all of them at once; an empty text is a valid policy that denies everything.
 */
export function parsePolicy(text: string, { file, regex, isProject = false }: ParseOptions): PolicyResult {
  const toml = parseToml(text);
  if (!toml.ok) return { ok: false, syntax: toml.syntax };
  const to: Complaints = { errors: [], regex, needsRegex: false };
  const { table } = toml;
  if (isProject) checkProject(table, to);
  else
    checkKeys(to, [], table, {
      read: POLICY_KEYS,
      unenforced: UNENFORCED_TABLES,
      where: 'the policy',
      otherNames: OTHER_NAMES,
      elsewhere: OF_CONFIG,
    });
  const defaults = parseDefaults(table['defaults'], to);
  const serverPolicy = parseServerPolicy(table['server_policy'], to);
  const pinning = parsePinning(table['pinning'], to);
  const flow = parseFlow(table['flow'], to);
  const detection = parseDetection(table['detection'], to);
  const rateLimits = parseRateLimits(table['rate_limits'], to);
  const classify = parseClassify(table['classify'], to);
  const approval = parseApproval(table['approval'], to);
  const rules = parseRules(table['rule'], to);
  if (to.errors.length > 0 || to.needsRegex) return { ok: false, errors: to.errors, needsRegex: to.needsRegex };
  return {
    ok: true,
    policy: { file, text, defaults, serverPolicy, pinning, flow, detection, rateLimits, classify, approval, rules },
  };
}

/** A project comes from whoever wrote it: it can take away and ask, and never give. */
function checkProject(table: TomlTable, to: Complaints): void {
  const mayNot = (key: string): boolean => POLICY_KEYS.includes(key) || UNENFORCED_TABLES.includes(key);
  for (const key of Object.keys(table)) {
    if (PROJECT_KEYS.includes(key)) continue;
    if (mayNot(key)) complain(to, [key], `"${key}" is no matter of a project's policy`, 'it has [[rule]] and nothing else');
    else checkKeys(to, [], { [key]: true }, { read: PROJECT_KEYS, unenforced: [], where: "a project's policy" });
  }
  const rules = Array.isArray(table['rule']) ? table['rule'] : [];
  for (const [index, rule] of rules.entries()) {
    if (!isTomlTable(rule) || rule['action'] !== 'allow') continue;
    complain(to, ['rule', index, 'action'], "a project's policy cannot allow anything", 'action = "deny" or "prompt"');
  }
}

function parseDefaults(value: TomlValue | undefined, to: Complaints): Policy['defaults'] {
  if (value === undefined) return FALLBACK;
  if (!isTomlTable(value)) {
    complainOfType(to, ['defaults'], value, 'a table');
    return FALLBACK;
  }
  checkKeys(to, ['defaults'], value, { read: DEFAULTS_KEYS, unenforced: [], where: '[defaults]' });
  const action = value['action'] === undefined ? undefined : parseAction(value['action'], ['defaults', 'action'], to);
  return {
    action: action ?? FALLBACK.action,
    unknownMethods: parseAllowOrDeny(value, 'unknown_methods', to) ?? FALLBACK.unknownMethods,
    unknownServer: parseAllowOrDeny(value, 'unknown_server', to) ?? FALLBACK.unknownServer,
    native: parseAllowOrDeny(value, 'native', to) ?? FALLBACK.native,
    unmappedTool: parseAllowOrDeny(value, 'unmapped_tool', to) ?? FALLBACK.unmappedTool,
  };
}

function parseAllowOrDeny(table: TomlTable, key: string, to: Complaints): 'allow' | 'deny' | undefined {
  const value = table[key];
  if (value === undefined || value === 'allow' || value === 'deny') return value;
  const path = ['defaults', key];
  if (typeof value === 'string') complain(to, path, `${key} is "allow" or "deny", not "${value}"`);
  else complainOfType(to, path, value, '"allow" or "deny"');
  return undefined;
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
        `the id "${rule.id}" is already that of rule ${earlier + 1}`,
        'ids name rules in fixtures and logs',
      );
  }
  return rules;
}

/** Reads `[classify]`: globs for names of tools, by the category that such tools have. One tool may be in several. */
function parseClassify(value: TomlValue | undefined, to: Complaints): ClassifyGlobs {
  if (value === undefined) return {};
  if (!isTomlTable(value)) {
    complainOfType(to, ['classify'], value, 'a table');
    return {};
  }
  const globs: { [category in Category]?: readonly string[] } = {};
  for (const [key, list] of Object.entries(value)) {
    const category = CATEGORIES.find((known) => known === key);
    if (category === undefined) complainOfCategory(to, ['classify', key], key);
    else if (list !== undefined) globs[category] = parseGlobs(list, ['classify', key], to) ?? [];
  }
  return globs;
}
