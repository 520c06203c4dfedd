import { copyOf } from '../core/copy-of.ts';
import { quoteName } from '../core/flow/words.ts';
import type { DeniedResultRecord, Ports } from './ports.ts';
import type { Recorder } from './recorder.ts';

/** Ids that are remembered; the oldest go first. */
const MOST_IDS = 4096;

/** A denied call, as the policy and the model name it. */
export type DeniedByModel = Pick<DeniedResultRecord, 'server' | 'tool' | 'intercepted'>;

/**
 * Raises an alarm for each result that a client sends of a call that was denied: somebody has made the call all the same, or made up a result.
 * Some providers give an id more than once; an id that an allowed call has had, too, says nothing, nor does one that had a result before, as in a
 * conversation that goes on from before our time.
 */
export class DeniedResults {
  readonly #ports: Pick<Ports, 'clock' | 'session' | 'sink' | 'warn'>;
  readonly #recorder: Pick<Recorder, 'note'>;
  /** Undefined once it has been told of. */
  readonly #denied = new Map<string, DeniedByModel | undefined>();
  /** Ids whose results say nothing. */
  readonly #plain = new Map<string, true>();

  constructor(ports: Pick<Ports, 'clock' | 'session' | 'sink' | 'warn'>, recorder: Pick<Recorder, 'note'>) {
    this.#ports = ports;
    this.#recorder = recorder;
  }

  deny(denied: DeniedByModel): void {
    const { id } = denied.intercepted;
    if (id !== '' && !this.#plain.has(id)) remember(this.#denied, id, copied(denied));
  }

  allow(id: string): void {
    this.#denied.delete(id);
    if (id !== '') remember(this.#plain, id, true);
  }

  /** A request brings a result: once for each call, that is told where the call was denied. @param request of our own making: its id */
  note(id: string, request: string): void {
    const denied = this.#denied.get(id);
    if (denied === undefined) {
      if (id !== '' && !this.#denied.has(id)) remember(this.#plain, id, true);
      return;
    }
    this.#denied.set(id, undefined);
    const { clock, session, sink, warn } = this.#ports;
    const record = { ...denied, time: clock.now(), session: session(), request };
    this.#recorder.note(() => sink.recordDeniedResult(record));
    warn(
      `the agent has sent a result of a call of ${quoteName(denied.tool)} that was denied: something has made the call all the same, or made up the result`,
    );
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
