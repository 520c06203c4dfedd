import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareListing } from '../../../src/core/registry/compare.ts';
import type { Definition, PinRecord, SightStatus } from '../../../src/core/registry/definition.ts';
import { fingerprintOf } from '../../../src/core/registry/fingerprint.ts';
import { pinStatus } from '../../../src/core/registry/trust.ts';
import { readListing } from '../../../src/core/registry/read-listing.ts';
import { applyWrites, tool } from './definitions.ts';
import { runs } from '../../support/runs.ts';

const [A, B, C] = [tool('t', { v: 1 }), tool('t', { v: 2 }), tool('t', { v: 3 })];
const WHOLE = { trustFirstUse: true, isWhole: true };

/** Whole lists, one after the other: the statuses in each, and what is known in the end. */
function see(lists: readonly (readonly Definition[])[], { trustFirstUse } = WHOLE) {
  let known: ReadonlyMap<string, PinRecord> = new Map();
  const statuses = lists.map((listed) => {
    const { sights, writes } = compareListing(known, listed, { trustFirstUse, isWhole: true });
    known = applyWrites(known, writes);
    return sights.map(({ status }) => status);
  });
  return { statuses, known };
}

describe('compareListing', () => {
  it.each<[lists: (readonly Definition[])[], statuses: SightStatus[][]]>([
    [
      [[A], [A]],
      [['new'], ['unchanged']],
    ],
    [
      [[A], [B], [B], [C], [A], [A]],
      [['new'], ['changed'], ['changed'], ['changed'], ['restored'], ['unchanged']],
    ],
    [
      [[A], [], [A]],
      [['new'], [], ['returned']],
    ],
    [
      [[A], [], [], [B], [], [B], [], [A]],
      [['new'], [], [], ['changed'], [], ['changed'], [], ['restored']],
    ],
    [
      [[A], [B], [], [A], [], [A]],
      [['new'], ['changed'], [], ['restored'], [], ['returned']],
    ],
  ])('case %#', (lists, statuses) => {
    const seen = see(lists);
    expect(seen.statuses).toEqual(statuses);
    expect(seen.known.get('t')?.pinned).toBe(A.fingerprint);
  });

  it('hazard 37: what has changed is changed at the second and the third sight, and the pin stays', () => {
    const { statuses, known } = see([[A], [B], [B], [B]]);
    expect(statuses.slice(1)).toEqual([['changed'], ['changed'], ['changed']]);
    expect(known.get('t')).toEqual({ kind: 'tool', name: 't', pinned: A.fingerprint, seen: B.fingerprint, isListed: true });
    expect(compareListing(known, [B], WHOLE)).toEqual({
      sights: [{ definition: B, status: 'changed', pinned: A.fingerprint }],
      writes: [],
    });
  });

  it('without trust at first use nothing is pinned, and what is known is news only when it is another', () => {
    const { statuses, known } = see([[A], [A], [B], [B], [], [B]], { trustFirstUse: false, isWhole: true });
    expect(statuses).toEqual([['new'], ['unchanged'], ['new'], ['unchanged'], [], ['returned']]);
    expect(known.get('t')).toMatchObject({ pinned: undefined, seen: B.fingerprint });
    const { sights, writes } = compareListing(known, [B], WHOLE);
    expect(sights).toEqual([{ definition: B, status: 'new' }]);
    expect(applyWrites(known, writes).get('t')?.pinned).toBe(B.fingerprint);
  });

  it.each(['', 'sha256:', A.fingerprint.slice(0, -1), A.fingerprint.toUpperCase(), ` ${A.fingerprint}`])(
    'the pin %j is equal to nothing and is not replaced',
    (pinned) => {
      const known = new Map([['t', { kind: 'tool' as const, name: 't', pinned, seen: A.fingerprint, isListed: true }]]);
      expect(compareListing(known, [A], WHOLE)).toEqual({ sights: [{ definition: A, status: 'changed', pinned }], writes: [] });
    },
  );

  it('what is not in a part of a list has not gone', () => {
    const { known } = see([[A, tool('u')]]);
    expect(compareListing(known, [A], { trustFirstUse: true, isWhole: false }).writes).toEqual([]);
    expect(compareListing(known, [A], WHOLE).writes).toEqual([{ kind: 'tool', name: 'u', isListed: false }]);
    expect(compareListing(applyWrites(known, compareListing(known, [A], WHOLE).writes), [A], WHOLE).writes).toEqual([]);
  });

  it('names are told apart as they are, not as an object would', () => {
    const names = ['__proto__', 'constructor', 'toString', 'a', 'A', 'a ', ''];
    const { statuses } = see([names.map((name) => tool(name)), names.map((name) => tool(name))]);
    expect(statuses).toEqual([names.map(() => 'new'), names.map(() => 'unchanged')]);
  });

  describe('duplicate names', () => {
    it('hazard 37: a namesake that comes, goes or changes is a change, wherever it stands', () => {
      expect(see([[A], [A, B], [B, A], [A]]).statuses).toEqual([['new'], ['changed'], ['changed'], ['restored']]);
      expect(see([[A, B], [A, B], [A, C], [B, A], [A], [B]]).statuses).toEqual([
        ['new'],
        ['unchanged'],
        ['changed'],
        ['changed'],
        ['changed'],
        ['changed'],
      ]);
    });

    it('are one, whether they came on one page or on two', () => {
      const page = (...values: number[]) =>
        readListing('tool', { tools: values.map((v) => ({ name: 't', description: 'Reads a file', v })) }).definitions;
      const { known } = see([page(1, 2, 3)]);
      for (const listed of [
        [A, B, C],
        [...page(1), ...page(2, 3)],
      ]) {
        expect(compareListing(known, listed, WHOLE)).toMatchObject({ sights: [{ status: 'unchanged' }], writes: [] });
      }
    });
  });

  describe('renamed', () => {
    it('a new name for what has gone is told, and is a new definition all the same', () => {
      const { sights, writes } = compareListing(see([[tool('old'), A]]).known, [tool('new'), A], WHOLE);
      expect(sights).toEqual([
        { definition: tool('new'), status: 'new', renamedFrom: 'old' },
        { definition: A, status: 'unchanged' },
      ]);
      expect(writes).toEqual([
        { kind: 'tool', name: 'new', seen: tool('new'), isPinned: true, isListed: true },
        { kind: 'tool', name: 'old', isListed: false },
      ]);
    });

    it('is told of what was trusted and has changed since, and of what had gone before', () => {
      const [trusted, changed] = [tool('old', { v: 1 }), tool('old', { v: 2 })];
      const { known } = see([[trusted, A], [changed, A], [A]]);
      for (const v of [1, 2]) {
        const { sights, writes } = compareListing(known, [tool('new', { v }), A], WHOLE);
        expect(sights[0]).toMatchObject({ status: 'new', renamedFrom: 'old' });
        expect(writes.map(({ name }) => name)).toEqual(['new']);
      }
      expect(compareListing(known, [tool('new', { v: 3 }), A], WHOLE).sights[0]).not.toHaveProperty('renamedFrom');
    });

    it('is not told of what comes back', () => {
      const { known } = see([[tool('a')], [tool('b')]]);
      expect(compareListing(known, [tool('a')], WHOLE).sights).toEqual([{ definition: tool('a'), status: 'returned' }]);
    });
  });

  it('hazard 37: whatever is listed, in whatever order, a pin is set once and never moved', () => {
    const name = fc.constantFrom('a', 'b', '__proto__');
    const definition = fc.tuple(name, fc.nat(3)).map(([one, v]) => tool(one, { v }));
    const list = fc.record({
      listed: fc.array(definition, { maxLength: 5 }),
      isWhole: fc.boolean(),
      trustFirstUse: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(list, { maxLength: 12 }), (lists) => {
        let known: ReadonlyMap<string, PinRecord> = new Map();
        const pins = new Map<string, string>();
        for (const { listed, ...options } of lists) {
          const before = known;
          const { sights, writes } = compareListing(before, listed, options);
          known = applyWrites(before, writes);
          expect(new Set(sights.map((sight) => sight.definition.name))).toEqual(new Set(listed.map((one) => one.name)));
          expect(new Set(writes.map((write) => write.name)).size).toBe(writes.length);
          for (const { definition: seen, status, pinned } of sights) {
            const pin = pins.get(seen.name);
            const record = known.get(seen.name);
            // The model: the first that was trusted is the pin, and all that differ from it are changed, each time.
            expect(status === 'changed').toBe(pin !== undefined && pin !== seen.fingerprint);
            expect(pinned).toBe(status === 'changed' ? pin : undefined);
            if (pin === undefined && options.trustFirstUse) pins.set(seen.name, seen.fingerprint);
            expect(record).toMatchObject({ pinned: pins.get(seen.name), seen: seen.fingerprint, isListed: true });
            expect(pinStatus(record)).toBe(pins.has(seen.name) ? (status === 'changed' ? 'changed' : 'pinned') : 'new');
            expect(status === 'unchanged').toBe(writes.every((write) => write.name !== seen.name) && status !== 'changed');
          }
          for (const [one, record] of known) {
            expect(record.pinned).toBe(pins.get(one));
            const isHere = listed.some((other) => other.name === one);
            if (!isHere) expect(record.isListed).toBe(options.isWhole ? false : before.get(one)?.isListed);
          }
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it('compares 50,000 definitions', () => {
    const text = '{"description":"Reads a file"}';
    const many = (version: number) =>
      Array.from({ length: 50_000 }, (_, index): Definition => ({
        kind: 'tool',
        name: `t${index}`,
        text,
        fingerprint: fingerprintOf(`${index % 2 === 0 ? version : 0} ${index}`),
      }));
    const { statuses, known } = see([many(1), many(1), many(2), []]);
    const counts = statuses.map((all) =>
      Object.fromEntries([...Map.groupBy(all, (status) => status)].map(([s, those]) => [s, those.length])),
    );
    expect(counts).toEqual([{ new: 50_000 }, { unchanged: 50_000 }, { changed: 25_000, unchanged: 25_000 }, {}]);
    expect([...known.values()].filter(({ isListed }) => isListed)).toEqual([]);
  });
});
