import { createHmac, randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { boundExtra, type Call, withoutMeta } from '../core/call.ts';
import { canonicalJson, exactJson } from '../core/canonical-json.ts';
import { type Decision, ruleName } from '../core/decision.ts';
import { redactJson } from '../core/dlp/redact-json.ts';
import { askedFlows, flowIdentity } from '../core/flow/words.ts';
import type { JsonObject } from '../core/json.ts';
import { describeDistrust, distrustIdentity } from '../core/registry/trust.ts';
import type { Asker, Question } from '../gate/ports/approval-port.ts';

/** Crockford's base 32: digits and letters without those that look like others (https://www.crockford.com/base32.html). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 6;

const MISREAD: Readonly<Record<string, string>> = { I: '1', L: '1', O: '0' };

/** Characters: nobody reads more than that of anything that a peer sends. */
const MOST = { text: 1024 * 1024, method: 4096, server: 256 } as const;

export interface AskedBy {
  readonly session: string;
  readonly asker: Asker;
  readonly key: Buffer;
  /** Milliseconds. */
  readonly timeout: number;
  /** The user's own policy. */
  readonly policyFile: string | undefined;
}

/** The question whether a call may be made. What is kept of it is bounded; the fingerprint is that of all of it. */
export function toQuestion(call: Call, decision: Decision, { session, asker, key, timeout, policyFile }: AskedBy): Question {
  const { server, method, tool, resource, prompt, args, extra } = call;
  const now = Date.now();
  const text = args === undefined ? undefined : exactJson(args);
  const { rule, distrust } = decision;
  const isGuards = distrust !== undefined || askedFlows(decision).length > 0;
  return {
    id: createQuestionId(),
    session,
    server: cut(server, MOST.server),
    method: cut(method, MOST.method),
    tool: tool === undefined ? undefined : cut(tool, MOST.text),
    resource: resource === undefined ? undefined : cut(resource, MOST.text),
    prompt: prompt === undefined ? undefined : cut(prompt, MOST.text),
    rule: rule === undefined ? undefined : ruleName(rule),
    description: describe(decision),
    // No rule stops the question about what is not trusted, nor that about a flow.
    policyFile: policyFile === undefined || rule?.source !== undefined || isGuards ? undefined : resolve(policyFile),
    ruleIndex: rule?.source === undefined ? rule?.index : undefined,
    summary: args === undefined ? '' : redactJson(args).json,
    args: text === undefined ? undefined : cutText(text),
    argsLength: text?.length ?? 0,
    extra: extraText(extra),
    fingerprint: fingerprintOf(call, { key, why: whyOf(decision) }),
    // Of a request that is known by its method alone, two are never known to be alike.
    canRemember: (tool ?? resource ?? prompt ?? args) !== undefined,
    askedAt: now,
    expiresAt: now + timeout,
    asker,
  };
}

/** Why a person is asked: what is not trusted, what would flow, or else what the rule says of itself. */
function describe(decision: Decision): string | undefined {
  const { rule, distrust } = decision;
  const flows = askedFlows(decision).map(({ reason }) => capitalise(reason));
  if (distrust !== undefined) return [capitalise(describeDistrust(distrust)), ...flows].join('. ');
  return flows.length > 0 ? flows.join('. ') : rule?.description;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export interface FingerprintOptions {
  readonly key: Buffer;
  /** What the rule that asks says of itself: a yes to one rule is none to another. Undefined where the default asks. */
  readonly why: string | undefined;
}

/** Keyed, so that what is kept does not tell what short arguments were. */
export function fingerprintOf(call: Call, { key, why }: FingerprintOptions): string {
  const { server, method, tool, resource, prompt, args } = call;
  const extra = boundExtra(call.extra);
  const parts: JsonObject = {
    server,
    method,
    tool: tool ?? null,
    resource: resource ?? null,
    prompt: prompt ?? null,
    args: args ?? null,
    why: why ?? null,
    ...(extra === undefined ? {} : { extra }),
  };
  return createHmac('sha256', key).update(canonicalJson(parts)).digest('hex');
}

/** By its description where it has one: its place is another one after an edit. */
function whyOf(decision: Decision): string | undefined {
  const { rule, distrust } = decision;
  const flow = flowIdentity(decision);
  // A yes to a flow is to what flows from there.
  if (distrust !== undefined) return `${distrustIdentity(distrust)}${flow === undefined ? '' : ` ${flow}`}`;
  if (flow !== undefined) return `flow ${flow}`;
  if (rule === undefined) return undefined;
  return rule.source === undefined ? (rule.description ?? ruleName(rule)) : `${ruleName(rule)} ${rule.description ?? ''}`;
}

/** A progress token only says whom to tell; nobody need read it. */
const TOKEN: ReadonlySet<string> = new Set(['progressToken']);

function extraText(extra: JsonObject | undefined): string | undefined {
  const shown = withoutMeta(extra, TOKEN);
  return shown === undefined ? undefined : cut(exactJson(shown), MOST.text);
}

/** What is longer than it may be says so. */
function cut(text: string, most: number): string {
  return text.length > most ? `${cutAt(text, most)}… (cut: ${text.length.toLocaleString('en-US')} characters in all)` : text;
}

function cutText(text: string): string {
  return text.length > MOST.text ? cutAt(text, MOST.text) : text;
}

/** Half of a surrogate pair can't be stored. */
function cutAt(text: string, most: number): string {
  return text.slice(0, most).toWellFormed();
}

/** A new id of a question: 30 random bits in six letters and digits, to be typed. */
export function createQuestionId(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** The id that a person means by what they typed, in either case and with letters that are easily misread; undefined where it is none. */
export function parseQuestionId(typed: string): string | undefined {
  const id = typed
    .trim()
    .toUpperCase()
    .replaceAll(/[ILO]/g, (letter) => MISREAD[letter] ?? letter);
  return id.length === LENGTH && [...id].every((character) => ALPHABET.includes(character)) ? id : undefined;
}
