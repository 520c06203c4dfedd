import type { Call } from '../../core/call.ts';
import type { Decision } from '../../core/decision.ts';
import { type CallLinks, type Seen, ServerCallLinks, toSeenCall } from '../model/call-links.ts';
import { hookedSession } from '../model/seen-calls.ts';
import type { Answer } from '../ports/approval-port.ts';
import type { Ports } from '../ports/ports.ts';
import type { CallRecord } from '../ports/records.ts';
import type { LinkedCall, StoredCall } from '../ports/seen-call-port.ts';

/** Links a call at its hook with the same call in a model's answer before, and at its server after. */
export class HookCallLinks implements CallLinks {
  readonly #ports: Pick<Ports, 'seenCalls'>;
  readonly #before: ServerCallLinks;

  /** @param namesOf the call by each name that it may have for the model */
  constructor(
    ports: Pick<Ports, 'clock' | 'session' | 'seenCalls' | 'sink' | 'warn'>,
    namesOf: (call: Call) => readonly LinkedCall[],
  ) {
    this.#ports = ports;
    this.#before = new ServerCallLinks(ports, namesOf);
  }

  answerTo(call: Call, decision: Decision): Answer | undefined {
    return this.#before.answerTo(call, decision);
  }

  take(call: Call): StoredCall | undefined {
    return this.#before.take(call);
  }

  note(record: CallRecord, seen: Seen): void {
    this.#before.note(record, seen);
    const { call, intercepted, session } = record;
    // Only a server behind us sees the call again.
    if (call.origin !== undefined || intercepted === undefined) return;
    const seenCall = toSeenCall(record, intercepted.id, seen.hasGoneOn);
    // All later ones name the first; a denial is told by its own record.
    const first = seen.hasGoneOn ? (record.firstSeenAs ?? record.id) : record.id;
    this.#ports.seenCalls?.()?.add(hookedSession(session), call, { ...seenCall, record: first });
  }
}
