import { describe, expect, it } from 'vitest';
import { Tally } from '../../../src/gate/tally.ts';
import { DefinitionScans } from '../../../src/gate/detection/definition-scans.ts';
import { readNews } from '../../../src/gate/definitions/definition-news.ts';
import { DetectorSource } from '../../../src/gate/detection/detector-source.ts';
import { ScanQueue } from '../../../src/gate/detection/scan-queue.ts';
import { Recorder } from '../../../src/gate/recorder.ts';
import type { Definition } from '../../../src/core/registry/definition.ts';
import type { GateSetup } from '../../../src/gate/ports/ports.ts';
import { EVIL, TestDetector } from '../../support/detector.ts';
import { testSetup } from '../../support/gate.ts';
import { MemoryRegistry } from '../../support/memory-registry.ts';
import { defined, sighted } from '../../support/registered.ts';
import { createTestSink } from '../../support/sink.ts';

const FINE = defined('fine', 'Fine.');
const BAD = defined('bad', EVIL);

interface Options {
  readonly onError?: GateSetup['onError'];
  readonly isObserving?: boolean;
  readonly isBroken?: boolean;
}

function scanning(lines: string, { onError = 'deny', isObserving = false, isBroken = false }: Options = {}) {
  const { sink, detections, seen } = createTestSink();
  const failing = { next: 0 };
  const commit = (): void => {
    if (failing.next-- > 0) throw new Error('the disk is full');
    sink.commit();
  };
  const registry = new MemoryRegistry();
  registry.write('files', [sighted('fine', 'Fine.', { isPinned: true }), sighted('bad', EVIL, { isPinned: true })]);
  const begin = (): boolean => {
    registry.begin();
    return sink.begin();
  };
  const rollback = (): void => {
    registry.rollback();
    sink.rollback();
  };
  const ofStore = { ...sink, begin, commit, rollback };
  const setup = testSetup(`[detection]\n${lines}`, { sink: ofStore, registry }, { onError, isObserving });
  const recorder = new Recorder(setup.ports);
  const detector = new TestDetector();
  const source = new DetectorSource(
    () => setup.policy.current().policy.detection.rules,
    () => {},
    () => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve(detector)),
  );
  const tally = new Tally();
  const scans = new DefinitionScans(setup, {
    recorder,
    tally,
    source,
    queue: new ScanQueue(setup.ports.clock),
    launch: { scope: setup.server },
  });
  const within = <T>(act: () => T): T => {
    recorder.open();
    const result = recorder.within(act);
    recorder.close();
    return result as T;
  };
  const facts = (name: string) =>
    within(() => {
      const pin = registry.pin('files', 'tool', name);
      return scans.factsOf({ pin, definition: () => registry.text('files', 'tool', name, 'seen') }, undefined);
    });
  const pinOf = (name: string) => registry.pin('files', 'tool', name);
  return { scans, detector, detections, seen, setup, recorder, failing, registry, within, facts, pinOf, source, tally };
}

const declared = (definitions: readonly Definition[], isWhole = true) => ({ definitions, isWhole, isAll: false });

const note = { kind: 'tool', definitions: [FINE, BAD], news: [] } as const;

describe('where nothing is done about what is found', () => {
  it('lists do not wait, and are scanned by the way', async () => {
    const { scans, detector, detections, within, facts } = scanning('');
    expect([scans.holds, scans.decides, scans.isReady(), scans.isScanned('a', () => declared([BAD]))]).toEqual([
      false,
      false,
      true,
      true,
    ]);
    within(() => scans.note(note));
    expect(detector.seen).toEqual([]);
    expect(facts('bad')).toBeUndefined();
    await scans.settled();
    expect(detections.map(({ subject, action }) => [subject?.name, action])).toEqual([['bad', 'alert']]);
    expect(facts('bad')).toMatchObject({ findings: [{ rule: 'test.evil' }], isApproved: false });
    expect(facts('fine')).toEqual({ findings: [], ofServer: [], isApproved: false });
    within(() => scans.note(note));
    await scans.settled();
    expect(detector.seen).toEqual(['fine bad']);
  });

  it('a list that is as it was is taken over from the registry', async () => {
    const { scans, detector, facts, within, registry } = scanning('');
    registry.writeScanResult('files', FINE, { version: '1', severity: undefined, isCut: false, detections: [] });
    within(() => scans.note({ kind: 'tool', definitions: undefined, news: [] }));
    await scans.settled();
    expect(detector.seen).toEqual(['bad']);
    expect(facts('bad')).toMatchObject({ findings: [{ rule: 'test.evil' }] });
  });

  it('nothing where it is switched off', async () => {
    const { scans, detector, within, facts } = scanning('enabled = false\non_definition = "hide"');
    within(() => scans.note(note));
    await scans.settled();
    expect([detector.seen, facts('bad'), scans.holds, scans.decides]).toEqual([[], undefined, false, false]);
  });

  it('what could not be scanned is counted', async () => {
    const { scans, within, tally } = scanning('', { isBroken: true });
    within(() => scans.note(note));
    await scans.settled();
    expect(tally.report().scans).toMatchObject({ failed: 2, definitions: 0 });
  });
});

describe('what is news', () => {
  const news = ({ setup }: ReturnType<typeof scanning>) => ({
    ...note,
    news: readNews(setup, {
      scope: setup.server,
      kind: 'tool',
      sights: [FINE, BAD].map((definition) => ({ definition, status: 'new' })),
      problems: [],
    }),
  });
  const told = ({ seen }: ReturnType<typeof scanning>) =>
    seen.map(({ name, detections }) => [name, detections?.map(({ rule }) => rule)]);
  const SCANNED = [
    ['fine', []],
    ['bad', ['test.evil']],
  ];
  const UNSCANNED = [
    ['fine', undefined],
    ['bad', undefined],
  ];

  it.each([
    ['where it was not scanned before', '', {}, SCANNED],
    ['where it will not be', 'enabled = false', {}, UNSCANNED],
    ['where it can not be', '', { isBroken: true }, UNSCANNED],
  ] as const)('is recorded once, with what was found in it: %s', async (_, lines, options, expected) => {
    const all = scanning(lines, options);
    all.within(() => all.scans.note(news(all)));
    await all.scans.settled();
    await all.scans.recordRest();
    expect(told(all)).toEqual(expected);
  });

  it('is on record at once where it was scanned already', async () => {
    const all = scanning('on_definition = "hide"');
    all.scans.isScanned('list', () => declared([FINE, BAD]));
    await all.scans.waiting;
    all.within(() => all.scans.note(news(all)));
    expect(told(all)).toEqual(SCANNED);
  });

  it('is not recorded where the transaction that it was found in is lost: it is found again', async () => {
    const all = scanning('');
    all.recorder.open();
    all.recorder.within(() => all.scans.note(news(all)));
    all.recorder.within(() => {
      throw new Error('the disk is full');
    });
    all.recorder.close();
    await all.scans.settled();
    expect(told(all)).toEqual([]);
  });

  it('waits where it can not be recorded yet, and is without what was found where there is no time to scan', async () => {
    const all = scanning('');
    all.within(() => all.scans.note(news(all)));
    all.failing.next = 1;
    await all.scans.recordRest();
    expect(told(all)).toEqual([]);
    await all.scans.recordRest();
    expect(told(all)).toEqual(UNSCANNED);
    await all.scans.settled();
    expect(all.seen).toHaveLength(2);
  });
});

describe('on_definition = "hide"', () => {
  it('lists wait until all of them was scanned, and what was found is hidden until it is approved', async () => {
    const { scans, within, pinOf, registry, detections } = scanning('on_definition = "hide"');
    expect([scans.holds, scans.acts, scans.judgesServer]).toEqual([true, true, false]);
    expect(scans.isReady()).toBe(false);
    expect(scans.isScanned('list', () => declared([FINE, BAD]))).toBe(false);
    expect(scans.isScanned('list', () => declared([FINE, BAD]))).toBe(false);
    await scans.waiting;
    expect([scans.isReady(), scans.isScanned('list', () => declared([])), scans.waiting]).toEqual([true, true, undefined]);
    expect(scans.isScanned('another', () => declared([FINE]))).toBe(false);
    await scans.waiting;
    within(() => scans.note(note));
    expect(detections).toHaveLength(1);
    expect([scans.isHidden(FINE, pinOf('fine')), scans.isHidden(BAD, pinOf('bad'))]).toEqual([false, true]);
    registry.approve('files', 'tool', 'bad');
    expect(scans.isHidden(BAD, pinOf('bad'))).toBe(false);
  });

  it.each([
    ['deny', true],
    ['allow', false],
  ] as const)('what was not scanned, on_error = %j', async (onError, isHidden) => {
    const { scans, pinOf, facts, source } = scanning('on_definition = "hide"', { onError, isBroken: true });
    scans.isScanned('list', () => declared([FINE]));
    await source.load();
    expect([scans.isReady(), scans.isScanned('list', () => declared([FINE])), scans.isBlind]).toEqual([true, true, isHidden]);
    expect(scans.isHidden(FINE, pinOf('fine'))).toBe(isHidden);
    expect(facts('fine')?.hasFailed).toBe(isHidden ? true : undefined);
  });

  it('nothing is held back where everything passes anyway', () => {
    const { scans } = scanning('on_definition = "hide"\nrequire_approval = true', { isObserving: true });
    expect([scans.holds, scans.acts, scans.isScanned('a', () => declared([BAD]))]).toEqual([false, false, true]);
  });
});

describe('isClean', () => {
  it.each([
    ['what nothing is found in', declared([FINE]), true],
    ['what something is found in', declared([FINE, BAD]), false],
    ['what nobody could approve', declared([FINE], false), false],
    ['nothing at all', declared([]), false],
  ])('%s', async (_name, read, expected) => {
    const { scans } = scanning('on_definition = "hide"');
    expect([scans.isScanned('list', () => read), scans.isClean('list')]).toEqual([false, false]);
    await scans.waiting;
    expect(scans.isClean('list')).toBe(expected);
    expect(scans.isClean('another')).toBe(false);
  });
});

describe('on_definition = "deny"', () => {
  it('lists go on, and calls wait for what scans them', () => {
    const { scans } = scanning('on_definition = "deny"');
    expect([scans.acts, scans.holds, scans.decides, scans.isScanned('list', () => declared([BAD]))]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it('what is called before it was listed is scanned then', async () => {
    const { scans, facts, source, detections } = scanning('on_definition = "deny"');
    expect(scans.isReady()).toBe(false);
    await source.load();
    expect(scans.isReady()).toBe(true);
    expect(facts('bad')).toMatchObject({ findings: [{ rule: 'test.evil' }] });
    expect(detections).toHaveLength(1);
    expect(facts('unknown')).toBeUndefined();
  });

  it('what a server says of itself counts for all of it until it is approved', async () => {
    const { scans, within, registry, source } = scanning('on_definition = "deny"');
    await source.load();
    expect(scans.judgesServer).toBe(true);
    registry.write('files', [sighted('', EVIL, { kind: 'instructions', isPinned: true })]);
    const ofServer = () =>
      within(() => scans.factsOf({ pin: undefined, definition: () => undefined }, registry.pin('files', 'instructions', '')));
    expect(ofServer()).toMatchObject({ findings: [], ofServer: [{ rule: 'test.evil' }] });
    registry.approve('files', 'instructions', '');
    expect(ofServer()).toBeUndefined();
  });
});
