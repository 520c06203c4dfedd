import { describe, expect, it } from 'vitest';
import { Tally } from '../../../src/gate/tally.ts';
import { DefinitionLooks } from '../../../src/gate/detection/definition-looks.ts';
import { readNews } from '../../../src/gate/definitions/definition-news.ts';
import { DetectorSource } from '../../../src/gate/detection/detector-source.ts';
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

function looking(lines: string, { onError = 'deny', isObserving = false, isBroken = false }: Options = {}) {
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
  const looks = new DefinitionLooks(setup, { recorder, tally, source, launch: { scope: setup.server } });
  const within = <T>(act: () => T): T => {
    recorder.open();
    const result = recorder.within(act);
    recorder.close();
    return result as T;
  };
  const facts = (name: string) =>
    within(() => {
      const pin = registry.pin('files', 'tool', name);
      return looks.factsOf({ pin, definition: () => registry.text('files', 'tool', name, 'seen') }, undefined);
    });
  const pinOf = (name: string) => registry.pin('files', 'tool', name);
  return { looks, detector, detections, seen, setup, recorder, failing, registry, within, facts, pinOf, source, tally };
}

const declared = (definitions: readonly Definition[], isWhole = true) => ({ definitions, isWhole, isAll: false });

const note = { kind: 'tool', definitions: [FINE, BAD], news: [] } as const;

describe('where nothing is done about what is found', () => {
  it('lists do not wait, and are looked at by the way', async () => {
    const { looks, detector, detections, within, facts } = looking('');
    expect([looks.holds, looks.decides, looks.isReady(), looks.isLooked('a', () => declared([BAD]))]).toEqual([
      false,
      false,
      true,
      true,
    ]);
    within(() => looks.note(note));
    expect(detector.seen).toEqual([]);
    expect(facts('bad')).toBeUndefined();
    await looks.settled();
    expect(detections.map(({ subject, action }) => [subject?.name, action])).toEqual([['bad', 'alert']]);
    expect(facts('bad')).toMatchObject({ findings: [{ rule: 'test.evil' }], isApproved: false });
    expect(facts('fine')).toEqual({ findings: [], ofServer: [], isApproved: false });
    within(() => looks.note(note));
    await looks.settled();
    expect(detector.seen).toEqual(['fine bad']);
  });

  it('a list that is as it was is taken over from the registry', async () => {
    const { looks, detector, facts, within, registry } = looking('');
    registry.writeLook('files', FINE, { version: '1', severity: undefined, isCut: false, detections: [] });
    within(() => looks.note({ kind: 'tool', definitions: undefined, news: [] }));
    await looks.settled();
    expect(detector.seen).toEqual(['bad']);
    expect(facts('bad')).toMatchObject({ findings: [{ rule: 'test.evil' }] });
  });

  it('nothing where it is switched off', async () => {
    const { looks, detector, within, facts } = looking('enabled = false\non_definition = "hide"');
    within(() => looks.note(note));
    await looks.settled();
    expect([detector.seen, facts('bad'), looks.holds, looks.decides]).toEqual([[], undefined, false, false]);
  });

  it('what could not be looked at is counted', async () => {
    const { looks, within, tally } = looking('', { isBroken: true });
    within(() => looks.note(note));
    await looks.settled();
    expect(tally.report().looks).toMatchObject({ failed: 2, definitions: 0 });
  });
});

describe('what is news', () => {
  const news = ({ setup }: ReturnType<typeof looking>) => ({
    ...note,
    news: readNews(setup, {
      scope: setup.server,
      kind: 'tool',
      sights: [FINE, BAD].map((definition) => ({ definition, status: 'new' })),
      problems: [],
    }),
  });
  const told = ({ seen }: ReturnType<typeof looking>) =>
    seen.map(({ name, detections }) => [name, detections?.map(({ rule }) => rule)]);
  const LOOKED = [
    ['fine', []],
    ['bad', ['test.evil']],
  ];
  const UNLOOKED = [
    ['fine', undefined],
    ['bad', undefined],
  ];

  it.each([
    ['where it was not looked at before', '', {}, LOOKED],
    ['where it will not be', 'enabled = false', {}, UNLOOKED],
    ['where it can not be', '', { isBroken: true }, UNLOOKED],
  ] as const)('is recorded once, with what was found in it: %s', async (_, lines, options, expected) => {
    const all = looking(lines, options);
    all.within(() => all.looks.note(news(all)));
    await all.looks.settled();
    await all.looks.recordRest();
    expect(told(all)).toEqual(expected);
  });

  it('is on record at once where it was looked at already', async () => {
    const all = looking('on_definition = "hide"');
    all.looks.isLooked('list', () => declared([FINE, BAD]));
    await all.looks.waiting;
    all.within(() => all.looks.note(news(all)));
    expect(told(all)).toEqual(LOOKED);
  });

  it('is not recorded where the transaction that it was found in is lost: it is found again', async () => {
    const all = looking('');
    all.recorder.open();
    all.recorder.within(() => all.looks.note(news(all)));
    all.recorder.within(() => {
      throw new Error('the disk is full');
    });
    all.recorder.close();
    await all.looks.settled();
    expect(told(all)).toEqual([]);
  });

  it('waits where it can not be recorded yet, and is without what was found where there is no time to look', async () => {
    const all = looking('');
    all.within(() => all.looks.note(news(all)));
    all.failing.next = 1;
    await all.looks.recordRest();
    expect(told(all)).toEqual([]);
    await all.looks.recordRest();
    expect(told(all)).toEqual(UNLOOKED);
    await all.looks.settled();
    expect(all.seen).toHaveLength(2);
  });
});

describe('on_definition = "hide"', () => {
  it('lists wait until all of them was looked at, and what was found is hidden until it is approved', async () => {
    const { looks, within, pinOf, registry, detections } = looking('on_definition = "hide"');
    expect([looks.holds, looks.acts, looks.judgesServer]).toEqual([true, true, false]);
    expect(looks.isReady()).toBe(false);
    expect(looks.isLooked('list', () => declared([FINE, BAD]))).toBe(false);
    expect(looks.isLooked('list', () => declared([FINE, BAD]))).toBe(false);
    await looks.waiting;
    expect([looks.isReady(), looks.isLooked('list', () => declared([])), looks.waiting]).toEqual([true, true, undefined]);
    expect(looks.isLooked('another', () => declared([FINE]))).toBe(false);
    await looks.waiting;
    within(() => looks.note(note));
    expect(detections).toHaveLength(1);
    expect([looks.isHidden(FINE, pinOf('fine')), looks.isHidden(BAD, pinOf('bad'))]).toEqual([false, true]);
    registry.approve('files', 'tool', 'bad');
    expect(looks.isHidden(BAD, pinOf('bad'))).toBe(false);
  });

  it.each([
    ['deny', true],
    ['allow', false],
  ] as const)('what was not looked at, on_error = %j', async (onError, isHidden) => {
    const { looks, pinOf, facts, source } = looking('on_definition = "hide"', { onError, isBroken: true });
    looks.isLooked('list', () => declared([FINE]));
    await source.load();
    expect([looks.isReady(), looks.isLooked('list', () => declared([FINE])), looks.isBlind]).toEqual([true, true, isHidden]);
    expect(looks.isHidden(FINE, pinOf('fine'))).toBe(isHidden);
    expect(facts('fine')?.hasFailed).toBe(isHidden ? true : undefined);
  });

  it('nothing is held back where everything passes anyway', () => {
    const { looks } = looking('on_definition = "hide"\nrequire_approval = true', { isObserving: true });
    expect([looks.holds, looks.acts, looks.isLooked('a', () => declared([BAD]))]).toEqual([false, false, true]);
  });
});

describe('isClean', () => {
  it.each([
    ['what nothing is found in', declared([FINE]), true],
    ['what something is found in', declared([FINE, BAD]), false],
    ['what nobody could approve', declared([FINE], false), false],
    ['nothing at all', declared([]), false],
  ])('%s', async (_name, read, expected) => {
    const { looks } = looking('on_definition = "hide"');
    expect([looks.isLooked('list', () => read), looks.isClean('list')]).toEqual([false, false]);
    await looks.waiting;
    expect(looks.isClean('list')).toBe(expected);
    expect(looks.isClean('another')).toBe(false);
  });
});

describe('on_definition = "deny"', () => {
  it('lists go on, and calls wait for what looks at them', () => {
    const { looks } = looking('on_definition = "deny"');
    expect([looks.acts, looks.holds, looks.decides, looks.isLooked('list', () => declared([BAD]))]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it('what is called before it was listed is looked at then', async () => {
    const { looks, facts, source, detections } = looking('on_definition = "deny"');
    expect(looks.isReady()).toBe(false);
    await source.load();
    expect(looks.isReady()).toBe(true);
    expect(facts('bad')).toMatchObject({ findings: [{ rule: 'test.evil' }] });
    expect(detections).toHaveLength(1);
    expect(facts('unknown')).toBeUndefined();
  });

  it('what a server says of itself counts for all of it until it is approved', async () => {
    const { looks, within, registry, source } = looking('on_definition = "deny"');
    await source.load();
    expect(looks.judgesServer).toBe(true);
    registry.write('files', [sighted('', EVIL, { kind: 'instructions', isPinned: true })]);
    const ofServer = () =>
      within(() => looks.factsOf({ pin: undefined, definition: () => undefined }, registry.pin('files', 'instructions', '')));
    expect(ofServer()).toMatchObject({ findings: [], ofServer: [{ rule: 'test.evil' }] });
    registry.approve('files', 'instructions', '');
    expect(ofServer()).toBeUndefined();
  });
});
