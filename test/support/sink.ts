import type {
  BodyRecord,
  ConnectionRecord,
  DetectionRecord,
  ModelRequestsRecord,
  OfferedDiffersRecord,
} from '../../src/gate/ports/records.ts';
import type {
  CallRecord,
  DeniedResultRecord,
  FlowRecord,
  PolicyRecord,
  RefusalRecord,
  Sink,
  SummaryRecord,
} from '../../src/gate/ports/ports.ts';
import type { ChangedRecord, SeenRecord, ServerChangedRecord } from '../../src/gate/ports/registry-port.ts';
import type { DeniedCallMadeRecord } from '../../src/gate/ports/sighting-port.ts';

/** A sink that keeps what was committed; its parts can be replaced by ones that fail. */
export interface TestSink {
  readonly sink: Sink;
  readonly calls: CallRecord[];
  readonly refusals: RefusalRecord[];
  readonly summaries: SummaryRecord[];
  readonly policies: PolicyRecord[];
  readonly seen: SeenRecord[];
  readonly changed: ChangedRecord[];
  readonly serversChanged: ServerChangedRecord[];
  readonly flows: FlowRecord[];
  readonly connections: ConnectionRecord[];
  readonly deniedResults: DeniedResultRecord[];
  readonly deniedMade: DeniedCallMadeRecord[];
  readonly bodies: BodyRecord[];
  readonly modelRequests: ModelRequestsRecord[];
  readonly offered: OfferedDiffersRecord[];
  readonly detections: DetectionRecord[];
}

export function createTestSink(parts: Partial<Sink> = {}): TestSink {
  const calls: CallRecord[] = [];
  const refusals: RefusalRecord[] = [];
  const summaries: SummaryRecord[] = [];
  const policies: PolicyRecord[] = [];
  const seen: SeenRecord[] = [];
  const changed: ChangedRecord[] = [];
  const serversChanged: ServerChangedRecord[] = [];
  const flows: FlowRecord[] = [];
  const connections: ConnectionRecord[] = [];
  const deniedResults: DeniedResultRecord[] = [];
  const deniedMade: DeniedCallMadeRecord[] = [];
  const bodies: BodyRecord[] = [];
  const modelRequests: ModelRequestsRecord[] = [];
  const offered: OfferedDiffersRecord[] = [];
  const detections: DetectionRecord[] = [];
  let uncommitted: (() => void)[] = [];
  const sink: Sink = {
    warm: () => {},
    begin: () => true,
    recordCall: (record) => uncommitted.push(() => calls.push(record)),
    recordRefusal: (record) => uncommitted.push(() => refusals.push(record)),
    recordSummary: (record) => uncommitted.push(() => summaries.push(record)),
    recordPolicy: (record) => uncommitted.push(() => policies.push(record)),
    recordSeen: (record) => uncommitted.push(() => seen.push(record)),
    recordChanged: (record) => uncommitted.push(() => changed.push(record)),
    recordServerChanged: (record) => uncommitted.push(() => serversChanged.push(record)),
    recordFlow: (record) => uncommitted.push(() => flows.push(record)),
    recordConnection: (record) => uncommitted.push(() => connections.push(record)),
    recordDeniedResult: (record) => uncommitted.push(() => deniedResults.push(record)),
    recordDeniedCallMade: (record) => uncommitted.push(() => deniedMade.push(record)),
    recordBody: (record) => uncommitted.push(() => bodies.push(record)),
    recordModelRequests: (record) => uncommitted.push(() => modelRequests.push(record)),
    recordOfferedDiffers: (record) => uncommitted.push(() => offered.push(record)),
    recordDetection: (record) => uncommitted.push(() => detections.push(record)),
    commit: () => {
      for (const commit of uncommitted) commit();
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
    calls,
    refusals,
    summaries,
    policies,
    seen,
    changed,
    serversChanged,
    flows,
    connections,
    deniedResults,
    modelRequests,
    deniedMade,
    bodies,
    offered,
    detections,
  };
}

/** What a relay has to know of a store, where there is none. */
export const NO_STORE = { record: (): boolean => true, ready: (): Promise<void> => Promise.resolve() };
