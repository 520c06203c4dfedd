import { recordedURI } from '../../core/outgoing/recorded-arguments.ts';
import { type Call, NATIVE_SERVER } from '../../core/call.ts';
import { type Decision, ruleName } from '../../core/decision.ts';
import type { FlowFinding } from '../../core/finding.ts';
import { quoteName } from '../../core/flow/words.ts';
import { guardWords } from './guard-words.ts';
import { nameProblem } from '../../core/registry/deceptive-names.ts';
import type { Approval } from '../ports/approval-port.ts';

/** JSON-RPC error of a denied call; outside the ranges of JSON-RPC and MCP, and of codes that clients reword. */
export const DENIED = 40300;
/** JSON-RPC error of a call that a person had to approve and did not. */
const NOT_APPROVED = 40301;

/** `_meta` key of a denial's fields, which repeat its text for programs. */
const DECISION_KEY = 'dev.clawai/decision';

export interface Denial {
  /** Id of the audit record; undefined without one. */
  readonly record: string | undefined;
  /** True if it could not be recorded. */
  readonly isLost?: boolean | undefined;
  readonly call: Call;
  readonly decision: Decision;
  readonly asked: Approval | undefined;
  /** Id of the question that a person was asked, if any. */
  readonly question?: string | undefined;
}

/**
 * Answer to a denied `tools/call`: a result whose `isError` text reaches the model in every client measured, where an error is thrown by
 * some.
 *
 * @param id the request's id as JSON text
 * @param isModern the modern era demands `resultType`
 */
export function denyToolCall(id: string, isModern: boolean, denial: Denial): string {
  const result = {
    ...(isModern ? { resultType: 'complete' } : {}),
    content: [{ type: 'text', text: explain(denial) }],
    isError: true,
    _meta: {
      [DECISION_KEY]: {
        action: 'deny',
        reason: reasonOf(denial),
        ...(denial.decision.rule === undefined ? {} : { rule: ruleName(denial.decision.rule) }),
        ...(denial.decision.argument === undefined ? {} : { argument: denial.decision.argument }),
        ...(denial.question === undefined ? {} : { approval: denial.question }),
        ...guardFields(denial),
        ...(denial.record === undefined ? {} : { audit: denial.record }),
      },
    },
  };
  return `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}\n`;
}

/** A guard's decision as fields for programs: seconds until a retry, and the records of related calls. */
function guardFields({ decision: { reason, excess, flow }, isLost }: Denial): object {
  const finding = reason === 'flow' ? flow?.[0] : undefined;
  return {
    ...(excess === undefined ? {} : { retry_after: excess.retryAfter }),
    ...(finding === undefined
      ? {}
      : {
          flow: { rule: finding.rule, severity: finding.severity, ...(isLost === true ? {} : { related: relatedIds(finding) }) },
        }),
  };
}

function relatedIds({ related }: FlowFinding): string[] {
  return related.map(({ id }) => id);
}

/** Answer to any other denied request: a JSON-RPC error with a code that no client rewords. */
export function denyRequest(id: string, denial: Denial): string {
  const code = denial.asked === undefined || denial.decision.action !== 'prompt' ? DENIED : NOT_APPROVED;
  const { excess } = denial.decision;
  return errorLine(id, code, explain(denial), excess === undefined ? undefined : { retry_after: excess.retryAfter });
}

/** A JSON-RPC error as a line. */
export function errorLine(id: string, code: number, message: string, data?: object): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message, data })}}\n`;
}

/** Tells whether a call may go on. Unless the decision is (still) `prompt`, it stands whatever a person said. */
export function isGranted(decision: Decision, asked: Approval | undefined): boolean {
  return decision.action === 'allow' || (decision.action === 'prompt' && asked === 'granted');
}

/** The stable reason code of an outcome: the approval's if one was needed and not given. */
export function reasonOf({ decision, asked }: Pick<Denial, 'decision' | 'asked'>): string {
  return decision.action !== 'prompt' || asked === undefined || asked === 'granted' ? decision.reason : `approval_${asked}`;
}

/** Text for the model: what was denied, by which rule, what it may do instead, and whether it is on record. */
export function explain(denial: Denial): string {
  const text = explainDecision(denial);
  return denial.isLost === true ? `${text} ${UNRECORDED}` : text;
}

const UNRECORDED = "clawai could not record this denial: tell the user to check clawai's messages.";

function explainDecision(denial: Denial): string {
  const { decision, call } = denial;
  const rule = decision.rule;
  const isKeptBack = decision.foundIn === 'answer';
  const what = `clawai ${isKeptBack ? 'withheld the answer to' : 'denied'} ${subjectOf(call, decision)}`;
  const isAsked = decision.action === 'prompt' && denial.asked !== undefined;
  const guard = guardWords(call, decision);
  if (guard !== undefined) return `${what}: ${guard.why}. ${isAsked ? adviceOnAsking(denial) : guard.advice}`;
  if (rule === undefined && isAsked) return `${what}. ${adviceOnAsking(denial)}`;
  if (rule === undefined || decision.reason !== 'rule') return `${what}: ${withoutRule(call, decision)}`;
  const why = rule.description === undefined ? '' : `: ${rule.description}`;
  const about = decision.argument === undefined ? '' : `, argument ${JSON.stringify(decision.argument)}`;
  const by = ` (rule ${JSON.stringify(ruleName(rule))}${about})`;
  // If a person can still say yes, the model is always told how.
  const message = [rule.message, rule.message === undefined || isAsked ? adviceOn(denial) : undefined];
  return `${what}${why}${by}. ${message.filter((part) => part !== undefined).join(' ')}`;
}

function withoutRule(call: Call, decision: Decision): string {
  if (decision.reason === 'self' && call.method === 'elicitation/create') {
    return 'its question to the user speaks of clawai, whose own questions look the same. No server may ask so.';
  }
  if (decision.reason === 'self') {
    return (
      "it touches clawai's own files or settings, runs a command that changes clawai, or may turn an agent's hooks off. No policy can allow that to an agent. " +
      'Do not try another way. If the user wants it, they must do it in a terminal of their own.'
    );
  }
  if (decision.reason === 'server_policy' && call.server === NATIVE_SERVER) {
    return `the server name ${quoteName(NATIVE_SERVER)} is reserved for the agent's own tools. Ask the user to rename the server.`;
  }
  if (decision.reason === 'server_policy') {
    return `the policy does not allow the server ${quoteName(call.server)}. Do not retry it; ask the user to allow that server in the policy.`;
  }
  if (decision.reason === 'nul_byte') return 'a path in its arguments contains a NUL byte. Remove it.';
  if (decision.reason === 'unknown_method') return 'the policy denies methods that clawai does not know.';
  if (decision.reason === 'policy_gone')
    return "clawai's policy is gone, so nothing is allowed. Tell the user to put it back or to run `clawai init`.";
  if (decision.reason === 'malformed' && nameProblem(call.tool ?? '') !== undefined)
    return 'its name starts or ends with white space, or contains invisible characters. Call the tool by its plain name.';
  if (decision.reason === 'malformed') return 'clawai cannot read the input that the server asked for.';
  if (decision.reason === 'unreadable_arguments')
    return 'its arguments are incomplete, or can be read in two ways. Repeat the call with arguments that are one JSON object.';
  if (decision.reason === 'too_many_paths')
    return 'its arguments name more paths than can be checked. Split it into smaller calls.';
  if (decision.reason === 'audit_unavailable') {
    return "clawai could not record it, so it was not forwarded. Tell the user to check clawai's messages.";
  }
  if (decision.reason === 'internal_error') {
    return "clawai failed while it decided, so the call was denied. Tell the user to check clawai's messages.";
  }
  return 'no rule of the policy allows it. Do not retry it; use another way, or ask the user to allow it in the policy.';
}

function adviceOn(denial: Denial): string {
  if (denial.decision.action === 'prompt' && denial.asked !== undefined) return adviceOnAsking(denial);
  return 'Do not retry it with the same arguments; use another way, or ask the user to change the policy.';
}

function adviceOnAsking({ asked, question }: Denial): string {
  const named = question === undefined ? '' : ` (request ${question})`;
  if (asked === 'refused') return `The user was asked${named} and refused. Do not retry it.`;
  if (asked === 'withdrawn') return `It needs a person's approval${named}, and was withdrawn before anyone answered.`;
  if (asked === 'expired') {
    return (
      `It needs a person's approval${named}, and nobody answered in time. ` +
      'Ask the user to run `clawai approvals` in a terminal, then repeat the same call.'
    );
  }
  if (asked === 'flood') {
    return (
      "It needs a person's approval, but too many calls asked for one in the last minute, so nobody was asked. " +
      'Tell the user, and wait a minute before the next such call.'
    );
  }
  return "It needs a person's approval, and nobody can be asked here. Ask the user to allow it in the policy.";
}

function subjectOf(call: Call, { dlp = [] }: Decision): string {
  if (call.isAnswer === true) return 'an answer to what the server asked for';
  if (call.tool !== undefined) return `the tool call ${quoteName(call.tool)}`;
  if (call.resource !== undefined)
    return `reading the resource ${quoteName(dlp.length === 0 ? call.resource : recordedURI(call.resource, dlp))}`;
  if (call.prompt !== undefined) return `the prompt ${quoteName(call.prompt)}`;
  return `the request ${quoteName(call.method)}`;
}
