import type { StageName } from '../../../core/decide/decide.ts';
import { type Call, NATIVE_SERVER } from '../../../core/call.ts';
import type { Decision, RuleRef } from '../../../core/decision.ts';
import type { Silence, StageAccount } from '../../../policy-tools/explain/explanation.ts';
import { describeSecrets } from '../../../core/outgoing/secrets-of-call.ts';
import { describeFaults } from '../../../core/schema/arguments-schema.ts';
import { describeDistrust } from '../../../core/registry/trust.ts';
import { guardWords } from '../../../gate/calls/guard-words.ts';
import { countOf } from '../../terminal/layout.ts';
import { printable } from '../../terminal/text.ts';

const REASONS: Readonly<Partial<Record<Decision['reason'], string>>> = {
  self: "it reaches for clawai's own files or settings, runs a command that changes clawai, or may turn an agent's hooks off",
  too_many_paths: 'its arguments name more paths than can be checked',
  unmapped_tool: 'its name belongs to no server that is known',
  nul_byte: 'a path in its arguments has a NUL byte in it',
  unknown_method: 'unknown_methods denies methods that MCP does not have',
  policy_gone: 'the policy is gone, so everything is denied',
  internal_error: 'its definition could not be looked at',
  default: 'no rule matches',
};

/** Why a decision is as it is, in half a sentence; undefined where a rule made it, which says so itself. */
export function reasonWords(call: Call, decision: Decision): string | undefined {
  const guard = guardWords(call, decision);
  if (guard !== undefined) return printable(guard.why);
  if (decision.reason !== 'server_policy') return REASONS[decision.reason];
  return call.server === NATIVE_SERVER
    ? `no server may be called "${NATIVE_SERVER}"`
    : printable(`there may be no server ${JSON.stringify(call.server)}`);
}

/** The name of the decider: `rule keys`, `the default`, `pinning`. @param stage undefined if none was asked */
export function deciderName({ rule }: Decision, stage: StageName | undefined): string {
  if (rule !== undefined) return printable(ruleTitle(rule));
  // The gate denies calls with too many paths before any stage is asked.
  if (stage === undefined) return 'clawai itself';
  return stage === 'rules' ? 'the default' : stage;
}

/** `rule keys`, `rule 3`, `rule keys of the project`. */
export function ruleTitle({
  index,
  id,
  source,
}: Pick<RuleRef, 'index' | 'source'> & { readonly id?: string | undefined }): string {
  return `rule ${id ?? index + 1}${source === 'project' ? ' of the project' : ''}`;
}

const UNKNOWN: Readonly<Partial<Record<StageName, string>>> = {
  flow: 'nothing is known of other calls in its session',
  schema: "nothing is known of the tool's schema",
  pinning: 'nothing is known of the definition',
  rate_limits: 'nothing is known of other calls',
  detection: 'nothing is known of what was found in the definition',
};

const SILENCES: Readonly<Record<Silence, string>> = {
  off: 'off',
  unconcerned: 'not about such calls',
  unknown: 'nothing is known',
  alert: 'only tells of it',
  clear: 'nothing against it',
};

/** Puts into words what a stage says, with its reason. */
export function stageWords(account: StageAccount, call: Call): string {
  const { stage, says, isSkipped } = account;
  if (says !== undefined) {
    const why = reasonWords(call, says);
    const by = stage === 'rules' ? ` by ${deciderName(says, stage)}` : '';
    return `${isSkipped ? 'not asked; would ' : ''}${says.action}${by}${why === undefined || stage === 'rules' ? '' : `: ${why}`}`;
  }
  return isSkipped ? 'not asked' : silenceWords(account);
}

function silenceWords({ stage, silence = 'clear', known }: StageAccount): string {
  const { flow = [], faults = [], pin, isServerChanged, limits = [] } = known;
  if (silence === 'unknown') return UNKNOWN[stage] ?? SILENCES.unknown;
  if (stage === 'flow' && silence === 'alert')
    return `only tells of it: ${flow.map(({ rule, reason }) => printable(`${rule}: ${reason}`)).join('; ')}`;
  if (stage === 'dlp' && silence === 'alert')
    return `${known.isRedacted === true ? 'takes it out' : 'only tells of it'}: ${describeSecrets(known.secrets ?? [])}`;
  if (stage === 'schema' && silence === 'alert') return `only tells of it: ${describeFaults(faults)}`;
  if (stage === 'pinning' && silence === 'alert') {
    const what =
      isServerChanged === true && pin !== 'changed' ? 'server' : pin === 'pinned' || pin === undefined ? 'server' : pin;
    return `only tells of it: ${describeDistrust({ what })}`;
  }
  if (stage === 'pinning' && silence === 'clear') return `nothing against it: its definition is ${pin}`;
  if (stage === 'rate_limits' && silence === 'clear') return limits.map(limitWords).join('; ');
  return SILENCES[silence];
}

function limitWords({ of, left, rpm }: NonNullable<StageAccount['known']['limits']>[number]): string {
  return `nothing against it: ${countOf(left, 'call')} at once are left to this ${of}, and ${rpm} a minute`;
}
