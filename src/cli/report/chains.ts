import { CALL_TYPES, FLOW_TYPE } from '../../audit/event-types.ts';
import type { StoredEvent } from '../../store/reading/read.ts';
import { type Fields, objectsOf, subjectOf, textOf } from '../log/event-fields.ts';
import { isOnlyObserved, type ReportEvent, toReportEvent } from './report-event.ts';

/** A call that a chain names. */
export interface RelatedCall {
  readonly timestamp: string | null;
  readonly server_id: string;
  /** Tool, resource or prompt. */
  readonly tool_name: string;
  readonly call_id: string;
  readonly category: string;
}

/**
 * `refused`: by a person. `unanswered`: nobody could be asked, or nobody answered. `allowed`: by a person. `passed`: it was only reported.
 * `observed`: it passed because clawai only observed. `asked`: a person was asked, and the answer is not known.
 */
export type Outcome = 'denied' | 'refused' | 'unanswered' | 'allowed' | 'passed' | 'observed' | 'asked';

/** A way that a value took, or was to take: from one call's result into a later call. Names and texts are as recorded; the value is not in it. */
export interface Chain {
  /** The rule that decided, or would have; other rules that found something in the same call. */
  readonly rule: string;
  readonly other_rules: readonly string[];
  readonly severity: string;
  /** The flow rules' action: `block`, `prompt` or `alert`. */
  readonly action: string;
  /** The fate of the call. */
  readonly outcome: Outcome;
  /** The person who answered, if one did. */
  readonly answered_by: string | null;
  /** The rule or guard that denied the call if no flow rule did. */
  readonly denied_by: string | null;
  readonly session_id: string;
  readonly timestamp: string;
  /** The call that the value was in, and the place in its arguments if it is known. */
  readonly server_id: string;
  readonly tool_name: string;
  readonly call_id: string;
  readonly parameter: string | null;
  /** The call whose result had the value or, without evidence, may have; null if it is about no value. */
  readonly source: RelatedCall | null;
  readonly reason: string;
  /** The value's kind, and its encoding; null if none was found. */
  readonly evidence: string | null;
  readonly evidence_encoding: string | null;
  readonly evidence_source: string | null;
  /** Codes of the facts that speak for and against `steered_call`. */
  readonly signs: readonly string[];
  /** Newest last. */
  readonly related_calls: readonly RelatedCall[];
}

/** Calls that one event names; a store may have been edited. */
const MOST_RELATED = 10;
const MOST_SIGNS = 20;

/** Calls whose outcome is kept: the findings in a call come right behind it. */
const MOST_CALLS = 256;
/** Chains that are kept, to know those again that were seen in a model's answer first. */
const MOST_CHAINS = 4096;

/** Rules that find no value, but a number or a name. */
const WITHOUT_SOURCE: ReadonlySet<string> = new Set(['burst', 'shadow_tool']);

/** The chains in recorded events, in their order. Pure; nothing in an event is taken for granted. @param events oldest first */
export function toChains(events: Iterable<StoredEvent>): readonly Chain[] {
  const chains: Chain[] = [];
  const reader = new ChainReader((chain) => chains.push(chain));
  for (const event of events) reader.add(toReportEvent(event));
  reader.end();
  return chains;
}

/** Puts the findings in a call together, event by event. Keeps a bounded number of calls. */
export class ChainReader {
  readonly #emit: (chain: Chain) => void;
  readonly #calls = new Map<string, Fate>();
  readonly #seen = new Set<string>();
  /** The chains of the newest call with a finding. */
  #open: Chain[] = [];

  constructor(emit: (chain: Chain) => void) {
    this.#emit = emit;
  }

  /** Any event, oldest first. */
  add(event: ReportEvent): void {
    if (event.type === FLOW_TYPE) this.#addFinding(event);
    if (!CALL_TYPES.some((type) => type === event.type)) return;
    this.#calls.set(textOf(event.fields, 'id'), fateOf(event));
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > MOST_CALLS && oldest !== undefined) this.#calls.delete(oldest);
  }

  /** Emits the last chains. */
  end(): void {
    for (const chain of this.#open) if (this.#isNew(chain)) this.#emit(chain);
    this.#open = [];
  }

  #addFinding(event: ReportEvent): void {
    const id = textOf(event.fields, 'call_id');
    const chain = toChain(event, this.#calls.get(id));
    // A rule finds one thing in a call at most.
    const isSameCall = (other: Chain): boolean =>
      id !== '' && other.call_id === id && other.session_id === chain.session_id && !rulesOf(other).includes(chain.rule);
    if (!this.#open.every(isSameCall)) this.end();
    // A finding without a value belongs to whatever else was found in that call.
    const at = this.#open.findIndex(
      (other) => other.evidence === null || chain.evidence === null || other.evidence_source === chain.evidence_source,
    );
    const known = this.#open[at];
    if (known === undefined) this.#open.push(chain);
    else this.#open[at] = join(known, chain);
  }

  /** Tells whether it is not the chain of a call that was seen in a model's answer before. */
  #isNew({ call_id: id, rule, outcome, source }: Chain): boolean {
    const keyOf = (call: string): string => JSON.stringify([call, rule, outcome, source?.call_id ?? '']);
    const first = this.#calls.get(id)?.first;
    if (first !== undefined && this.#seen.has(keyOf(first))) return false;
    this.#seen.add(keyOf(id));
    const [oldest] = this.#seen;
    if (this.#seen.size > MOST_CHAINS && oldest !== undefined) this.#seen.delete(oldest);
    return true;
  }
}

function rulesOf({ rule, other_rules: others }: Chain): readonly string[] {
  return [rule, ...others];
}

/** The first finding decided; the value is that of whichever found one. */
function join(first: Chain, second: Chain): Chain {
  const both = [first, second];
  const ofValue = both.find(({ evidence }) => evidence !== null) ?? both.find(({ source }) => source !== null) ?? first;
  const { parameter, source, evidence, evidence_encoding, evidence_source, signs, related_calls } = ofValue;
  const value = { parameter, source, evidence, evidence_encoding, evidence_source, signs, related_calls };
  return { ...first, other_rules: [...first.other_rules, second.rule], ...value };
}

function toChain({ fields, server, tool, action, severity, session, timestamp }: ReportEvent, fate: Fate | undefined): Chain {
  const orNull = (name: string): string | null => textOf(fields, name) || null;
  const rule = textOf(fields, 'rule');
  const related = objectsOf(fields, 'related_calls')
    .slice(-MOST_RELATED)
    .map((each): RelatedCall => ({
      timestamp: textOf(each, 'timestamp') || null,
      server_id: textOf(each, 'server_id'),
      tool_name: textOf(each, 'tool_name'),
      call_id: textOf(each, 'call_id'),
      category: textOf(each, 'category'),
    }));
  const evidenceSource = orNull('evidence_source');
  const named = related.find(({ call_id: id }) => id !== '' && id === evidenceSource) ?? related.at(-1);
  return {
    rule,
    other_rules: [],
    severity: severity ?? '',
    action: action ?? '',
    outcome: fate?.outcome ?? (action === 'block' ? 'denied' : action === 'prompt' ? 'asked' : 'passed'),
    answered_by: fate?.answered_by ?? null,
    denied_by: fate?.denied_by ?? null,
    session_id: session,
    timestamp,
    server_id: server,
    tool_name: tool ?? subjectOf(fields),
    call_id: textOf(fields, 'call_id'),
    parameter: orNull('evidence_place'),
    source: WITHOUT_SOURCE.has(rule) ? null : (named ?? null),
    reason: textOf(fields, 'reason'),
    evidence: orNull('evidence'),
    evidence_encoding: orNull('evidence_encoding'),
    evidence_source: evidenceSource,
    signs: textOf(fields, 'evidence_signs')
      .split(' ')
      .filter((sign) => sign !== '')
      .slice(0, MOST_SIGNS),
    related_calls: related,
  };
}

/** The facts that are kept of a call. */
interface Fate extends Pick<Chain, 'outcome' | 'answered_by' | 'denied_by'> {
  /** Id of the record in which it was seen first, in a model's answer. */
  readonly first: string | undefined;
}

function fateOf({ action, fields }: ReportEvent): Fate {
  const approval = textOf(fields, 'approval');
  const reason = textOf(fields, 'reason');
  const outcome = outcomeOf(action, fields);
  const isOthers = outcome === 'denied' && reason !== 'flow';
  return {
    outcome,
    answered_by: textOf(fields, approval === 'refused' ? 'refused_by' : 'approved_by') || null,
    denied_by: isOthers ? textOf(fields, 'rule') || reason || null : null,
    first: textOf(fields, 'sighting_of') || undefined,
  };
}

function outcomeOf(action: string | null, fields: Fields): Outcome {
  const approval = textOf(fields, 'approval');
  if (isOnlyObserved(action, fields)) return 'observed';
  if (action === 'allow') return approval === 'granted' ? 'allowed' : 'passed';
  if (approval === 'refused') return 'refused';
  return approval === '' || approval === 'granted' ? 'denied' : 'unanswered';
}
