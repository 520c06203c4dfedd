import fc from 'fast-check';
import type { Sink } from '../../src/gate/ports/ports.ts';
import type { CallRecord } from '../../src/gate/ports/records.ts';
import { createTestSink } from '../support/sink.ts';

/** How one transaction goes: taken by others, or failing at one of its steps. */
export type Fault = 'busy' | 'begin' | 'call' | 'commit' | undefined;

/** How the transactions go, one after the other; all is well with those that come later. */
export const FAULTS: fc.Arbitrary<readonly Fault[]> = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constant(undefined) },
        { weight: 3, arbitrary: fc.constantFrom<Fault>('busy', 'begin', 'call', 'commit') },
      ),
      { maxLength: 16 },
    ),
  },
);

export interface FlakySink {
  readonly sink: Sink;
  /** What was committed and may be forwarded, each call once. */
  readonly passes: CallRecord[];
  /** What must not be: a transaction that stays open, or is used when it is not. */
  readonly misuse: string[];
}

/** @param mayBeBusy false where nobody would ask again */
export function createFlakySink(faults: readonly Fault[], mayBeBusy: () => boolean = () => true): FlakySink {
  const made = createTestSink();
  const misuse: string[] = [];
  const passes: CallRecord[] = [];
  const left = [...faults];
  let isOpen = false;
  let fault: Fault;
  const fails = (step: Fault): void => {
    if (!isOpen) misuse.push(`${String(step)} without a transaction`);
    if (fault === step) throw new Error(`${String(step)} fails`);
  };
  const sink: Sink = {
    ...made.sink,
    begin() {
      if (isOpen) misuse.push('begun twice');
      fault = left.shift();
      if (fault === 'begin') throw new Error('begin fails');
      if (fault === 'busy' && mayBeBusy()) return false;
      isOpen = true;
      queueMicrotask(() => {
        if (isOpen) misuse.push('a transaction is open when nothing runs');
      });
      return true;
    },
    record(record) {
      if (record.type === 'call') fails('call');
      made.sink.record(record);
    },
    commit() {
      fails('commit');
      isOpen = false;
      made.sink.commit();
      for (const record of made.calls.splice(0)) {
        if (record.decision.action === 'allow' || record.asked === 'granted') passes.push(record);
      }
    },
    rollback() {
      isOpen = false;
      made.sink.rollback();
    },
  };
  return { sink, passes, misuse };
}

/** Takes the record of a call that was forwarded. Throws where it is on none. */
export function takeRecord(passes: CallRecord[], isIt: (record: CallRecord) => boolean, what: string): void {
  const at = passes.findIndex(isIt);
  if (at === -1) throw new Error(`a call was forwarded that is on no record: ${what}`);
  passes.splice(at, 1);
}
