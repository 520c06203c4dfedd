import { describe, expect, it } from 'vitest';
import { Tally } from '../../../src/gate/tally.ts';
import { Looker } from '../../../src/gate/detection/looker.ts';
import { Recorder } from '../../../src/gate/recorder.ts';
import { EVIL, TestDetector } from '../../support/detector.ts';
import { testSetup } from '../../support/gate.ts';
import { MemoryRegistry } from '../../support/memory-registry.ts';
import { defined, sighted } from '../../support/registered.ts';
import { createTestSink } from '../../support/sink.ts';

/** A looker on a registry that others may know too. */
function looking(registry = new MemoryRegistry()) {
  const { sink, detections } = createTestSink();
  const warnings: string[] = [];
  const setup = testSetup('', { sink, registry, warn: (line) => warnings.push(line) });
  const recorder = new Recorder(setup.ports);
  const tally = new Tally();
  const looker = new Looker(setup, { recorder, tally, launch: { scope: setup.server } });
  const detector = new TestDetector();
  looker.known.follow(detector.version);
  const within = <T>(act: () => T): T => {
    recorder.open();
    const result = recorder.within(act);
    recorder.close();
    return result as T;
  };
  return { looker, detector, registry, detections, warnings, tally, within };
}

const DEFINITIONS = [defined('a', 'Fine.'), defined('b', EVIL)];
const WRITES = [sighted('a', 'Fine.'), sighted('b', EVIL)];

describe('Looker', () => {
  it('looks at what nobody has looked at, keeps it, and tells it once', async () => {
    const { looker, detector, registry, detections, within, tally } = looking();
    registry.write('files', WRITES);
    const task = within(() => looker.toTask(DEFINITIONS, '1'));
    expect(task.unlooked).toEqual(DEFINITIONS);
    await looker.lookAll(detector, task);
    within(() => looker.save(DEFINITIONS));
    within(() => looker.save(DEFINITIONS));
    expect(detections.map(({ subject }) => subject?.name)).toEqual(['b']);
    expect(registry.look('files', 'tool', 'a', DEFINITIONS[0]?.fingerprint ?? '')).toMatchObject({
      version: '1',
      severity: undefined,
    });
    expect(within(() => looker.toTask(DEFINITIONS, '1')).unlooked).toEqual([]);
    expect(tally.report().looks.definitions).toBe(2);
  });

  it('another process does not look again, nor tell it', async () => {
    const first = looking();
    first.registry.write('files', WRITES);
    await first.looker.lookAll(
      first.detector,
      first.within(() => first.looker.toTask(DEFINITIONS, '1')),
    );
    first.within(() => first.looker.save(DEFINITIONS));
    const second = looking(first.registry);
    expect(second.within(() => second.looker.takeOver('tool', '1'))).toEqual([]);
    expect(second.looker.known.get(DEFINITIONS[1] as never)).toMatchObject({ severity: 'critical' });
    second.within(() => second.looker.save(DEFINITIONS));
    expect(second.detections).toEqual([]);
    expect(second.within(() => second.looker.takeOver('tool', '2')).map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('other rules look again, and what they find too is not told again', async () => {
    const first = looking();
    first.registry.write('files', WRITES);
    await first.looker.lookAll(
      first.detector,
      first.within(() => first.looker.toTask(DEFINITIONS, '1')),
    );
    first.within(() => first.looker.save(DEFINITIONS));
    const { looker, within, detections, registry } = looking(first.registry);
    const detector = new TestDetector('2');
    looker.known.follow('2');
    const task = within(() => looker.toTask(DEFINITIONS, '2'));
    await looker.lookAll(detector, task);
    within(() => looker.save(task.unlooked));
    expect(detections).toEqual([]);
    expect(registry.look('files', 'tool', 'b', DEFINITIONS[1]?.fingerprint ?? '')?.version).toBe('2');
  });

  it('lookNow: from the registry, else by looking; with other rules where it can not look', () => {
    const { looker, detector, registry, within, detections } = looking();
    registry.write('files', WRITES);
    const b = DEFINITIONS[1] as (typeof DEFINITIONS)[0];
    const now = (of: TestDetector | undefined, text: string | undefined = b.text) =>
      within(() => looker.lookNow(b, { detector: of, readText: () => text }));
    expect(now(undefined)).toBe('failed');
    expect(now(detector)).toMatchObject({ severity: 'critical' });
    expect(detections).toHaveLength(1);
    expect(now(undefined)).toMatchObject({ version: '1' });
    detector.fault = () => {
      throw new Error('broken');
    };
    expect(now(detector)).toMatchObject({ version: '1' });
  });

  it('a detector that fails is told, counted, and the rest goes on', async () => {
    const { looker, detector, registry, within, warnings, tally } = looking();
    registry.write('files', WRITES);
    detector.fault = () => {
      throw new Error('broken');
    };
    await looker.lookAll(
      detector,
      within(() => looker.toTask(DEFINITIONS, '1')),
    );
    expect(warnings).toEqual(['could not scan 2 definitions: Error: broken']);
    expect(tally.report().looks.failed).toBe(2);
    expect(looker.known.get(DEFINITIONS[0] as never)).toBeUndefined();
    const b = DEFINITIONS[1] as (typeof DEFINITIONS)[0];
    expect(within(() => looker.lookNow(b, { detector, readText: () => b.text }))).toBe('failed');
  });
});
