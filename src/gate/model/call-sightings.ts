import { boundExtra, type Call, withoutMeta } from '../../core/call.ts';
import type { Decision } from '../../core/decision.ts';
import { isToolUseId, isUniqueId, toolUseIdOf } from '../calls/client-meta.ts';
import { questionIdentity } from '../calls/question-identity.ts';
import type { Answer } from '../ports/approval-port.ts';
import type { Ports } from '../ports/ports.ts';
import type { CallRecord } from '../ports/records.ts';
import type { Granted, KeptSighting } from '../ports/sighting-port.ts';

/**
 * Milliseconds after which a call that is made is not taken for one that was seen: long where its client says which one it is, since a client
 * asks its user before it makes a call; short where just the same is called.
 */
export const LOOKED_BACK = { byId: 60 * 60 * 1000, byArguments: 10 * 60 * 1000 } as const;

interface ChooseOptions {
  /** As the client says it; undefined where it says none. */
  readonly toolUseId: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const TOOL_CALL = 'tools/call';

/** Members of `_meta` that the protocol has every request carry. They say which client it is, and nothing of the call. */
const OF_PROTOCOL: ReadonlySet<string> = new Set(
  ['protocolVersion', 'clientCapabilities', 'clientInfo', 'logLevel'].map((name) => `io.modelcontextprotocol/${name}`),
);

type UsedPorts = Pick<Ports, 'clock' | 'session' | 'sightings' | 'sink' | 'warn'>;

/** What a review has to do with a call's being seen twice. Each is called while the recorder is open, and throws where the store fails. */
export interface CallSightings {
  /** What a person has answered, where the call was seen before, to the very question that this decision asks. */
  answerTo(call: Call, decision: Decision): Answer | undefined;
  /** Takes the earlier sighting of a call that is about to be recorded: no other call has it from then on. */
  take(call: Call): KeptSighting | undefined;
  /** Notes a call that was recorded. */
  note(record: CallRecord, seen: Seen): void;
}

/** How a recorded call was seen. */
export interface Seen {
  /** Nothing keeps it from where it goes. */
  readonly hasGoneOn: boolean;
  /** What was taken for it. */
  readonly before: KeptSighting | undefined;
}

/** For calls that can be seen only once. */
export const SEEN_ONCE: CallSightings = { answerTo: () => undefined, take: () => undefined, note: () => {} };

/** Calls in models' answers: each is noted along with its record, for where the agent makes it. */
export class FirstSightings implements CallSightings {
  readonly #ports: Pick<Ports, 'sightings'>;

  constructor(ports: Pick<Ports, 'sightings'>) {
    this.#ports = ports;
  }

  answerTo(): undefined {
    // Nobody sees it earlier.
    return undefined;
  }

  take(): undefined {
    return undefined;
  }

  note(record: CallRecord, { hasGoneOn }: Seen): void {
    const { call, intercepted } = record;
    // The agent's own tools and what the provider runs come to no server that we stand in front of.
    if (call.origin === 'native' || intercepted?.runBy !== 'client') return;
    const { id } = intercepted;
    this.#ports.sightings?.()?.add(record.session, call, {
      record: record.id,
      time: record.time,
      toolUseId: isToolUseId(id) ? id : '',
      isDenied: !hasGoneOn,
      granted: hasGoneOn ? grantedIn(record) : undefined,
    });
  }
}

function grantedIn({ decision, asked, answer }: CallRecord): Granted | undefined {
  const question = asked === 'granted' ? questionIdentity(decision) : undefined;
  if (question === undefined) return undefined;
  return { question, id: answer?.id, by: answer?.by, remember: answer?.remember };
}

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
    this.#ports.sink.record({ type: 'denied_call_made', time, session, call, record: id, denied, toolUseId, hasGoneOn });
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

/**
 * Which sighting a call is that is made now, of those of the same server, tool and arguments, oldest first. Where the client names the call, the one
 * of that name and no other; else the oldest that the agent got. One that it never got is only told by its name: others may well call the same.
 */
export function chooseSighting(sightings: readonly KeptSighting[], { toolUseId, now }: ChooseOptions): KeptSighting | undefined {
  const isRecent = ({ time }: KeptSighting, most: number): boolean => Math.abs(now - time) <= most;
  if (toolUseId === undefined) return sightings.find((each) => !each.isDenied && isRecent(each, LOOKED_BACK.byArguments));
  if (toolUseId === '') return undefined;
  const named = sightings.filter((each) => each.toolUseId === toolUseId && isRecent(each, LOOKED_BACK.byId));
  // Some APIs number the calls of each answer anew.
  return named.find(({ isDenied }) => !isDenied) ?? named[0];
}
