import { suggestName } from '../../suggest.ts';
import { CATEGORIES, type Category } from '../call.ts';
import { ACTIONS } from '../decision.ts';
import { checkKeys, complain, complainOfType, type Complaints } from './complaints.ts';
import { parseArgs } from './parse-args.ts';
import { parseMatcher } from './parse-matcher.ts';
import { parseTexts } from './parse-texts.ts';
import { isTomlTable, type TomlTable, type TomlValue } from './toml.ts';
import type { Action, Conditions, Matcher, PolicyPath, Rule } from './types.ts';

const FINGERPRINT = /^sha256:[0-9a-f]{64}$/;

/** Fields of a rule: what it is about, and whose names it asks for. */
export const SUBJECTS = ['tool', 'resource', 'prompt', 'method'] as const;
export const NAMES = [...SUBJECTS, 'server'] as const;
const MATCH_KEYS = [...NAMES, 'args', 'category', 'fingerprint'] as const satisfies readonly (keyof Conditions)[];
export type MatchKey = (typeof MATCH_KEYS)[number];
const RULE_KEYS = ['action', ...MATCH_KEYS, 'unless', 'id', 'description', 'message', 'require_person'];

/** Reads one `[[rule]]`. Undefined if it is faulty, after complaining. */
export function parseRule(value: TomlValue, index: number, to: Complaints): Rule | undefined {
  const path: PolicyPath = ['rule', index];
  if (!isTomlTable(value)) {
    complainOfType(to, path, value, 'a table');
    return undefined;
  }
  const misspelt = checkKeys(to, path, value, { read: RULE_KEYS, where: 'a rule' });
  const isActionMeant = value['action'] === undefined && misspelt.includes('action');
  const action = isActionMeant ? undefined : parseAction(value['action'], [...path, 'action'], to);
  const conditions = parseConditions(value, path, to);
  if (!SUBJECTS.some((subject) => misspelt.includes(subject))) checkSubjects(value, path, to);
  const unless = value['unless'] === undefined ? undefined : parseUnless(value['unless'], [...path, 'unless'], to);
  const texts = parseWords(value, path, to);
  const requirePerson = parseRequirePerson(value['require_person'], { path, action }, to);
  if (action === undefined) return undefined;
  return {
    index,
    action,
    ...texts,
    ...(requirePerson && { requirePerson }),
    ...conditions,
    ...(unless === undefined ? {} : { unless }),
  };
}

function parseRequirePerson(
  value: TomlValue | undefined,
  { path, action }: { readonly path: PolicyPath; readonly action: Action | undefined },
  to: Complaints,
): true | undefined {
  const at = [...path, 'require_person'];
  if (value === undefined) return undefined;
  if (typeof value !== 'boolean') complainOfType(to, at, value, 'true or false');
  else if (action !== undefined && action !== 'prompt') {
    complain(to, at, `nobody is asked by a rule with action = "${action}"`, 'require_person is for action = "prompt"');
  }
  return value === true ? true : undefined;
}

/** Reads an action; a missing one is reported at its table. */
export function parseAction(value: TomlValue | undefined, path: PolicyPath, to: Complaints): Action | undefined {
  const action = ACTIONS.find((known) => known === value);
  if (action !== undefined) return action;
  if (value === undefined) complain(to, path.slice(0, -1), 'a rule needs an action', 'action = "allow", "deny" or "prompt"');
  else if (typeof value !== 'string') complainOfType(to, path, value, 'a string');
  else {
    const meant = suggestName(value, ACTIONS);
    complain(
      to,
      path,
      `unknown action "${value}"`,
      meant === undefined ? `actions: ${ACTIONS.join(', ')}` : `did you mean "${meant}"?`,
    );
  }
  return undefined;
}

function parseConditions(table: TomlTable, path: PolicyPath, to: Complaints): Conditions {
  const names: { [name in (typeof NAMES)[number]]?: Matcher } = {};
  for (const name of NAMES) {
    const value = table[name];
    if (value === undefined) continue;
    const matcher = parseMatcher(value, { path: [...path, name], kind: 'name' }, to);
    if (matcher !== undefined) names[name] = matcher;
  }
  const args = table['args'] === undefined ? [] : parseArgs(table['args'], [...path, 'args'], to);
  const category = parseCategory(table['category'], [...path, 'category'], to);
  const fingerprint = parseFingerprint(table['fingerprint'], [...path, 'fingerprint'], to);
  return {
    ...names,
    args,
    ...(category === undefined ? {} : { category }),
    ...(fingerprint === undefined ? {} : { fingerprint }),
  };
}

function parseUnless(value: TomlValue, path: PolicyPath, to: Complaints): Conditions | undefined {
  if (!isTomlTable(value)) {
    complainOfType(to, path, value, 'a table of match fields');
    return undefined;
  }
  checkKeys(to, path, value, { read: MATCH_KEYS, where: 'unless' });
  if (Object.keys(value).length === 0) complain(to, path, 'an empty "unless" would always match, so the rule never would');
  return parseConditions(value, path, to);
}

function checkSubjects(table: TomlTable, path: PolicyPath, to: Complaints): void {
  const given = SUBJECTS.filter((subject) => table[subject] !== undefined);
  if (given.length === 0) {
    complain(to, path, 'a rule needs a tool, resource, prompt or method to match', 'tool = "**" matches every tool');
  }
  const exclusive = given.filter((subject) => subject !== 'method');
  const second = exclusive[1];
  if (second !== undefined) {
    complain(
      to,
      [...path, second],
      `a call has one subject, so a rule about "${exclusive[0]}" and "${second}" never matches`,
      'write two rules',
    );
  }
}

function parseWords(table: TomlTable, path: PolicyPath, to: Complaints): Pick<Rule, 'id' | 'description' | 'message'> {
  const texts: { id?: string; description?: string; message?: string } = {};
  for (const key of ['id', 'description', 'message'] as const) {
    const value = table[key];
    if (value === undefined) continue;
    if (typeof value !== 'string') complainOfType(to, [...path, key], value, 'a string');
    else if (key === 'id' && value.trim() === '') complain(to, [...path, key], 'an id cannot be empty');
    else texts[key] = value;
  }
  return texts;
}

/** Reads a rule's `category`: one, or a list of them. Undefined if it is absent, or faulty, after complaining. */
function parseCategory(value: TomlValue | undefined, path: PolicyPath, to: Complaints): readonly Category[] | undefined {
  if (value === undefined) return undefined;
  const categories: Category[] = [];
  for (const { text, path: at } of parseTexts(value, path, to) ?? []) {
    const category = CATEGORIES.find((known) => known === text);
    if (category !== undefined) categories.push(category);
    else complainOfCategory(to, at, text);
  }
  return categories.length === 0 ? undefined : categories;
}

/** Complains of an unknown category. */
export function complainOfCategory(to: Complaints, path: PolicyPath, text: string): void {
  const meant = suggestName(text, CATEGORIES);
  const hint = meant === undefined ? `categories: ${CATEGORIES.join(', ')}` : `did you mean "${meant}"?`;
  complain(to, path, `unknown category ${JSON.stringify(text)}`, hint);
}

/** Reads a rule's `fingerprint`: one, or a list of them, as `clawai mcp registry show` prints them. */
function parseFingerprint(value: TomlValue | undefined, path: PolicyPath, to: Complaints): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const fingerprints: string[] = [];
  for (const { text, path: at } of parseTexts(value, path, to) ?? []) {
    if (FINGERPRINT.test(text)) fingerprints.push(text);
    else complain(to, at, `${JSON.stringify(text)} is not a fingerprint`, 'a fingerprint is "sha256:" and 64 digits of 0-9a-f');
  }
  return fingerprints.length === 0 ? undefined : fingerprints;
}
