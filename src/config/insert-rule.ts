import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Call, SUBJECT_METHODS } from '../core/call.ts';
import { canonicalJson, exactJson, type JsonObject } from '../core/json.ts';
import type { RuleRef } from '../core/decision.ts';
import { compilePolicy } from '../core/match/compile.ts';
import { evaluateRule } from '../core/match/evaluate.ts';
import { createMatchContext } from '../core/match/match-context.ts';
import { Reading } from '../core/match/reading.ts';
import { NO_SUBJECT } from '../core/match/subject.ts';
import { findRuleStart } from '../core/policy/locate.ts';
import type { Policy } from '../core/policy/tables.ts';
import { parseToml } from '../core/policy/toml.ts';
import { ClawaiError } from '../errors.ts';
import { formatTomlValue } from '../policy-tools/format/json-to-toml.ts';
import { problemOf } from './describe-change.ts';
import { parsePolicyText } from './policy-file.ts';
import { describeWidth, type RuleWidth, widerFields } from './rule-width.ts';

/** Most characters of a rule that is written: people must be able to read the policy. */
const LONGEST_RULE = 16 * 1024;

export interface InsertionRequest {
  /** The policy's file; used in messages only. */
  readonly file: string;
  /** The rule that asked; undefined if the default did. */
  readonly asked: RuleRef | undefined;
  readonly call: Call;
  readonly action: 'allow' | 'deny';
  /** The calls that the rule is about, besides this one; by default, none. */
  readonly width?: RuleWidth;
  /** Milliseconds since the epoch, for the rule's description. */
  readonly now: number;
}

/** `text` is the policy with `inserted` at `offset`, and nothing else changed. */
export interface Insertion {
  readonly ok: true;
  readonly text: string;
  readonly offset: number;
  readonly inserted: string;
  /** The new rule's id, and its index. */
  readonly id: string;
  readonly index: number;
  /** A fixture that expects the new rule, as JSON text; undefined for calls that fixtures can't express. */
  readonly fixture: string | undefined;
}

export type InsertionResult = Insertion | { readonly ok: false; readonly reason: string };

/**
 * Writes "always" into a policy: a rule for exactly this call, with exact names and all arguments, or a wider one that a person has chosen.
 * It comes right before the rule that asked, or at the end if the default did. No other byte changes. It parses the result and proves it: all other rules are unchanged, and the new one
 * decides the call.
 *
 * @param text the policy as it is now
 */
export async function insertRule(text: string, request: InsertionRequest): Promise<InsertionResult> {
  const { file, asked, call } = request;
  const before = await parse(text, file);
  if (typeof before === 'string') return refuse(`the policy has an error: ${before}`);
  const stale = findStale(before, asked);
  if (stale !== undefined) return refuse(stale);
  const index = asked?.index ?? before.rules.length;
  const id = freeId(before, request);
  const fields = ruleFields(request, id);
  if ('reason' in fields) return refuse(fields.reason);
  const at = asked === undefined ? text.length : findRuleStart(text, asked.index);
  if (at === undefined) return refuse('its rules are one list, and not [[rule]] tables');
  const inserted = layOut(text, at, fields.lines);
  if (inserted.length > LONGEST_RULE) return refuse('its arguments are too long for a rule that people can read');
  const after = text.slice(0, at) + inserted + text.slice(at);
  const flaw = await findFlaw(text, after, { file, index, id, call, action: request.action });
  if (flaw !== undefined) return refuse(flaw);
  const fixture = toRememberedFixture(call, { action: request.action, id });
  return { ok: true, text: after, offset: at, inserted, id, index, fixture };
}

function refuse(reason: string): InsertionResult {
  return { ok: false, reason };
}

/** Returns the policy, or a description of its fault. */
async function parse(text: string, file: string): Promise<Policy | string> {
  try {
    return await parsePolicyText(text, { file });
  } catch (error) {
    if (error instanceof ClawaiError) return problemOf(error);
    throw error;
  }
}

/** Somebody may have edited the policy between the question and the answer. */
function findStale(policy: Policy, asked: RuleRef | undefined): string | undefined {
  if (asked === undefined) return undefined;
  if (asked.source === 'project') return "the project's policy asks, and only the project can change that";
  const rule = policy.rules[asked.index];
  if (rule?.action === asked.action && rule.id === asked.id && rule.description === asked.description) return undefined;
  return 'the policy has changed since it asked';
}

function freeId(policy: Policy, { call, action, width = 'exact' }: InsertionRequest): string {
  const { method, server, tool, resource, prompt, args } = call;
  const parts = [action, method, server, tool ?? null, resource ?? null, prompt ?? null, args ?? {}] as const;
  const whole = width === 'exact' ? parts : [...parts, width];
  const stem = `remembered-${createHash('sha256').update(canonicalJson(whole)).digest('hex').slice(0, 8)}`;
  const taken = new Set(policy.rules.map((rule) => rule.id));
  for (let n = 1; ; n++) {
    const id = n === 1 ? stem : `${stem}-${n}`;
    if (!taken.has(id)) return id;
  }
}

type Fields = { readonly lines: readonly string[] } | { readonly reason: string };

/** Formats the lines of the rule; a name without wildcards is written as it is. */
function ruleFields({ call, action, now, width = 'exact' }: InsertionRequest, id: string): Fields {
  const { method, server, tool, resource, prompt, args } = call;
  const hasSubject = tool !== undefined || resource !== undefined || prompt !== undefined;
  if (!hasSubject && args === undefined) {
    return { reason: 'clawai only knows the method of such a call, so the rule would match all of them' };
  }
  const wider = width === 'exact' ? undefined : widerFields(call, width);
  if (width !== 'exact' && wider === undefined) return { reason: 'it has no paths that a wider rule could be about' };
  const usual = Object.entries(SUBJECT_METHODS).some(
    ([subject, its]) => its === method && call[subject as keyof typeof SUBJECT_METHODS] !== undefined,
  );
  const when = new Date(now).toISOString().slice(0, 10);
  // An exact rule without `args` would match any arguments.
  const hasArgs = args !== undefined || tool !== undefined || prompt !== undefined;
  const exactArgs: JsonObject | undefined = hasArgs ? { equals: args ?? {} } : undefined;
  const itsArgs = wider === undefined ? exactArgs : wider.args;
  const fields: [string, ReturnType<typeof formatTomlValue> | undefined][] = [
    ['id', formatTomlValue(id)],
    ['action', formatTomlValue(action)],
    ['server', formatName(server)],
    ['method', usual ? undefined : formatName(method)],
    ['tool', tool === undefined ? undefined : formatName(tool)],
    ['resource', resource === undefined ? undefined : formatTomlValue(wider?.resource ?? { equals: resource })],
    ['prompt', prompt === undefined ? undefined : formatName(prompt)],
    ['args', itsArgs === undefined ? undefined : formatTomlValue(itsArgs)],
    ['description', formatTomlValue(`Remembered on ${when}: always ${action} ${describeWidth(call, width)}`)],
  ];
  const lines = ['[[rule]]'];
  for (const [key, value] of fields) {
    if (value === undefined) continue;
    if (!value.ok) return { reason: `a policy cannot express this call: ${value.reason}` };
    lines.push(`${key} = ${value.text}`);
  }
  return { lines };
}

function formatName(name: string): ReturnType<typeof formatTomlValue> {
  return formatTomlValue(name === '' || /[*?\0]/.test(name) ? { equals: name } : name);
}

/** Lays out the rule with the policy's line ends, separated by empty lines. */
function layOut(text: string, at: number, lines: readonly string[]): string {
  const end = /\r?\n/.exec(text)?.[0] ?? '\n';
  const rule = lines.join(end);
  if (at < text.length) return `${rule}${end}${end}`;
  if (text.replace(/^\uFEFF/, '').trim() === '') return `${rule}${end}`;
  return text.endsWith('\n') ? `${end}${rule}${end}` : `${end}${end}${rule}`;
}

interface Wanted {
  readonly file: string;
  readonly index: number;
  readonly id: string;
  readonly call: Call;
  readonly action: 'allow' | 'deny';
}

/** A placeholder: the new rule matches no path. */
const ANYWHERE = { home: '/', cwd: '/', platform: 'posix', remote: true } as const;

/** Returns a fault of the new text, if there is one. Rules above the new one missed the call before, so they still do. */
async function findFlaw(text: string, after: string, { file, index, id, call, action }: Wanted): Promise<string | undefined> {
  const policy = await parse(after, file);
  if (typeof policy === 'string') return `the new rule does not fit into the policy: ${policy}`;
  if (!isDeepStrictEqual(tablesOf(text), tablesOf(after, index))) return 'the new rule would change other rules';
  const rule = compilePolicy(policy)
    .candidates(call)
    .find(({ ref }) => ref.index === index);
  if (rule?.rule.id !== id || rule.rule.action !== action) return 'the new rule would not match this call';
  const context = createMatchContext(call.args, { reading: new Reading(ANYWHERE), realPaths: new Map() });
  const outcome = evaluateRule(rule, { call, subject: NO_SUBJECT, context });
  return outcome === 'match' ? undefined : 'the new rule would not match this call';
}

/** Returns everything in a policy, except one rule. */
function tablesOf(text: string, without?: number): unknown {
  const parsed = parseToml(text);
  if (!parsed.ok) return undefined;
  const { rule, ...rest } = parsed.table;
  const rules = Array.isArray(rule) ? rule.filter((_, index) => index !== without) : [];
  return { ...rest, rules };
}

/** Formats a fixture that expects a remembered rule to decide, as JSON text. Undefined for methods whose params fixtures can't express. */
function toRememberedFixture(call: Call, { action, id }: { action: 'allow' | 'deny'; id: string }): string | undefined {
  const params = paramsOf(call);
  if (params === undefined) return undefined;
  const fields: JsonObject = {
    name: id,
    server: call.server,
    method: call.method,
    params,
    expected: action,
    expectedRule: id,
  };
  const lines = Object.entries(fields).map(([key, value]) => `  ${JSON.stringify(key)}: ${exactJson(value)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** Builds the params as the client would send them. */
function paramsOf({ method, tool, resource, prompt, args }: Call): JsonObject | undefined {
  const sent: JsonObject = args === undefined ? {} : { arguments: args };
  if (method === 'tools/call' && tool !== undefined) return { name: tool, ...sent };
  if (method === 'prompts/get' && prompt !== undefined) return { name: prompt, ...sent };
  const isAboutResource = method === 'resources/read' || method === 'resources/subscribe';
  return isAboutResource && resource !== undefined ? { uri: resource } : undefined;
}
