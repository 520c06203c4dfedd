import { compileGlob, type Glob } from '../patterns/glob.ts';
import type { Regex } from '../patterns/regex.ts';
import { findAssignments } from './find-assignments.ts';
import { findForms } from './find-forms.ts';
import { findLabelled } from './find-labelled.ts';
import { CHECKED_KINDS, SURE_KINDS } from './kinds/kinds.ts';
import { isLiteralMatch } from './literal-match.ts';
import { canBeSecret, looksSecret } from './plausible-secret.ts';
import { scanText } from './scan-text.ts';
import type { SecretSpan } from './secret-forms.ts';
import { secretNameKind } from './secret-name.ts';
import { unite } from './unite.ts';

/** A user's own pattern; its name is the kind of what it matches. */
export interface SecretPattern {
  readonly name: string;
  readonly regex: Regex;
}

/** The groups of kinds, each of which a policy switches on or off. */
export const SECRET_GROUPS = [
  'keys',
  'privateKeys',
  'cards',
  'seedPhrases',
  'ssn',
  'iban',
  'email',
  'phone',
  'cryptoAddresses',
] as const;
export type SecretGroup = (typeof SECRET_GROUPS)[number];

/** The parts of a policy that decide what counts as a secret. */
export interface SecretRules extends Readonly<Record<SecretGroup, boolean>> {
  /** If false, nothing does. */
  readonly enabled: boolean;
  /** Globs for texts that are no secrets. */
  readonly allow: readonly string[];
  readonly patterns: readonly SecretPattern[];
}

/** Finds the secrets of a text. Created once per policy; takes time linear in the text. */
export interface SecretFinder {
  /**
   * @param name of the member, header or field whose value the text is: a value under `password` is a secret as a whole
   * @returns spans in order, none of which overlap
   */
  find(text: string, name?: string): readonly SecretSpan[];
  /**
   * Finds what chance hardly makes, in a text that may not be meant so, such as one that is read backwards: account numbers, cards in groups
   * or with a word that tells of them, and what a pattern of the user's asks for by its letters. Keys are none of them.
   */
  findSure(text: string, name?: string): readonly SecretSpan[];
  /** True if the user has patterns. */
  readonly hasPatterns: boolean;
}

/** Kinds of forms that any text may have at the place of the secret. */
const OPEN_FORMS: ReadonlySet<string> = new Set(['url_password', 'bearer_token', 'password', 'webhook']);

const NOTHING: readonly SecretSpan[] = [];

/** Creates the search for what the rules count as secrets. */
export function createSecretFinder(rules: SecretRules): SecretFinder {
  if (!rules.enabled) return { find: () => NOTHING, findSure: () => NOTHING, hasPatterns: false };
  const allowed = rules.allow.map((glob) => compileGlob(glob));
  const counted = (text: string, found: readonly SecretSpan[]): readonly SecretSpan[] =>
    found.length === 0 || allowed.length === 0 ? found : found.filter((span) => !isAllowed(text, span, allowed));
  return {
    find(text, name) {
      const kind = name === undefined || !rules.keys || text === '' || !canBeSecret(text) ? undefined : secretNameKind(name);
      return counted(text, kind === undefined ? findAll(text, rules, name) : [{ start: 0, end: text.length, kind }]);
    },
    findSure: (text, name) => counted(text, findSure(text, rules, name)),
    hasPatterns: rules.patterns.length > 0,
  };
}

function findSure(text: string, rules: SecretRules, member?: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  const scan = scanText(text);
  for (const { kind, group, find } of SURE_KINDS)
    if (rules[group]) for (const { start, end } of find(text, scan, member)) spans.push({ start, end, kind });
  for (const { name, regex } of rules.patterns)
    for (const { start, end } of regex.places(text))
      if (isLiteralMatch(regex, text.slice(start, end))) spans.push({ start, end, kind: name });
  return spans.length > 1 ? unite(spans) : spans;
}

function findAll(text: string, rules: SecretRules, member?: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  const scan = scanText(text);
  if (rules.keys || rules.privateKeys) {
    for (const span of findForms(text, false, scan))
      if (
        rules[groupOf(span.kind)] &&
        (span.kind !== 'private_key' || isPrivateKey(text.slice(span.start, span.end))) &&
        (!OPEN_FORMS.has(span.kind) || isOpenSecret(text.slice(span.start, span.end).replace(/[.\s]+$/, ''), span.kind))
      )
        spans.push(OPEN_FORMS.has(span.kind) ? span : withRest(text, span));
    for (const span of findAssignments(text, scan))
      if (rules[groupOf(span.kind)] && looksSecret(text.slice(span.start, span.end), span.kind)) spans.push(span);
    for (const span of findLabelled(text, scan)) if (rules[groupOf(span.kind)]) spans.push(span);
  }
  for (const { kind, group, find } of CHECKED_KINDS)
    if (rules[group]) for (const { start, end } of find(text, scan, member)) spans.push({ start, end, kind });
  for (const { name, regex } of rules.patterns)
    for (const { start, end } of regex.places(text)) if (end > start) spans.push({ start, end, kind: name });
  return spans.length > 1 ? unite(spans) : spans;
}

/** Tells whether base64 stands behind the first line of a private key, if anything does: programs have that line by itself. */
function isPrivateKey(text: string): boolean {
  const body = text.slice(text.indexOf('-----', 5) + 5);
  return body.trim() === '' || /[A-Za-z0-9+/]{16}|MI[IG]|MH[cQ]|b3Bl/.test(body);
}

/** Tells whether a text at the place of a secret can be one. Behind "bearer", words of a sentence are none. */
function isOpenSecret(value: string, kind: string): boolean {
  return canBeSecret(value) && !(kind === 'bearer_token' && /^[A-Za-z]?[a-z]{0,24}(?:[-/][a-z]{1,24}){0,4}$/.test(value));
}

/** Matches what stands between the halves of a key that was cut in two, and the second half; a bound keeps the search linear. */
const REST = /(?:[^A-Za-z0-9]{1,8}|[&;]\w{1,2}=)([A-Za-z0-9_]{8,256})/y;

/** Adds the rest of a key that was cut in two: to take out one half would leave the other. */
function withRest(text: string, span: SecretSpan): SecretSpan {
  REST.lastIndex = span.end;
  const rest = REST.exec(text)?.[1];
  return rest !== undefined && isJumbled(rest) ? { ...span, end: REST.lastIndex } : span;
}

/** Least share of characters of a key that are of another kind (a digit, a small letter, a capital) than the one before, by chance. */
const LEAST_CHANGES = { withDigits: 0.3, withoutDigits: 0.55 } as const;

function isJumbled(text: string): boolean {
  let changes = 0;
  let before = -1;
  let hasDigit = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const kind = code < 0x3a ? 0 : code < 0x5b ? 1 : 2;
    hasDigit ||= kind === 0;
    if (at > 0 && kind !== before) changes += 1;
    before = kind;
  }
  return changes / text.length >= (hasDigit ? LEAST_CHANGES.withDigits : LEAST_CHANGES.withoutDigits);
}

/** The group of a kind that was found by its form or by a name. */
function groupOf(kind: string): SecretGroup {
  return kind === 'private_key' ? 'privateKeys' : 'keys';
}

function isAllowed(text: string, { start, end }: SecretSpan, allowed: readonly Glob[]): boolean {
  const secret = text.slice(start, end);
  return allowed.some((glob) => glob.matches(secret));
}
