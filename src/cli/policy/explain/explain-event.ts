import { CALL_TYPES, CANARY_SERVER } from '../../../audit/event-types.ts';
import { decide } from '../../../core/decide/decide.ts';
import { type Action, type Decision, ruleName } from '../../../core/decision.ts';
import type { ExplainOptions } from '../../../policy-tools/explain/explain.ts';
import type { StoreReader } from '../../../store/reading/read.ts';
import { usageError } from '../../command.ts';
import { findCall, type FoundCall, shortId } from '../../log/event-fields.ts';
import { openRecorded } from '../../machine/open-store.ts';
import { formatTime } from '../../terminal/layout.ts';
import { printable } from '../../terminal/text.ts';
import type { Fixture } from '../fixtures/fixture-case.ts';
import { readRecordedCall, type RecordedCall } from '../replay/recorded-call.ts';
import { findUnknownValues, matchKnown } from '../replay/unknown-values.ts';
import { FAILURES } from '../replay/verdict.ts';
import { findPolicyOf, type HereOptions, type PolicyOfEvent } from './explain-here.ts';
import type { Explained, PolicyFiles } from './explained.ts';
import { applyFlowSettings, flowJson, flowLines, readRecordedFlows, type RecordedFlow } from './recorded-flows.ts';

export interface EventExplained {
  readonly files: PolicyFiles;
  readonly here: PolicyOfEvent;
  readonly record: RecordedCall;
  readonly explained: Explained;
  /** True if any part of the call is redacted or cut on record. */
  readonly isRedacted: boolean;
  /** Printable lines on what the record says, and what can't be told from it any more. */
  readonly lead: readonly string[];
  /** The record for programs. */
  readonly event: object;
}

/** Calls among which the last denied one is looked for: those of the doctor are none of the user's. */
const MOST_LOOKED_AT = 1000;

/** Explains a call on record; undefined where nothing is on record at all, which is said. Throws ClawaiError `usage`, `policy_*` and `store_*`. */
export async function explainEvent(
  { id, ...options }: HereOptions & { readonly id: string | undefined },
  explaining: ExplainOptions,
): Promise<EventExplained | undefined> {
  const reader = await openRecorded(options.config);
  if (reader === undefined) return undefined;
  let found: FoundCall;
  let record: RecordedCall;
  let recordedFlows: readonly RecordedFlow[];
  try {
    found = id === undefined ? lastDenied(reader) : findCall(reader, id);
    record = readFound(found);
    recordedFlows = readRecordedFlows(reader, record);
  } finally {
    reader.close();
  }
  const here = await findPolicyOf(record.policyHash, options);
  if (here === undefined) throw usageError('there is no policy that can be read', '`clawai policy lint` says what is wrong');
  const { call, categories } = record;
  const flows = applyFlowSettings(recordedFlows, here.files.user.policy);
  const context = { ...(categories === undefined ? {} : { categories }), ...(flows.length === 0 ? {} : { flows }) };
  const fixture: Fixture = { file: '', name: '', call, context };
  const explanation = here.explain(fixture, explaining);
  const unknown = findUnknownValues(call.args, record.cuts);
  const isRedacted = unknown !== undefined || record.isNameUnknown || record.isResourceUnknown;
  const lead = [
    `${shortId(found.id)}, ${formatTime(record.time)}, on record: ${printable(thenWords(record))}${record.isForwarded ? ', and it went on' : ''}`,
    here.isSame
      ? 'the policy is the one that decided then'
      : 'the policy that decided then is not at hand: it has changed since, or lies elsewhere; this is by the one that there is now',
    ...(isRedacted ? [redactedWords(isLookedAt(here, fixture, record))] : []),
    ...(isRedacted || !here.isSame || isAsThen(explanation.decision, record)
      ? []
      : [otherwiseWords(explanation.decision, record)]),
    ...flowLines(flows, here.files),
  ];
  const event = {
    id: found.id,
    timestamp: new Date(record.time).toISOString(),
    decision: record.action,
    reason: record.reason,
    rule: record.rule ?? null,
    policySame: here.isSame,
    redacted: isRedacted,
    flow: flowJson(flows),
  };
  const explained: Explained = { fixture, explanation };
  return { files: here.files, here, record, explained, isRedacted, lead, event };
}

function readFound({ id, event }: FoundCall): RecordedCall {
  const record = readRecordedCall(event.body ?? '');
  if (typeof record !== 'string') return record;
  throw usageError(`${shortId(id)} can't be explained: ${record}`, 'clawai log show has what is left of it');
}

function lastDenied(reader: StoreReader): FoundCall {
  const denied = [...reader.newest({ types: CALL_TYPES, action: 'block' }, MOST_LOOKED_AT)].toReversed();
  const event = denied.find(({ server }) => server !== CANARY_SERVER);
  const record = event === undefined ? undefined : readRecordedCall(event.body ?? '');
  if (event !== undefined && typeof record === 'object') return { id: record.id, event };
  throw usageError('no denied call is on record', '`clawai log --calls` shows what there is');
}

/** Tells whether a rule looks at values that are redacted or cut. */
function isLookedAt(here: PolicyOfEvent, fixture: Fixture, { call, cuts, isNameUnknown }: RecordedCall): boolean {
  const snapshot = here.snapshot(fixture);
  if (snapshot === undefined || isNameUnknown) return true;
  const unknown = findUnknownValues(call.args, cuts) ?? { isOpen: false, isUnknown: () => true };
  let isDoubted = false;
  decide(call, { ...snapshot, matches: matchKnown(call.args, unknown, () => (isDoubted = true)) });
  return isDoubted;
}

function redactedWords(isLooked: boolean): string {
  const what = 'arguments are redacted or cut on record';
  return isLooked
    ? `${what} where rules look, so it can't be told what they say of those`
    : `${what}, which makes no difference to what decides`;
}

/** Tells whether a decision is the recorded one, whatever a person answered. The record of an answer does not name the guard that asked. */
function isAsThen({ action, reason, rule }: Decision, record: RecordedCall): boolean {
  if (action !== record.action || (rule && ruleName(rule)) !== record.rule) return false;
  return reason === record.reason || record.reason === '' || record.reason.startsWith('approval_');
}

const DONE: Readonly<Record<Action, string>> = { allow: 'allowed', deny: 'denied', prompt: 'asked about' };

function otherwiseWords({ action, reason, rule }: Decision, record: RecordedCall): string {
  const by = action === record.action ? ` by ${rule === undefined ? reason : printable(`rule ${ruleName(rule)}`)}` : '';
  // The launch that was denied is not on record, and may still not be trusted.
  const orLaunch = record.reason === 'pinning' ? ', or its server was started in another way then' : '';
  const why = FAILURES.has(record.reason) ? 'clawai failed then' : `trust or the session has changed since${orLaunch}`;
  return `decided again now, it is ${DONE[action]}${by}: ${why}`;
}

function thenWords({ action, reason, rule, approval }: RecordedCall): string {
  const by = `${action} by ${rule === undefined ? reason : `rule ${rule}`}`;
  return approval === undefined ? by : `${by}, ${approval}`;
}
