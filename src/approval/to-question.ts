import { createHmac, randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { boundExtra, type Call, withoutMeta } from '../core/call.ts';
import { canonicalJson, exactJson, type JsonObject } from '../core/json.ts';
import { type Decision, ruleName } from '../core/decision.ts';
import { recordedArguments, recordedURI } from '../core/outgoing/recorded-arguments.ts';
import { redactJson } from '../core/dlp/redact-json.ts';
import { askedFlows, flowIdentity } from '../core/flow/words.ts';
import { describeDistrust, distrustIdentity } from '../core/registry/trust.ts';
import type { Asker, Question } from '../gate/ports/approval-port.ts';

/** Crockford's base 32: digits and letters without those that look alike (https://www.crockford.com/base32.html). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 6;

const MISREAD: Readonly<Record<string, string>> = { I: '1', L: '1', O: '0' };

/** Most characters kept of what a peer sends; nobody reads more. */
const MOST = { text: 1024 * 1024, method: 4096, server: 256 } as const;

export interface AskedBy {
  readonly session: string;
  readonly asker: Asker;
  readonly key: Buffer;
  /** Milliseconds. */
  readonly timeout: number;
  /** The user's own policy file. */
  readonly policyFile: string | undefined;
}

/** Turns a call into a question. The stored texts are bounded; the fingerprint covers the whole call. */
export function toQuestion(call: Call, decision: Decision, { session, asker, key, timeout, policyFile }: AskedBy): Question {
  const { server, method, tool, resource, prompt, args, extra } = call;
  const now = Date.now();
  const text = args === undefined ? undefined : exactJson(args);
  const { rule, distrust, dlp = [] } = decision;
  const isGuards = distrust !== undefined || askedFlows(decision).length > 0;
  return {
    id: createQuestionId(),
    session,
    server: cut(server, MOST.server),
    method: cut(method, MOST.method),
    tool: tool === undefined ? undefined : cut(tool, MOST.text),
    resource: resource === undefined ? undefined : cut(recordedURI(resource, dlp), MOST.text),
    prompt: prompt === undefined ? undefined : cut(prompt, MOST.text),
    rule: rule === undefined ? undefined : ruleName(rule),
    description: describe(decision),
    // A remembered rule would not stop questions about untrusted definitions or flows.
    policyFile: policyFile === undefined || rule?.source !== undefined || isGuards ? undefined : resolve(policyFile),
    ruleIndex: rule?.source === undefined ? rule?.index : undefined,
    summary: args === undefined ? '' : redactJson(recordedArguments(args, dlp)).json,
    args: text === undefined ? undefined : cutText(text),
    argsLength: text?.length ?? 0,
    extra: extraText(extra),
    fingerprint: fingerprintOf(call, { key, why: whyOf(decision) }),
    // Two requests known by their method alone can't be compared, so the answer is not remembered.
    canRemember: (tool ?? resource ?? prompt ?? args) !== undefined,
    askedAt: now,
    expiresAt: now + timeout,
    asker,
  };
}

/** Says why a person is asked: what is not trusted, what would flow, or else the rule's description. */
function describe(decision: Decision): string | undefined {
  const { rule, distrust } = decision;
  const flows = askedFlows(decision).map(({ reason, question }) => question ?? capitalise(reason));
  if (distrust !== undefined) return [capitalise(describeDistrust(distrust)), ...flows].join('. ');
  return flows.length > 0 ? flows.join('. ') : rule?.description;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export interface FingerprintOptions {
  readonly key: Buffer;
  /** The rule's identity: a yes to one rule is none to another. Undefined if the default asks. */
  readonly why: string | undefined;
}

/** Computes a keyed hash, so that what is stored does not reveal short arguments. */
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

/** Identifies a rule by its description if it has one, since an edit of the policy may move it. */
function whyOf(decision: Decision): string | undefined {
  const { rule, distrust } = decision;
  const flow = flowIdentity(decision);
  // A yes to a flow covers the flow from there only.
  if (distrust !== undefined) return `${distrustIdentity(distrust)}${flow === undefined ? '' : ` ${flow}`}`;
  if (flow !== undefined) return `flow ${flow}`;
  if (rule === undefined) return undefined;
  return rule.source === undefined ? (rule.description ?? ruleName(rule)) : `${ruleName(rule)} ${rule.description ?? ''}`;
}

/** A progress token only names a recipient; nobody need read it. */
const TOKEN: ReadonlySet<string> = new Set(['progressToken']);

function extraText(extra: JsonObject | undefined): string | undefined {
  const shown = withoutMeta(extra, TOKEN);
  return shown === undefined ? undefined : cut(exactJson(shown), MOST.text);
}

/** Cuts a text that is too long, and says so. */
function cut(text: string, most: number): string {
  return text.length > most ? `${cutAt(text, most)}… (cut: ${text.length.toLocaleString('en-US')} characters in all)` : text;
}

function cutText(text: string): string {
  return text.length > MOST.text ? cutAt(text, MOST.text) : text;
}

/** Half of a surrogate pair can't be stored, so it is replaced. */
function cutAt(text: string, most: number): string {
  return text.slice(0, most).toWellFormed();
}

/** Creates an id of a question: 30 random bits in six letters and digits, short enough to type. */
export function createQuestionId(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** Parses an id as a person typed it, in either case and with easily misread letters; undefined if it is invalid. */
export function parseQuestionId(typed: string): string | undefined {
  const id = typed
    .trim()
    .toUpperCase()
    .replaceAll(/[ILO]/g, (letter) => MISREAD[letter] ?? letter);
  return id.length === LENGTH && [...id].every((character) => ALPHABET.includes(character)) ? id : undefined;
}
