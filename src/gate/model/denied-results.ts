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

/** A denied call, as the policy and the model name it. */
export type DeniedByModel = Pick<DeniedResultRecord, 'server' | 'tool' | 'intercepted'>;

interface Denied {
  readonly call: DeniedByModel;
  /** The transaction that records its result, and the recorder that owns it; undefined while there is none. */
  told: { readonly within: Readonly<Transaction>; readonly by: Pick<Recorder, 'isOpen' | 'current'> } | undefined;
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
  /** Keys whose results prove nothing. */
  readonly plain: Map<string, true>;
}

/** @param other memory of a provider to which the same agents may take their conversations */
export function createDeniedMemory(
  clock: Pick<Clock, 'now'>,
  { denied, plain }: Pick<DeniedMemory, 'denied' | 'plain'> = { denied: new Map(), plain: new Map() },
): DeniedMemory {
  const ledger = new DeniedLedger({ key: randomBytes(32), now: () => clock.now() });
  return { ledger, denied, plain };
}

/**
 * Raises an alarm for each result that a client sends for a denied call: somebody has made the call all the same, or made up a result. Some
 * providers give an id more than once; so an id that an allowed call also had proves nothing, nor does one that had a result before, as in
 * a conversation from before our time.
 */
export class DeniedResults {
  readonly #ports: Pick<Ports, 'clock' | 'session' | 'sink' | 'warn'>;
  readonly #recorder: Pick<Recorder, 'open' | 'isOpen' | 'within' | 'current'>;
  readonly #denied: DeniedMemory['denied'];
  readonly #plain: DeniedMemory['plain'];

  constructor(
    ports: Pick<Ports, 'clock' | 'session' | 'sink' | 'warn'>,
    recorder: Pick<Recorder, 'open' | 'isOpen' | 'within' | 'current'>,
    { denied, plain } = createDeniedMemory(ports.clock),
  ) {
    this.#denied = denied;
    this.#plain = plain;
    this.#ports = ports;
    this.#recorder = recorder;
  }

  /** @param id as `callKey` makes it */
  deny(denied: DeniedByModel, id = denied.intercepted.id): void {
    if (id !== '' && !this.#plain.has(id)) remember(this.#denied, id, { call: copied(denied), told: undefined });
  }

  allow(id: string): void {
    this.#denied.delete(id);
    if (id !== '') remember(this.#plain, id, true);
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
    for (const one of new Set(denied)) if (one.told?.within.isLost !== false) this.#tell(one, request);
    return 'recorded';
  }

  /** The denied call of an id whose result is not on record yet. */
  #deniedOf(id: string): Denied | undefined {
    const denied = this.#denied.get(id);
    if (denied === undefined) {
      if (id !== '') remember(this.#plain, id, true);
      return undefined;
    }
    const { told } = denied;
    // Another gate may be about to record it.
    const isPending = told === undefined || told.within.isLost || (told.by.isOpen && told.within === told.by.current);
    return isPending ? denied : undefined;
  }

  #tell(denied: Denied, request: string): void {
    const { clock, session, sink, warn } = this.#ports;
    const record = { ...denied.call, time: clock.now(), session: session(), request };
    this.#recorder.within(() => sink.record({ type: 'denied_result', ...record }));
    // The person is told once, however often recording is tried.
    if (denied.told === undefined) {
      warn(
        `the agent sent a result for a denied call of ${quoteName(record.tool)}: something made the call anyway, or made up the result`,
      );
    }
    denied.told = { within: this.#recorder.current, by: this.#recorder };
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
  // Existing entries stay: a result that was told is not told again.
  if (map.has(id)) return;
  map.set(copyOf(id), value);
  const [oldest] = map.keys();
  if (map.size > MOST_IDS && oldest !== undefined) map.delete(oldest);
}
