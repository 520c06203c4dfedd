import type { CallRecord, PolicyRecord, RefusalRecord, Sink, SummaryRecord } from '../../src/gate/ports.ts';

/** A sink that keeps what was committed; its parts can be replaced by ones that fail. */
export interface TestSink {
  readonly sink: Sink;
  readonly calls: CallRecord[];
  readonly refusals: RefusalRecord[];
  readonly summaries: SummaryRecord[];
  readonly policies: PolicyRecord[];
}

export function createTestSink(parts: Partial<Sink> = {}): TestSink {
  const calls: CallRecord[] = [];
  const refusals: RefusalRecord[] = [];
  const summaries: SummaryRecord[] = [];
  const policies: PolicyRecord[] = [];
  let uncommitted: (() => void)[] = [];
  const sink: Sink = {
    begin: () => true,
    recordCall: (record) => uncommitted.push(() => calls.push(record)),
    recordRefusal: (record) => uncommitted.push(() => refusals.push(record)),
    recordSummary: (record) => uncommitted.push(() => summaries.push(record)),
    recordPolicy: (record) => uncommitted.push(() => policies.push(record)),
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
  return { sink, calls, refusals, summaries, policies };
}

/** What a relay has to know of a store, where there is none. */
export const NO_STORE = { record: (): boolean => true, ready: (): Promise<void> => Promise.resolve() };
