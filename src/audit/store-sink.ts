import type { AuditEvent, Sink, Store } from '../gate/ports/ports.ts';
import type { AuditRecord, RecordType } from '../gate/ports/records.ts';
import { detectionEvent, flowEvent } from './detection-events.ts';
import { callEvent, connectionEvent, policyEvent, refusalEvent, REPLACED, replacedEvent, summaryEvent } from './events.ts';
import { DENIED_RESULT_TYPE } from './event-types.ts';
import type { JsonlFile } from './jsonl-file.ts';
import {
  bodyEvent,
  deniedCallMadeEvent,
  deniedResultEvent,
  modelRequestsEvent,
  offeredDiffersEvent,
  secretsEvent,
  unknownTokensEvent,
} from './model-events.ts';
import { changedEvent, seenEvent, serverChangedEvent } from './registry-events.ts';

/** The formatter of each type of record. */
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
  secrets: secretsEvent,
  unknown_tokens: unknownTokensEvent,
};

/** Outcomes and severities that a person may want to hear of. */
const GRAVE: ReadonlySet<unknown> = new Set(['block', 'hide', 'medium', 'high', 'critical']);

/** Events that a person may want to hear of whatever their outcome. */
const NEWS: ReadonlySet<string> = new Set([
  'mcp_tool_changed',
  'mcp_server_changed',
  DENIED_RESULT_TYPE,
  'mcp_denied_call_made',
  'mcp_tool_definition_differs',
  'mcp_store_replaced',
]);

export interface StoreSinkOptions {
  readonly store: Store;
  /** Gets a copy of each event once the store has it. */
  readonly copy: JsonlFile | undefined;
  /** Called once events are in the store that a person may want to know of. Never throws or waits. */
  readonly notify?: (() => void) | undefined;
  /** Tells the person who runs us, in one line. */
  readonly warn: (line: string) => void;
}

/** Records events in the store, and in a file if one is configured. */
export class StoreSink implements Sink {
  readonly #store: Store;
  readonly #copy: JsonlFile | undefined;
  readonly #warn: (line: string) => void;
  readonly #notify: (() => void) | undefined;
  /** True if the open transaction has news for a person. */
  #hasNews = false;
  /** Bodies to append to the file once the store has committed them. */
  #uncopied: string[] = [];
  /** True once the replaced store was warned about; `#isRecorded` once that is recorded in the open transaction. */
  #hasWarned = false;
  #isRecorded = false;
  /** The last reported failure; a full disk is not reported for every event. */
  #lastWarning = '';

  constructor({ store, copy, notify, warn }: StoreSinkOptions) {
    this.#store = store;
    this.#notify = notify;
    this.#copy = copy;
    this.#warn = warn;
  }

  warm(): void {
    // Everything was loaded with this module.
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
    if (this.#isRecorded) {
      this.#store.tellReplaced();
      this.#hasWarned = false;
    }
    this.#isRecorded = false;
    const uncopied = this.#uncopied;
    this.#uncopied = [];
    for (const body of uncopied) this.#copyOut(body);
    if (this.#hasNews) this.#notify?.();
    this.#hasNews = false;
  }

  rollback(): void {
    this.#uncopied = [];
    this.#isRecorded = false;
    this.#hasNews = false;
    this.#store.rollback();
  }

  close(): void {
    this.#store.close();
    this.#copy?.close();
  }

  #append(event: AuditEvent): void {
    // The notice goes before the first event, which tells the session.
    if (this.#store.isReplaced && !this.#isRecorded) {
      this.#isRecorded = true;
      this.#append(replacedEvent(event));
    }
    this.#store.append(event);
    this.#hasNews ||= GRAVE.has(event.action) || GRAVE.has(event.severity) || NEWS.has(event.type);
    if (this.#copy !== undefined) this.#uncopied.push(event.body);
  }

  /** Events stay on record, whatever happens to the copy. */
  #copyOut(body: string): void {
    try {
      this.#copy?.append(body);
      this.#lastWarning = '';
    } catch (error) {
      const reason = String(error);
      if (reason !== this.#lastWarning) this.#warn(`wrote an event to the store but not to its copy: ${reason}`);
      this.#lastWarning = reason;
    }
  }
}

function toEvent(record: AuditRecord): AuditEvent {
  const format = EVENTS[record.type] as (record: AuditRecord) => AuditEvent;
  return format(record);
}
