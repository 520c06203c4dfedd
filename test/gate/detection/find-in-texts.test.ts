import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { findInTexts } from '../../../src/gate/detection/find-in-texts.ts';
import { Turns } from '../../../src/gate/detection/scan-queue.ts';
import { EVIL, TestDetector } from '../../support/detector.ts';

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
