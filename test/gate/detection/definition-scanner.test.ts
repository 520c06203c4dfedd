import { describe, expect, it } from 'vitest';
import { Tally } from '../../../src/gate/tally.ts';
import { DefinitionScanner } from '../../../src/gate/detection/definition-scanner.ts';
import { Recorder } from '../../../src/gate/recorder.ts';
import { EVIL, TestDetector } from '../../support/detector.ts';
import { testSetup } from '../../support/gate.ts';
import { MemoryRegistry } from '../../support/memory-registry.ts';
import { defined, sighted } from '../../support/registered.ts';
import { createTestSink } from '../../support/sink.ts';

/** A scanner on a registry that others may know too. */
function scanning(registry = new MemoryRegistry()) {
  const { sink, detections } = createTestSink();
  const warnings: string[] = [];
  const setup = testSetup('', { sink, registry, warn: (line) => warnings.push(line) });
  const recorder = new Recorder(setup.ports);
  const tally = new Tally();
  const scanner = new DefinitionScanner(setup, { recorder, tally, launch: { scope: setup.server } });
  const detector = new TestDetector();
  scanner.known.follow(detector.version);
  const within = <T>(act: () => T): T => {
    recorder.open();
    const result = recorder.within(act);
    recorder.close();
    return result as T;
  };
  return { scanner, detector, registry, detections, warnings, tally, within };
}

const TURNS = { letOthers: () => Promise.resolve() };

const DEFINITIONS = [defined('a', 'Fine.'), defined('b', EVIL)];
const WRITES = [sighted('a', 'Fine.'), sighted('b', EVIL)];

describe('DefinitionScanner', () => {
  it('scans what nobody has scanned, keeps it, and tells it once', async () => {
    const { scanner, detector, registry, detections, within, tally } = scanning();
    registry.write('files', WRITES);
    const task = within(() => scanner.toTask(DEFINITIONS, '1'));
    expect(task.unscanned).toEqual(DEFINITIONS);
    await scanner.scanAll(detector, task, TURNS);
    within(() => scanner.save(DEFINITIONS));
    within(() => scanner.save(DEFINITIONS));
    expect(detections.map(({ subject }) => subject?.name)).toEqual(['b']);
    expect(registry.scanResult('files', 'tool', 'a', DEFINITIONS[0]?.fingerprint ?? '')).toMatchObject({
      version: '1',
      severity: undefined,
    });
    expect(within(() => scanner.toTask(DEFINITIONS, '1')).unscanned).toEqual([]);
    expect(tally.report().scans.definitions).toBe(2);
  });

  it('another process does not scan again, nor tell it', async () => {
    const first = scanning();
    first.registry.write('files', WRITES);
    await first.scanner.scanAll(
      first.detector,
      first.within(() => first.scanner.toTask(DEFINITIONS, '1')),
      TURNS,
    );
    first.within(() => first.scanner.save(DEFINITIONS));
    const second = scanning(first.registry);
    expect(second.within(() => second.scanner.takeOver('tool', '1'))).toEqual([]);
    expect(second.scanner.known.get(DEFINITIONS[1] as never)).toMatchObject({ severity: 'critical' });
    second.within(() => second.scanner.save(DEFINITIONS));
    expect(second.detections).toEqual([]);
    expect(second.within(() => second.scanner.takeOver('tool', '2')).map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('other rules scan again, and what they find too is not told again', async () => {
    const first = scanning();
    first.registry.write('files', WRITES);
    await first.scanner.scanAll(
      first.detector,
      first.within(() => first.scanner.toTask(DEFINITIONS, '1')),
      TURNS,
    );
    first.within(() => first.scanner.save(DEFINITIONS));
    const { scanner, within, detections, registry } = scanning(first.registry);
    const detector = new TestDetector('2');
    scanner.known.follow('2');
    const task = within(() => scanner.toTask(DEFINITIONS, '2'));
    await scanner.scanAll(detector, task, TURNS);
    within(() => scanner.save(task.unscanned));
    expect(detections).toEqual([]);
    expect(registry.scanResult('files', 'tool', 'b', DEFINITIONS[1]?.fingerprint ?? '')?.version).toBe('2');
  });

  it('scanNow: from the registry, else by scanning; with other rules where it can not scan', () => {
    const { scanner, detector, registry, within, detections } = scanning();
    registry.write('files', WRITES);
    const b = DEFINITIONS[1] as (typeof DEFINITIONS)[0];
    const now = (of: TestDetector | undefined, text: string | undefined = b.text) =>
      within(() => scanner.scanNow(b, { detector: of, readText: () => text }));
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
    const { scanner, detector, registry, within, warnings, tally } = scanning();
    registry.write('files', WRITES);
    detector.fault = () => {
      throw new Error('broken');
    };
    await scanner.scanAll(
      detector,
      within(() => scanner.toTask(DEFINITIONS, '1')),
      TURNS,
    );
    expect(warnings).toEqual(['could not scan 2 definitions: Error: broken']);
    expect(tally.report().scans.failed).toBe(2);
    expect(scanner.known.get(DEFINITIONS[0] as never)).toBeUndefined();
    const b = DEFINITIONS[1] as (typeof DEFINITIONS)[0];
    expect(within(() => scanner.scanNow(b, { detector, readText: () => b.text }))).toBe('failed');
  });
});
