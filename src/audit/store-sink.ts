import type {
  AuditEvent,
  CallRecord,
  DeniedResultRecord,
  FlowRecord,
  PolicyRecord,
  RefusalRecord,
  Sink,
  Store,
  SummaryRecord,
} from '../gate/ports/ports.ts';
import type {
  BodyRecord,
  ConnectionRecord,
  DetectionRecord,
  ModelRequestsRecord,
  OfferedDiffersRecord,
} from '../gate/ports/records.ts';
import type { ChangedRecord, SeenRecord, ServerChangedRecord } from '../gate/ports/registry-port.ts';
import type { DeniedCallMadeRecord } from '../gate/ports/sighting-port.ts';
import { detectionEvent } from './detection-events.ts';
import { callEvent, connectionEvent, policyEvent, refusalEvent, REPLACED, replacedEvent, summaryEvent } from './events.ts';
import { flowEvent } from './flow-events.ts';
import type { JsonlFile } from './jsonl-file.ts';
import { bodyEvent, deniedCallMadeEvent, deniedResultEvent, modelRequestsEvent, offeredDiffersEvent } from './model-events.ts';
import { changedEvent, seenEvent, serverChangedEvent } from './registry-events.ts';

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
      this.#warn(`${REPLACED}, so that this has no records of before, and what is trusted begins anew with it`);
    }
    return hasBegun;
  }

  recordCall(record: CallRecord): void {
    this.#append(callEvent(record));
  }

  recordRefusal(record: RefusalRecord): void {
    this.#append(refusalEvent(record));
  }

  recordSummary(record: SummaryRecord): void {
    this.#append(summaryEvent(record));
  }

  recordPolicy(record: PolicyRecord): void {
    this.#append(policyEvent(record));
  }

  recordSeen(record: SeenRecord): void {
    this.#append(seenEvent(record));
  }

  recordChanged(record: ChangedRecord): void {
    this.#append(changedEvent(record));
  }

  recordServerChanged(record: ServerChangedRecord): void {
    this.#append(serverChangedEvent(record));
  }

  recordFlow(record: FlowRecord): void {
    this.#append(flowEvent(record));
  }

  recordConnection(record: ConnectionRecord): void {
    this.#append(connectionEvent(record));
  }

  recordDeniedResult(record: DeniedResultRecord): void {
    this.#append(deniedResultEvent(record));
  }

  recordDeniedCallMade(record: DeniedCallMadeRecord): void {
    this.#append(deniedCallMadeEvent(record));
  }

  recordBody(record: BodyRecord): void {
    this.#append(bodyEvent(record));
  }

  recordModelRequests(record: ModelRequestsRecord): void {
    this.#append(modelRequestsEvent(record));
  }

  recordOfferedDiffers(record: OfferedDiffersRecord): void {
    this.#append(offeredDiffersEvent(record));
  }

  recordDetection(record: DetectionRecord): void {
    this.#append(detectionEvent(record));
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
      if (reason !== this.#told) this.#warn(`an event is in the store but not in its copy: ${reason}`);
      this.#told = reason;
    }
  }
}
