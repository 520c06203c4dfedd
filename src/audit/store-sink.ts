import type { AuditEvent, Sink, Store } from '../gate/ports/ports.ts';
import type { AuditRecord, RecordType } from '../gate/ports/records.ts';
import { detectionEvent } from './detection-events.ts';
import { callEvent, connectionEvent, policyEvent, refusalEvent, REPLACED, replacedEvent, summaryEvent } from './events.ts';
import { flowEvent } from './flow-events.ts';
import type { JsonlFile } from './jsonl-file.ts';
import { bodyEvent, deniedCallMadeEvent, deniedResultEvent, modelRequestsEvent, offeredDiffersEvent } from './model-events.ts';
import { changedEvent, seenEvent, serverChangedEvent } from './registry-events.ts';

/** How each type of record becomes an event. */
const EVENTS: { readonly [Type in RecordType]: (record: AuditRecord<Type>) => AuditEvent } = {
  call: callEvent,
  refusal: refusalEvent,
  policy: policyEvent,
  summary: summaryEvent,
  connection: connectionEvent,
  seen: seenEvent,
  changed: changedEvent,
  server_changed: serverChangedEvent,
  flow: flowEvent,
  detection: detectionEvent,
  denied_result: deniedResultEvent,
  denied_call_made: deniedCallMadeEvent,
  offered_differs: offeredDiffersEvent,
  body: bodyEvent,
  model_requests: modelRequestsEvent,
};

export interface StoreSinkOptions {
  readonly store: Store;
  /** Gets a copy of each event once the store has it. */
  readonly copy: JsonlFile | undefined;
  /** Tells the person who runs us, in one line. */
  readonly warn: (line: string) => void;
}

/** Records events in the store, and in a file besides where that is wanted. */
export class StoreSink implements Sink {
  readonly #store: Store;
  readonly #copy: JsonlFile | undefined;
  readonly #warn: (line: string) => void;
  /** Bodies that the file gets when the store has them. */
  #uncopied: string[] = [];
  /** It was warned of a store that is another one, and that is in the transaction that is open. */
  #hasWarned = false;
  #isTold = false;
  /** The last failure that was told; a full disk is not told for every event. */
  #told = '';

  constructor({ store, copy, warn }: StoreSinkOptions) {
    this.#store = store;
    this.#copy = copy;
    this.#warn = warn;
  }

  warm(): void {
    // What there is to load was loaded with this.
  }

  begin(): boolean {
    const hasBegun = this.#store.begin();
    if (hasBegun && this.#store.isReplaced && !this.#hasWarned) {
      this.#hasWarned = true;
      this.#warn(`${REPLACED}, which has no earlier records, and trust starts anew`);
    }
    return hasBegun;
  }

  record(record: AuditRecord): void {
    this.#append(toEvent(record));
  }

  commit(): void {
    this.#store.commit();
    if (this.#isTold) {
      this.#store.tellReplaced();
      this.#hasWarned = false;
    }
    this.#isTold = false;
    const uncopied = this.#uncopied;
    this.#uncopied = [];
    for (const body of uncopied) this.#copyOut(body);
  }

  rollback(): void {
    this.#uncopied = [];
    this.#isTold = false;
    this.#store.rollback();
  }

  close(): void {
    this.#store.close();
    this.#copy?.close();
  }

  #append(event: AuditEvent): void {
    // With the first event that there is, since it is known then whose session it is.
    if (this.#store.isReplaced && !this.#isTold) {
      this.#isTold = true;
      this.#append(replacedEvent(event));
    }
    this.#store.append(event);
    if (this.#copy !== undefined) this.#uncopied.push(event.body);
  }

  /** What is on record stays so, whatever becomes of the copy. */
  #copyOut(body: string): void {
    try {
      this.#copy?.append(body);
      this.#told = '';
    } catch (error) {
      const reason = String(error);
      if (reason !== this.#told) this.#warn(`wrote an event to the store but not to its copy: ${reason}`);
      this.#told = reason;
    }
  }
}

function toEvent(record: AuditRecord): AuditEvent {
  const format = EVENTS[record.type] as (record: AuditRecord) => AuditEvent;
  return format(record);
}
