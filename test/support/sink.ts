import type { Sink } from '../../src/gate/ports/ports.ts';
import type { AuditRecord, RecordType } from '../../src/gate/ports/records.ts';

/** What was committed, by type; without the type, which each list says. */
type Kept = { readonly [Type in RecordType]: Omit<AuditRecord<Type>, 'type'>[] };

/** A sink that keeps what was committed; its parts can be replaced by ones that fail. */
export interface TestSink {
  readonly sink: Sink;
  readonly calls: Kept['call'];
  readonly refusals: Kept['refusal'];
  readonly summaries: Kept['summary'];
  readonly policies: Kept['policy'];
  readonly seen: Kept['seen'];
  readonly changed: Kept['changed'];
  readonly serversChanged: Kept['server_changed'];
  readonly flows: Kept['flow'];
  readonly connections: Kept['connection'];
  readonly deniedResults: Kept['denied_result'];
  readonly deniedMade: Kept['denied_call_made'];
  readonly bodies: Kept['body'];
  readonly modelRequests: Kept['model_requests'];
  readonly offered: Kept['offered_differs'];
  readonly detections: Kept['detection'];
}

export function createTestSink(parts: Partial<Sink> = {}): TestSink {
  const kept: Kept = {
    call: [],
    refusal: [],
    summary: [],
    policy: [],
    seen: [],
    changed: [],
    server_changed: [],
    flow: [],
    connection: [],
    denied_result: [],
    denied_call_made: [],
    body: [],
    model_requests: [],
    secrets: [],
    unknown_tokens: [],
    offered_differs: [],
    detection: [],
  };
  let uncommitted: AuditRecord[] = [];
  const sink: Sink = {
    warm: () => {},
    begin: () => true,
    record: (record) => uncommitted.push(record),
    commit: () => {
      for (const { type, ...record } of uncommitted) (kept[type] as unknown[]).push(record);
      uncommitted = [];
    },
    rollback: () => {
      uncommitted = [];
    },
    close: () => {},
    ...parts,
  };
  return {
    sink,
    calls: kept.call,
    refusals: kept.refusal,
    summaries: kept.summary,
    policies: kept.policy,
    seen: kept.seen,
    changed: kept.changed,
    serversChanged: kept.server_changed,
    flows: kept.flow,
    connections: kept.connection,
    deniedResults: kept.denied_result,
    deniedMade: kept.denied_call_made,
    bodies: kept.body,
    modelRequests: kept.model_requests,
    offered: kept.offered_differs,
    detections: kept.detection,
  };
}

/** What a relay has to know of a store, where there is none. */
export const NO_STORE = { commit: (): boolean => true, ready: (): Promise<void> => Promise.resolve() };
