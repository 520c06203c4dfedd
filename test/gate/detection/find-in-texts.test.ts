import { setImmediate } from 'node:timers/promises';
import { expect, it, describe } from 'vitest';
import { findInTexts, groupsOf, inWhole, withoutRepeats } from '../../../src/gate/detection/find-in-texts.ts';
import { Turns } from '../../../src/gate/detection/scan-queue.ts';
import { EVIL, TestDetector } from '../../support/detector.ts';
import fc from 'fast-check';
import type { Detection } from '../../../src/core/detect/types.ts';

const turns = (): Turns => {
  let now = 0;
  return new Turns({ now: () => 0, elapsed: () => (now += 1000) });
};

it('finds what lies in any of many groups, once, where it is in the whole text', async () => {
  const detector = new TestDetector();
  const text = `${'a'.repeat(70_000)}${EVIL}${'b'.repeat(70_000)}`;
  const { detections, isCut } = await findInTexts(detector, [{ field: 'f', text }], { origin: 'result', turns: turns() });
  expect(detections.map(({ field, matches }) => [field, matches[0]?.position])).toEqual([['f', 70_000]]);
  expect(isCut).toBe(false);
  expect(detector.seen.length).toBeGreaterThan(4);
});

it('lets others have their turn between groups', async () => {
  const detector = new TestDetector();
  const finding = findInTexts(detector, [{ field: 'f', text: 'a'.repeat(200_000) }], { origin: 'result', turns: turns() });
  await setImmediate();
  await setImmediate();
  expect(detector.seen.length).toBeLessThan(4);
  await finding;
  expect(detector.seen.length).toBeGreaterThan(6);
});

const GROUP = 32 * 1024;

function foundAt(field: string, position: number, rule = 'a.b'): Detection {
  const match = { text: 't', position, context: '' };
  return { rule, family: 'exfiltration', severity: 'high', description: '', field, matches: [match] };
}

describe('groupsOf', () => {
  it('few texts are one group, and none are none', () => {
    const fields = [
      { field: 'a', text: 'x' },
      { field: 'b', text: 'y' },
    ];
    expect([...groupsOf(fields)].map((group) => group.fields)).toEqual([fields]);
    expect([...groupsOf([])]).toEqual([]);
    expect([...groupsOf([{ field: 'a', text: '' }])]).toEqual([]);
  });

  it('what lies across the end of a group is whole in the next one', () => {
    const text = `${'a'.repeat(GROUP - 5)}0123456789${'b'.repeat(GROUP)}`;
    const groups = [...groupsOf([{ field: 'f', text }])];
    expect(groups.length).toBeGreaterThan(1);
    expect(groups.filter(({ fields }) => fields.some((field) => field.text.includes('0123456789')))).toHaveLength(1);
    const across = [
      { field: 'one', text: `${'a'.repeat(GROUP - 5)}begin` },
      { field: 'two', text: 'end' },
    ];
    const last = [...groupsOf(across)].at(-1);
    expect(last?.fields.map(({ field, text: part }) => `${field}:${part.slice(-5)}`)).toEqual(['one:begin', 'two:end']);
  });

  it('has every character in some group, where it says it is, and no group is too big', () => {
    const texts = fc.array(fc.record({ field: fc.constantFrom('a', 'b'), size: fc.nat({ max: 100_000 }) }), { maxLength: 6 });
    fc.assert(
      fc.property(texts, (sizes) => {
        const all = sizes.map(({ size }, index) => ({ field: `f${index}`, text: 'x'.repeat(size) }));
        const seen = new Map(all.map(({ field, text }) => [field, new Uint8Array(text.length)]));
        for (const { fields, offsets } of groupsOf(all)) {
          expect(fields.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(GROUP);
          for (const { field, text } of fields)
            seen.get(field)?.fill(1, offsets.get(field) ?? 0, (offsets.get(field) ?? 0) + text.length);
        }
        for (const bytes of seen.values()) expect(bytes.includes(0)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });
});

describe('what was found in a group', () => {
  it('has its place in the whole text', () => {
    const group = { fields: [], offsets: new Map([['a', 100]]) };
    const found = [foundAt('a', 5), foundAt('b', 6)];
    expect(inWhole(found, group).map(({ matches }) => matches[0]?.position)).toEqual([105, 6]);
    expect(inWhole(found, { fields: [], offsets: new Map() })).toBe(found);
  });

  it('is told once', () => {
    const found = [foundAt('a', 5), foundAt('a', 5), foundAt('a', 6), foundAt('b', 5), foundAt('a', 5, 'c.d')];
    expect(withoutRepeats(found)).toHaveLength(4);
  });
});
