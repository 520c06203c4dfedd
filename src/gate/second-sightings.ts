import { boundExtra, withoutMeta } from '../core/bound-extra.ts';
import type { Call } from '../core/call.ts';
import type { Decision } from '../core/decision.ts';
import type { CallSightings, Seen } from './call-sightings.ts';
import { chooseSighting } from './choose-sighting.ts';
import type { Answer } from './approver-port.ts';
import type { CallRecord, Ports } from './ports.ts';
import { questionIdentity } from './question-identity.ts';
import type { KeptSighting } from './sighting-port.ts';
import { isUniqueId, toolUseIdOf } from './tool-use-id.ts';

const TOOL_CALL = 'tools/call';

/** Members of `_meta` that the protocol has every request carry. They say which client it is, and nothing of the call. */
const OF_PROTOCOL: ReadonlySet<string> = new Set(
  ['protocolVersion', 'clientCapabilities', 'clientInfo', 'logLevel'].map((name) => `io.modelcontextprotocol/${name}`),
);

type UsedPorts = Pick<Ports, 'clock' | 'session' | 'sightings' | 'sink' | 'warn'>;

/** Calls where they are made: one that was seen in a model's answer before is the same call, and is not asked about again. */
export class SecondSightings implements CallSightings {
  readonly #ports: UsedPorts;

  constructor(ports: UsedPorts) {
    this.#ports = ports;
  }

  answerTo(call: Call, decision: Decision): Answer | undefined {
    const question = questionIdentity(decision);
    // What else the call says, a person has not seen.
    if (question === undefined || withoutMeta(boundExtra(call.extra), OF_PROTOCOL) !== undefined) return undefined;
    const granted = this.#find(call)?.granted;
    if (granted?.question !== question) return undefined;
    const { id, by, remember } = granted;
    return { approval: 'granted', id, by, remember, isEarlier: true };
  }

  take(call: Call): KeptSighting | undefined {
    const found = this.#find(call);
    if (found !== undefined) this.#ports.sightings?.()?.remove(found.session, call, found.n);
    return found;
  }

  note({ id, time, session, call }: CallRecord, { hasGoneOn, before }: Seen): void {
    if (before?.isDenied !== true) return;
    const { record: denied, toolUseId } = before;
    this.#ports.warn(
      `a call to ${JSON.stringify(call.server)} is made that was denied in the answer of the model (record ${denied})`,
    );
    this.#ports.sink.recordDeniedCallMade({ time, session, call, record: id, denied, toolUseId, hasGoneOn });
  }

  #find(call: Call): KeptSighting | undefined {
    const { clock, session } = this.#ports;
    const sightings = call.method === TOOL_CALL ? this.#ports.sightings?.() : undefined;
    if (sightings === undefined) return undefined;
    const toolUseId = toolUseIdOf(call);
    const choose = (kept: readonly KeptSighting[]): KeptSighting | undefined =>
      kept.length === 0 ? undefined : chooseSighting(kept, { toolUseId, now: clock.now() });
    const found = choose(sightings.of(session(), call));
    if (found !== undefined || toolUseId === undefined || !isUniqueId(toolUseId, call)) return found;
    // The answer may have come by a URL of another session, such as that of `clawai serve`.
    return choose(sightings.named(call, toolUseId));
  }
}
