import { createHash, randomBytes } from 'node:crypto';
import { quoteName } from '../../core/flow/words.ts';
import type { JsonValue } from '../../core/json.ts';
import { canonicalText } from '../../core/registry/fingerprint.ts';
import type { Judgement } from '../fail-closed.ts';
import { BUSY, FORWARD } from '../verdict.ts';
import type { Clock, Ports } from '../ports/ports.ts';
import type { DeniedResultRecord } from '../ports/records.ts';
import type { Recorder, Transaction } from '../recorder.ts';
import { copyOf, DeniedLedger } from './denied-ledger.ts';

/** Most ids that are remembered; the oldest go first. */
const MOST_IDS = 4096;

const UNRECORDED_RESULT =
  "clawai did not forward this request: it has the result of a denied call, and clawai could not record that. Tell the user to look at clawai's messages.";

/** A denied call, by its names in the policy and in the model's answer. */
export type DeniedByModel = Pick<DeniedResultRecord, 'server' | 'tool' | 'intercepted'>;

interface Denied {
  readonly call: DeniedByModel;
  /** The transaction that records its result, and that transaction's recorder; undefined while no result has come. */
  recorded: { readonly within: Readonly<Transaction>; readonly by: Pick<Recorder, 'isOpen' | 'current'> } | undefined;
}

/**
 * Makes the key of a call: its id or, if an API gives none, its name and arguments, in a form that no id has.
 *
 * @param args JSON text in any spelling
 */
export function callKey({
  id,
  name,
  args,
}: {
  readonly id: string;
  readonly name: string;
  readonly args: string | undefined;
}): string {
  if (id !== '') return id;
  const digest = createHash('sha256')
    .update(spelledAlike(args ?? ''))
    .digest('base64');
  return `\0${name}\0${digest}`;
}

function spelledAlike(args: string): string {
  try {
    return canonicalText(JSON.parse(args === '' ? '{}' : args) as JsonValue);
  } catch {
    // Text that is not JSON is compared as it is.
    return args;
  }
}

/** The denied calls of one provider's models, for all gates in front of it: another run of an agent may continue a conversation. */
export interface DeniedMemory {
  /** The calls that later requests have to restore. */
  readonly ledger: DeniedLedger;
  /** Denied calls by key. */
  readonly denied: Map<string, Denied>;
  /** Keys of calls that were also allowed, or that had a result before: another result proves nothing. */
  readonly ambiguous: Map<string, true>;
}

/** @param other memory of a provider to which the same agents may take their conversations */
export function createDeniedMemory(
  clock: Pick<Clock, 'now'>,
  { denied, ambiguous }: Pick<DeniedMemory, 'denied' | 'ambiguous'> = { denied: new Map(), ambiguous: new Map() },
): DeniedMemory {
  const ledger = new DeniedLedger({ key: randomBytes(32), now: () => clock.now(), isDenied: (id) => denied.has(id) });
  return { ledger, denied, ambiguous };
}

/**
 * Records each result that a client sends for a denied call, and warns: somebody made the call anyway, or made up the result. Some providers
 * use an id twice, so the result of an id that an allowed call had too proves nothing. Nor does an id that had a result before: the
 * conversation may be older than this process.
 */
export class DeniedResults {
  readonly #ports: Pick<Ports, 'clock' | 'session' | 'sink' | 'warn'>;
  readonly #recorder: Pick<Recorder, 'open' | 'isOpen' | 'within' | 'current'>;
  readonly #denied: DeniedMemory['denied'];
  readonly #ambiguous: DeniedMemory['ambiguous'];

  constructor(
    ports: Pick<Ports, 'clock' | 'session' | 'sink' | 'warn'>,
    recorder: Pick<Recorder, 'open' | 'isOpen' | 'within' | 'current'>,
    { denied, ambiguous } = createDeniedMemory(ports.clock),
  ) {
    this.#denied = denied;
    this.#ambiguous = ambiguous;
    this.#ports = ports;
    this.#recorder = recorder;
  }

  /** @param id as `callKey` makes it */
  deny(denied: DeniedByModel, id = denied.intercepted.id): void {
    if (id !== '' && !this.#ambiguous.has(id)) remember(this.#denied, id, { call: copied(denied), recorded: undefined });
  }

  allow(id: string): void {
    this.#denied.delete(id);
    if (id !== '') remember(this.#ambiguous, id, true);
  }

  /**
   * Judges a request that contains results: with one of a denied call, it goes on once that is on record. @param passes it goes on in any
   * case
   */
  judge(ids: readonly string[], request: string, passes: boolean): Judgement {
    const noted = this.note(ids, request);
    if (noted === 'nothing') return FORWARD;
    if (noted === 'busy') return BUSY;
    const otherwise = passes ? FORWARD : ({ kind: 'reply', line: UNRECORDED_RESULT } as const);
    return { kind: 'recorded', verdict: FORWARD, otherwise: () => otherwise };
  }

  /**
   * Records the results of denied calls in a request, once for each call. Nothing of the request may go on before they are on record.
   *
   * @param ids of the calls, as `callKey` makes them
   * @param request our own id of the request
   * @returns `nothing` if there is nothing to record, `busy` if others have the store; otherwise it is in the open transaction
   */
  note(ids: readonly string[], request: string): 'nothing' | 'busy' | 'recorded' {
    const denied = ids.map((id) => this.#deniedOf(id)).filter((one) => one !== undefined);
    if (denied.length === 0) return 'nothing';
    if (!this.#recorder.open()) return 'busy';
    for (const one of new Set(denied)) if (one.recorded?.within.isLost !== false) this.#recordResult(one, request);
    return 'recorded';
  }

  /** The denied call of an id whose result is not on record yet. */
  #deniedOf(id: string): Denied | undefined {
    const denied = this.#denied.get(id);
    if (denied === undefined) {
      if (id !== '') remember(this.#ambiguous, id, true);
      return undefined;
    }
    const { recorded } = denied;
    // Another gate may be about to record it.
    const isPending =
      recorded === undefined || recorded.within.isLost || (recorded.by.isOpen && recorded.within === recorded.by.current);
    return isPending ? denied : undefined;
  }

  #recordResult(denied: Denied, request: string): void {
    const { clock, session, sink, warn } = this.#ports;
    const record = { ...denied.call, time: clock.now(), session: session(), request };
    this.#recorder.within(() => sink.record({ type: 'denied_result', ...record }));
    // The person is told once, however often recording is tried.
    if (denied.recorded === undefined) {
      warn(
        `the agent sent a result for a denied call of ${quoteName(record.tool)}: something made the call anyway, or made up the result`,
      );
    }
    denied.recorded = { within: this.#recorder.current, by: this.#recorder };
  }
}

/** Copies the texts: parts of an answer would keep all of it in memory. */
function copied({ server, tool, intercepted }: DeniedByModel): DeniedByModel {
  return {
    server: copyOf(server),
    tool: copyOf(tool),
    intercepted: { ...intercepted, id: copyOf(intercepted.id), name: copyOf(intercepted.name) },
  };
}

function remember<T>(map: Map<string, T>, id: string, value: T): void {
  // An existing entry stays, so that a recorded result is not recorded again.
  if (map.has(id)) return;
  map.set(copyOf(id), value);
  const [oldest] = map.keys();
  if (map.size > MOST_IDS && oldest !== undefined) map.delete(oldest);
}
