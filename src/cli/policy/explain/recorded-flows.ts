import { FLOW_TYPE } from '../../../audit/event-types.ts';
import { parseBody } from '../../../audit/event-columns.ts';
import { CATEGORIES } from '../../../core/call.ts';
import { type Evidence, FLOW_ACTIONS, FLOW_RULES, type FlowFinding, type PastCall } from '../../../core/finding.ts';
import { createLocator } from '../../../core/policy/locate.ts';
import { FLOW_TABLES } from '../../../core/policy/parse-flow.ts';
import type { Policy } from '../../../core/policy/tables.ts';
import { readTomlLayout } from '../../../core/policy/toml-layout.ts';
import { readSigns } from '../../../core/flow/steering/signs.ts';
import { quoteName } from '../../../core/flow/words.ts';
import type { StoredEvent, StoreReader } from '../../../store/reading/read.ts';
import { type Fields, objectsOf, shortId, textOf } from '../../log/event-fields.ts';
import { formatTime } from '../../terminal/layout.ts';
import { printable, shortPath } from '../../terminal/text.ts';
import { sourceWords } from '../../report/chain-words.ts';
import { type Chain, toChains } from '../../report/chains.ts';
import type { RecordedCall } from '../replay/recorded-call.ts';
import type { PolicyFiles } from './explained.ts';

/** A flow rule's finding as it is on record. What happens to such a call is for a policy to say. */
export interface RecordedFlow extends Omit<FlowFinding, 'action'> {
  /** Undefined if only the rule is on record. */
  readonly chain: Chain | undefined;
}

/** The same with what a policy does about it. */
type AppliedFlow = RecordedFlow & Pick<FlowFinding, 'action'>;

/** Events that are looked through for those of one call. */
const MOST_EVENTS = 200;

/** Earlier calls that are named; the newest tell the most. */
const MOST_NAMED = 5;

/** Reads what flow rules found in a recorded call, the deciding one first. Of a finding without an event, the rule alone is known. */
export function readRecordedFlows(reader: StoreReader, { id, flow }: RecordedCall): readonly RecordedFlow[] {
  if (flow.length === 0) return [];
  const events = reader.mentioning([JSON.stringify(id)], MOST_EVENTS).map((event) => ({ event, fields: fieldsOf(event) }));
  const call = events.filter(({ fields }) => textOf(fields, 'id') === id);
  return FLOW_RULES.filter((rule) => flow.includes(rule))
    .toSorted((a, b) => flow.indexOf(a) - flow.indexOf(b))
    .map((rule) => {
      const found = events.find(
        ({ event, fields }) => event.type === FLOW_TYPE && textOf(fields, 'call_id') === id && textOf(fields, 'rule') === rule,
      );
      const fields = found?.fields ?? {};
      const [chain] = found === undefined ? [] : toChains([...call, found].map(({ event }) => event));
      return {
        rule,
        severity: textOf(fields, 'severity') === 'high' ? 'high' : 'critical',
        reason: textOf(fields, 'reason') || 'it made a flow with calls that are not on record any more',
        related: objectsOf(fields, 'related_calls').map(toPastCall),
        evidence: toEvidence(fields),
        chain,
      };
    });
}

function fieldsOf({ body }: StoredEvent): Fields {
  return parseBody(body ?? '') ?? {};
}

function toPastCall(fields: Fields): PastCall {
  const turn = textOf(fields, 'request_id');
  const categories = textOf(fields, 'category').split(' ');
  return {
    id: textOf(fields, 'call_id'),
    time: Date.parse(textOf(fields, 'timestamp')),
    server: textOf(fields, 'server_id'),
    method: '',
    subject: textOf(fields, 'tool_name'),
    categories: CATEGORIES.filter((category) => categories.includes(category)),
    turn: turn === '' ? undefined : turn,
    isForwarded: textOf(fields, 'action') === 'allow',
  };
}

function toEvidence(fields: Fields): Evidence | undefined {
  const source = textOf(fields, 'evidence_source');
  const encoding = textOf(fields, 'evidence_encoding');
  return source === '' ? undefined : { source, encoding, description: textOf(fields, 'evidence') };
}

/** The findings with what a policy does about them, the strictest first; without those of rules that it has switched off. */
export function applyFlowSettings(flows: readonly RecordedFlow[], { flow }: Policy): readonly AppliedFlow[] {
  return flows
    .flatMap((found) => {
      const { enabled, action } = flow[FLOW_TABLES[found.rule].property];
      return enabled ? [{ ...found, action }] : [];
    })
    .toSorted((a, b) => FLOW_ACTIONS.indexOf(b.action) - FLOW_ACTIONS.indexOf(a.action));
}

/** Printable lines on findings: the value's way and its signs, other earlier calls, the setting that decides, and how to change it. */
export function flowLines(flows: readonly AppliedFlow[], { user }: Pick<PolicyFiles, 'user'>): readonly string[] {
  return flows.flatMap((found) => {
    const { rule, reason, related, action, chain } = found;
    const others = related.filter(({ id }) => id !== chain?.source?.call_id);
    const named = others.slice(-MOST_NAMED);
    const more = others.length - named.length;
    return [
      `flow rule ${rule} found this: ${printable(reason)}`,
      ...(chain === undefined ? [] : wayLines(chain)),
      ...named.map((call) => `  earlier call: ${pastWords(call)}`),
      ...(more > 0 ? [`  and ${more} before these`] : []),
      `  set by ${settingWords(found, user)}`,
      ...(action === 'alert' ? [] : [`  to change it: ${remedyWords(found, user.policy)}`]),
    ];
  });
}

/** Lines on a value's way, and on what speaks for it and against it. */
function wayLines(chain: Chain): readonly string[] {
  const { source, parameter, signs } = chain;
  if (source === null) return [];
  const { for: pro, against } = readSigns(signs);
  const id = source.call_id === '' ? '' : `, ${shortId(source.call_id)}`;
  return [
    `  from: ${sourceWords(chain)}${id}`,
    ...(parameter === null ? [] : [`  to: ${quoteName(parameter)} of this call`]),
    ...(pro.length === 0 ? [] : [`  for it: ${pro.join('; ')}`]),
    ...(against.length === 0 ? [] : [`  against it: ${against.join('; ')}`]),
  ].map(printable);
}

/** Findings for programs. */
export function flowJson(flows: readonly AppliedFlow[]): readonly object[] {
  return flows.map(({ rule, action, reason, related, chain }) => {
    const { source, evidence, evidence_encoding: encoding, signs = [] } = chain ?? {};
    const { server_id: server, tool_name: tool, parameter, outcome, answered_by: answeredBy } = chain ?? {};
    return {
      rule,
      action,
      reason,
      related: related.map((past) => past.id),
      source: source
        ? { id: source.call_id, server: source.server_id, tool: source.tool_name, timestamp: source.timestamp }
        : null,
      sink: chain === undefined ? null : { server, tool, parameter },
      evidence: evidence ? { description: evidence, encoding } : null,
      ...readSigns(signs),
      outcome: outcome ?? null,
      answeredBy: answeredBy ?? null,
    };
  });
}

function pastWords({ id, time, server, subject }: PastCall): string {
  const when = Number.isNaN(time) ? '' : `, ${formatTime(time)}`;
  return `${printable(`${server}:${subject}`)}${when}${id === '' ? '' : `, ${printable(shortId(id))}`}`;
}

/** Names the key that says what happens to such a call, and its place if it is written. */
function settingWords({ rule, action }: AppliedFlow, { file, policy }: PolicyFiles['user']): string {
  const { exact } = createLocator(readTomlLayout(policy.text.replace(/^\uFEFF/, '')));
  const own = exact(['flow', rule, 'action']);
  const ofAll = rule === 'shadow_tool' ? undefined : exact(['flow', 'action']);
  const place = own ?? ofAll;
  const key = own === undefined && ofAll !== undefined ? 'action' : `${rule}.action`;
  const at = place === undefined ? 'the default' : `${shortPath(file)}:${place.line}`;
  return `${key} = "${action}" under [flow] (${at})`;
}

/** Settings that a user may choose instead, in words. */
function remedyWords({ rule, action }: AppliedFlow, { flow }: Policy): string {
  const { evidence } = rule === 'cross_server_flow' ? flow.crossServerFlow : flow.readThenSend;
  const isLoose = (rule === 'read_then_send' || rule === 'cross_server_flow') && evidence === 'category';
  const milder = action === 'deny' ? `"prompt" asks you each time, "alert" only records it` : '"alert" only records it';
  const other = {
    read_then_send: 'evidence = "value" acts only on copied data',
    cross_server_flow: 'evidence = "value" acts only on copied data',
    steered_call: 'trusted under [flow] names servers whose results may say where calls go',
    burst: 'a larger max_calls lets more calls pass',
    shadow_tool: 'the server that had the name first is still free to be called',
  }[rule];
  return isLoose || !('evidence' in flow[FLOW_TABLES[rule].property]) ? `${other}; ${milder}` : milder;
}
