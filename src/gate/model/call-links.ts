import { boundExtra, type Call, withoutMeta } from '../../core/call.ts';
import type { Decision } from '../../core/decision.ts';
import { isToolUseId, isUniqueId, toolUseIdOf } from '../calls/client-meta.ts';
import { questionIdentity } from '../calls/asking.ts';
import type { Answer } from '../ports/approval-port.ts';
import type { Ports } from '../ports/ports.ts';
import type { CallRecord } from '../ports/records.ts';
import type { Granted, LinkedCall, SeenCall, StoredCall } from '../ports/seen-call-port.ts';
import { hookedSession, isHooked } from './seen-calls.ts';

/**
 * Milliseconds between a call in a model's answer (seen) and the agent's call (made) that may be the same. Long if the client sends the API's
 * id, since a client may ask its user first; short if only server, tool and arguments match.
 */
export const MATCH_WINDOW = { byId: 60 * 60 * 1000, byArguments: 10 * 60 * 1000 } as const;

interface ChooseOptions {
  /** The id that the client gives; undefined without one. */
  readonly toolUseId: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const TOOL_CALL = 'tools/call';

/** Members of `_meta` that the protocol has in every request. They describe the client, not the call. */
const OF_PROTOCOL: ReadonlySet<string> = new Set(
  ['protocolVersion', 'clientCapabilities', 'clientInfo', 'logLevel'].map((name) => `io.modelcontextprotocol/${name}`),
);

type UsedPorts = Pick<Ports, 'clock' | 'session' | 'seenCalls' | 'sink' | 'warn'>;

/** Links the two sights of a call. Each method is called in an open transaction, and throws if the store fails. */
export interface CallLinks {
  /** A person's earlier answer to the same question, if the call was seen before. */
  answerTo(call: Call, decision: Decision): Answer | undefined;
  /** Takes the earlier seen call of a call that is about to be recorded, so that no other call matches it. */
  take(call: Call): StoredCall | undefined;
  /** Notes a recorded call. */
  note(record: CallRecord, seen: Seen): void;
}

/** The link of a recorded call. */
export interface Seen {
  /** True if it goes on: it is granted, or clawai only observes. */
  readonly hasGoneOn: boolean;
  /** The earlier seen call that `take` returned. */
  readonly before: StoredCall | undefined;
}

/** Links nothing, for calls that are seen only once. */
export const SEEN_ONCE: CallLinks = { answerTo: () => undefined, take: () => undefined, note: () => {} };

/** Notes calls in models' answers, for the process where the agent makes them. */
export class ModelCallLinks implements CallLinks {
  readonly #ports: Pick<Ports, 'seenCalls'>;
  readonly #keyOf: (call: Call) => LinkedCall;

  /** @param keyOf the call as it is made: a hook may get less of it than the model says */
  constructor(ports: Pick<Ports, 'seenCalls'>, keyOf: (call: Call) => LinkedCall = (call) => call) {
    this.#ports = ports;
    this.#keyOf = keyOf;
  }

  answerTo(): undefined {
    // A model's answer is the first sight of a call.
    return undefined;
  }

  take(): undefined {
    return undefined;
  }

  note(record: CallRecord, { hasGoneOn }: Seen): void {
    const { call, intercepted } = record;
    // The provider runs these itself, so they are never made here.
    if (intercepted?.runBy !== 'client') return;
    const { id } = intercepted;
    this.#ports.seenCalls?.()?.add(record.session, this.#keyOf(call), toSeenCall(record, id, hasGoneOn));
  }
}

/** A recorded call as one that was seen. @param id the API's id of the call */
export function toSeenCall(record: CallRecord, id: string, hasGoneOn: boolean): SeenCall {
  return {
    record: record.id,
    time: record.time,
    toolUseId: isToolUseId(id) ? id : '',
    isDenied: !hasGoneOn,
    granted: hasGoneOn ? grantedIn(record) : undefined,
  };
}

function grantedIn({ decision, asked, answer }: CallRecord): Granted | undefined {
  const question = asked === 'granted' ? questionIdentity(decision) : undefined;
  if (question === undefined) return undefined;
  return { question, id: answer?.id, by: answer?.by, remember: answer?.remember };
}

/** A seen call, and the call under which it is kept. */
interface Found {
  readonly seen: StoredCall;
  readonly key: LinkedCall;
}

/**
 * Matches calls that an agent makes with those seen earlier, so that a person is asked only once. The same id is not enough: a call with another
 * tool or other arguments is not the one that was decided.
 */
export class ServerCallLinks implements CallLinks {
  readonly #ports: UsedPorts;
  readonly #namesOf: ((call: Call) => readonly LinkedCall[]) | undefined;

  /** @param namesOf only in a hook, which matches only what was seen in models' answers: the call by each of its names */
  constructor(ports: UsedPorts, namesOf?: (call: Call) => readonly LinkedCall[]) {
    this.#ports = ports;
    this.#namesOf = namesOf;
  }

  answerTo(call: Call, decision: Decision): Answer | undefined {
    const question = questionIdentity(decision);
    // The person did not see other parameters.
    if (question === undefined || withoutMeta(boundExtra(call.extra), OF_PROTOCOL) !== undefined) return undefined;
    const granted = this.#find(call)?.seen.granted;
    if (granted?.question !== question) return undefined;
    const { id, by, remember } = granted;
    return { approval: 'granted', id, by, remember, isEarlier: true };
  }

  take(call: Call): StoredCall | undefined {
    const found = this.#find(call);
    if (found !== undefined) this.#ports.seenCalls?.()?.remove(found.seen.session, found.key, found.seen.n);
    return found?.seen;
  }

  note({ id, time, session, call }: CallRecord, { hasGoneOn, before }: Seen): void {
    if (before?.isDenied !== true) return;
    const { record: denied, toolUseId } = before;
    this.#ports.warn(
      `the agent makes a call to ${JSON.stringify(call.server)} that was denied in the answer of the model (record ${denied})`,
    );
    this.#ports.sink.record({ type: 'denied_call_made', time, session, call, record: id, denied, toolUseId, hasGoneOn });
  }

  #find(call: Call): Found | undefined {
    const { clock, session } = this.#ports;
    const seenCalls = call.method === TOOL_CALL ? this.#ports.seenCalls?.() : undefined;
    if (seenCalls === undefined) return undefined;
    const toolUseId = toolUseIdOf(call);
    const isUnique = toolUseId !== undefined && isUniqueId(toolUseId, call);
    const now = clock.now();
    const isHook = this.#namesOf !== undefined;
    for (const key of this.#namesOf?.(call) ?? [call]) {
      const choose = (kept: readonly StoredCall[]): Found | undefined => {
        const others = isHook ? kept.filter((each) => !isHooked(each.session)) : kept;
        const seen = others.length === 0 ? undefined : chooseSeenCall(others, { toolUseId, now });
        return seen === undefined ? undefined : { seen, key };
      };
      const found =
        choose(seenCalls.of(session(), key)) ?? (isHook ? undefined : choose(seenCalls.of(hookedSession(session()), key)));
      // The answer may belong to another session's URL, such as that of `clawai serve`.
      const either = found ?? (isUnique ? choose(seenCalls.named(key, toolUseId)) : undefined);
      if (either !== undefined) return either;
    }
    return undefined;
  }
}

/**
 * Chooses the seen call that a call matches, among those of the same server, tool and arguments, oldest first. If the client names the call,
 * only the seen call of that name matches; otherwise the oldest one that the agent received. A denied seen call matches only by name: other
 * calls may well be the same.
 */
export function chooseSeenCall(seenCalls: readonly StoredCall[], { toolUseId, now }: ChooseOptions): StoredCall | undefined {
  const isRecent = ({ time }: StoredCall, most: number): boolean => Math.abs(now - time) <= most;
  if (toolUseId === undefined) return seenCalls.find((each) => !each.isDenied && isRecent(each, MATCH_WINDOW.byArguments));
  if (toolUseId === '') return undefined;
  const named = seenCalls.filter((each) => each.toolUseId === toolUseId && isRecent(each, MATCH_WINDOW.byId));
  // Some APIs number the calls of each answer anew.
  return named.find(({ isDenied }) => !isDenied) ?? named[0];
}
