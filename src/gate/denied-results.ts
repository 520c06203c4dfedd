import { copyOf } from '../core/copy-of.ts';
import { quoteName } from '../core/flow/words.ts';
import type { Judgement } from './guard.ts';
import type { DeniedResultRecord, Ports } from './ports.ts';
import type { Recorder, Transaction } from './recorder.ts';
import { BUSY, FORWARD } from './verdict.ts';

/** Ids that are remembered; the oldest go first. */
const MOST_IDS = 4096;

const UNRECORDED_RESULT =
  "clawai did not pass this request on: it has the result of a call that was denied, and that could not be recorded. Tell the user to look at clawai's messages.";

/** A denied call, as the policy and the model name it. */
export type DeniedByModel = Pick<DeniedResultRecord, 'server' | 'tool' | 'intercepted'>;

interface Denied {
  readonly call: DeniedByModel;
  /** The one that its result is recorded in; undefined while there is none. */
  told: Readonly<Transaction> | undefined;
}

/**
 * Raises an alarm for each result that a client sends of a call that was denied: somebody has made the call all the same, or made up a result.
 * Some providers give an id more than once; an id that an allowed call has had, too, says nothing, nor does one that had a result before, as in a
 * conversation that goes on from before our time.
 */
export class DeniedResults {
  readonly #ports: Pick<Ports, 'clock' | 'session' | 'sink' | 'warn'>;
  readonly #recorder: Pick<Recorder, 'open' | 'isOpen' | 'within' | 'current'>;
  readonly #denied = new Map<string, Denied>();
  /** Ids whose results say nothing. */
  readonly #plain = new Map<string, true>();

  constructor(
    ports: Pick<Ports, 'clock' | 'session' | 'sink' | 'warn'>,
    recorder: Pick<Recorder, 'open' | 'isOpen' | 'within' | 'current'>,
  ) {
    this.#ports = ports;
    this.#recorder = recorder;
  }

  deny(denied: DeniedByModel): void {
    const { id } = denied.intercepted;
    if (id !== '' && !this.#plain.has(id)) remember(this.#denied, id, { call: copied(denied), told: undefined });
  }

  allow(id: string): void {
    this.#denied.delete(id);
    if (id !== '') remember(this.#plain, id, true);
  }

  /** What becomes of a request that brings results: of a denied call, it goes on once that is on record. @param passes it does in any case */
  judge(ids: readonly string[], request: string, passes: boolean): Judgement {
    const noted = this.note(ids, request);
    if (noted === 'nothing') return FORWARD;
    if (noted === 'busy') return BUSY;
    const otherwise = passes ? FORWARD : ({ kind: 'reply', line: UNRECORDED_RESULT } as const);
    return { kind: 'recorded', verdict: FORWARD, otherwise: () => otherwise };
  }

  /**
   * A request brings results: once for each call, that is told where the call was denied. Nothing of it may go on before it is on record.
   *
   * @param ids of the calls
   * @param request of our own making: its id
   * @returns `nothing` where there is nothing to be recorded, `busy` where others have the store; otherwise it is in the transaction that is open
   */
  note(ids: readonly string[], request: string): 'nothing' | 'busy' | 'recorded' {
    const denied = ids.map((id) => this.#deniedOf(id)).filter((one) => one !== undefined);
    if (denied.length === 0) return 'nothing';
    if (!this.#recorder.open()) return 'busy';
    for (const one of new Set(denied)) if (one.told === undefined || one.told.isLost) this.#tell(one, request);
    return 'recorded';
  }

  /** What is denied and not on record yet. */
  #deniedOf(id: string): Denied | undefined {
    const denied = this.#denied.get(id);
    if (denied === undefined) {
      if (id !== '') remember(this.#plain, id, true);
      return undefined;
    }
    const { told } = denied;
    const isPending = told === undefined || told.isLost || (this.#recorder.isOpen && told === this.#recorder.current);
    return isPending ? denied : undefined;
  }

  #tell(denied: Denied, request: string): void {
    const { clock, session, sink, warn } = this.#ports;
    const record = { ...denied.call, time: clock.now(), session: session(), request };
    this.#recorder.within(() => sink.recordDeniedResult(record));
    // Told of once, however often it takes to get it on record.
    if (denied.told === undefined) {
      warn(
        `the agent has sent a result of a call of ${quoteName(record.tool)} that was denied: something has made the call all the same, or made up the result`,
      );
    }
    denied.told = this.#recorder.current;
  }
}

/** On its own: parts of an answer would keep all of that. */
function copied({ server, tool, intercepted }: DeniedByModel): DeniedByModel {
  return {
    server: copyOf(server),
    tool: copyOf(tool),
    intercepted: { ...intercepted, id: copyOf(intercepted.id), name: copyOf(intercepted.name) },
  };
}

function remember<T>(map: Map<string, T>, id: string, value: T): void {
  // What is known already stays as it is: what has been told of is not told again.
  if (map.has(id)) return;
  map.set(copyOf(id), value);
  const [oldest] = map.keys();
  if (map.size > MOST_IDS && oldest !== undefined) map.delete(oldest);
}
