import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Recorder } from '../../src/gate/recorder.ts';
import type { Sink } from '../../src/gate/ports/ports.ts';
import type { AuditRecord } from '../../src/gate/ports/records.ts';
import { createTestSink, type TestSink } from '../support/sink.ts';

const RECORD: AuditRecord<'call'> = {
  type: 'call',
  id: 'r.1',
  time: 1,
  session: 's',
  call: { method: 'tools/call', server: 'files', tool: 'read' },
  requestId: '1',
  decision: { action: 'allow', reason: 'default', findings: [], policyHash: 'h' },
  asked: undefined,
  reason: 'default',
  isObserved: false,
  inspectors: ['policy'],
  latency: 1,
};

interface TestRecorder extends TestSink {
  readonly recorder: Recorder;
  readonly warnings: string[];
  /** Lets so many milliseconds go by. */
  readonly pass: (ms: number) => void;
}

function createRecorder(parts: Partial<Sink> = {}): TestRecorder {
  const made = createTestSink(parts);
  const warnings: string[] = [];
  let elapsed = 0;
  const clock = { now: () => 1, elapsed: () => elapsed };
  const recorder = new Recorder({ sink: made.sink, clock, warn: (line) => warnings.push(line) });
  return { ...made, recorder, warnings, pass: (ms) => (elapsed += ms * 1000) };
}

function fail(): never {
  throw new Error('disk full');
}

describe('Recorder', () => {
  it('writes what is added in one go', () => {
    const { recorder, calls } = createRecorder();
    expect([recorder.open(), recorder.add(RECORD), recorder.add(RECORD), calls.length]).toEqual([true, true, true, 0]);
    expect([recorder.close(), calls.length, recorder.added]).toEqual([true, 2, 2]);
    expect(recorder.close()).toBe(true);
  });

  it('does other things in what is open, and in nothing else', () => {
    const { recorder } = createRecorder();
    expect(recorder.within(() => 1)).toBeUndefined();
    recorder.open();
    expect(recorder.within(() => 1)).toBe(1);
    expect([recorder.close(), recorder.within(() => 1)]).toEqual([true, undefined]);
  });

  it('hazard 51: where something else fails, nothing of it is on record, and nothing will be before it is closed', () => {
    const { recorder, calls, warnings } = createRecorder();
    recorder.open();
    const { current } = recorder;
    recorder.add(RECORD);
    expect(recorder.within(fail)).toBeUndefined();
    expect([recorder.add(RECORD), recorder.within(() => 1), recorder.close()]).toEqual([false, undefined, false]);
    expect([calls, current.isLost, warnings]).toEqual([[], true, ['cannot record its decisions: disk full']]);
    expect([recorder.open(), recorder.add(RECORD), recorder.close(), calls.length]).toEqual([true, true, true, 1]);
  });

  it('makes ready what is needed soon', () => {
    let warmed = 0;
    createRecorder({ warm: () => warmed++ }).recorder.warm();
    expect(warmed).toBe(1);
  });

  it('adds nothing that was not opened for', () => {
    expect(createRecorder().recorder.add(RECORD)).toBe(false);
  });

  it.each(['begin', 'record', 'commit'] as const)('says so where %s fails, and recovers with the next go', (part) => {
    let isBroken = true;
    const { sink } = createTestSink();
    const broken = {
      [part]: (record: AuditRecord) => {
        if (isBroken) fail();
        return sink[part](record);
      },
    };
    const { recorder, warnings, calls } = createRecorder(part === 'commit' ? {} : broken);
    if (part === 'commit') {
      const failing = createRecorder({ commit: fail });
      failing.recorder.open();
      const { current } = failing.recorder;
      expect([failing.recorder.add(RECORD), failing.recorder.close(), current.isLost]).toEqual([true, false, true]);
      expect([failing.calls, failing.warnings]).toEqual([[], [expect.stringContaining('disk full')]]);
      return;
    }
    expect(recorder.open()).toBe(true);
    const { current } = recorder;
    expect([recorder.add(RECORD), recorder.close(), current.isLost]).toEqual([false, false, true]);
    isBroken = false;
    expect([recorder.open(), recorder.close(), recorder.current.isLost]).toEqual([true, true, false]);
    expect([calls, warnings]).toEqual([[], [expect.stringContaining('disk full')]]);
  });

  it('loses what came before a failure in the same go', () => {
    let count = 0;
    const { recorder, calls } = createRecorder({ record: () => (++count === 2 ? fail() : undefined) });
    recorder.open();
    expect([recorder.add(RECORD), recorder.add(RECORD), recorder.add(RECORD), recorder.close()]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(calls).toEqual([]);
  });

  it('tells a failure once, not for every call', () => {
    const { recorder, warnings } = createRecorder({ begin: fail });
    for (let i = 0; i < 5; i++) {
      recorder.open();
      recorder.close();
    }
    expect(warnings).toHaveLength(1);
  });

  it('waits for a store that others have, for two seconds', async () => {
    let isBusy = true;
    const { recorder, pass } = createRecorder({ begin: () => !isBusy });
    expect(recorder.open()).toBe(false);
    await recorder.ready();
    for (let waited = 400; waited < 2000; waited += 400) {
      pass(400);
      expect(recorder.open()).toBe(false);
    }
    pass(399);
    expect(recorder.open()).toBe(false);
    pass(1);
    expect([recorder.open(), recorder.add(RECORD), recorder.close()]).toEqual([true, false, false]);
    // The next one does not wait for as long again.
    expect([recorder.open(), recorder.close()]).toEqual([true, false]);
    isBusy = false;
    expect([recorder.open(), recorder.add(RECORD), recorder.close()]).toEqual([true, true, true]);
    isBusy = true;
    expect(recorder.open()).toBe(false);
  });

  it('waits anew for a store that is taken again later', () => {
    const { recorder, pass } = createRecorder({ begin: () => false });
    expect(recorder.open()).toBe(false);
    for (let waited = 0; waited < 2000; waited += 400) {
      pass(400);
      recorder.open();
    }
    recorder.close();
    expect(recorder.open()).toBe(true);
    recorder.close();
    pass(10_000);
    expect(recorder.open()).toBe(false);
  });

  it('decides alone what is decided later, and takes it back where it was not recorded', async () => {
    const { recorder, calls } = createRecorder();
    const act = (of: Recorder) => (): string => (of.add(RECORD) ? 'added' : 'not added');
    expect(await recorder.transact(act(recorder), () => 'lost')).toBe('added');
    expect(calls).toHaveLength(1);
    const failing = createRecorder({ commit: fail }).recorder;
    expect(await failing.transact(act(failing), () => 'lost')).toBe('lost');
    let tries = 0;
    const busy = createRecorder({ begin: () => ++tries > 3 }).recorder;
    expect(await busy.transact(act(busy), () => 'lost')).toBe('added');
  });

  it.each([
    ['what is decided alone', (recorder: Recorder) => void recorder.transact(fail, () => undefined).catch(() => {})],
    ['a note that fails', (recorder: Recorder) => recorder.recordLater(fail)],
  ])('%s does not end what is open: whoever opened it learns what becomes of it', async (_, act) => {
    const { recorder, calls, warnings } = createRecorder();
    recorder.open();
    recorder.add(RECORD);
    act(recorder);
    await setTimeout(250);
    expect([recorder.isOpen, warnings, calls]).toEqual([true, [], []]);
    expect([recorder.close(), calls.length]).toEqual([true, 1]);
    await recorder.finish();
    expect(recorder.isOpen).toBe(false);
  });

  it('leaves the store to others where deciding alone throws', async () => {
    let isOpen = false;
    const { recorder } = createRecorder({
      begin: () => (isOpen = true),
      rollback: () => {
        isOpen = false;
      },
    });
    await expect(recorder.transact(fail, () => 'lost')).rejects.toThrow('disk full');
    expect(isOpen).toBe(false);
    expect(recorder.open()).toBe(true);
  });

  it('hazard 51: notes are written soon, or at the end', async () => {
    const made = createRecorder();
    const note = (): void => made.recorder.recordLater(() => made.sink.record({ type: 'summary' } as never));
    note();
    await setTimeout(300);
    expect(made.summaries).toHaveLength(1);
    note();
    await made.recorder.finish();
    expect([made.summaries.length, made.warnings]).toEqual([2, []]);
  });

  it('hazard 51: notes wait at the end for those who end at the same time', async () => {
    let tries = 0;
    const { recorder, sink, summaries, warnings } = createRecorder({ begin: () => ++tries > 8 });
    recorder.recordLater(() => sink.record({ type: 'summary' } as never));
    await recorder.finish();
    expect([summaries.length, warnings]).toEqual([1, []]);
  });

  it('hazard 51: a note that can not be written takes no call along, and is counted', async () => {
    const { recorder, calls, warnings } = createRecorder();
    recorder.recordLater(fail);
    recorder.open();
    expect([recorder.add(RECORD), recorder.close(), calls.length]).toEqual([true, true, 1]);
    await recorder.finish();
    expect(warnings).toEqual([
      expect.stringContaining('disk full'),
      expect.stringContaining('could not record 1 event other than calls'),
    ]);
    recorder.open();
    expect([recorder.add(RECORD), recorder.close(), calls.length]).toEqual([true, true, 2]);
  });

  it('hazard 51: says how many notes were lost', async () => {
    const { recorder, sink, warnings } = createRecorder({ begin: () => false });
    for (let i = 0; i < 1005; i++) recorder.recordLater(() => sink.record({ type: 'summary' } as never));
    await recorder.finish();
    expect(warnings).toEqual([expect.stringContaining('1005 events')]);
  });
});
