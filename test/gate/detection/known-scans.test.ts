import { expect, it } from 'vitest';
import { KnownScans } from '../../../src/gate/detection/known-scans.ts';

const RESULT = { version: '1', severity: undefined, isCut: false, detections: [] };
const ONE = { kind: 'tool', name: 'a', fingerprint: 'f' } as const;

it('knows what was scanned, by its kind, name and fingerprint', () => {
  const known = new KnownScans();
  known.follow('1');
  expect(known.isEmpty).toBe(true);
  known.set(ONE, RESULT);
  expect([known.get(ONE), known.isEmpty]).toEqual([RESULT, false]);
  for (const other of [{ kind: 'prompt' }, { name: 'b' }, { fingerprint: 'g' }] as const)
    expect(known.get({ ...ONE, ...other })).toBeUndefined();
});

it('forgets all under other rules', () => {
  const known = new KnownScans();
  expect(known.follow('1')).toBe(true);
  known.set(ONE, RESULT);
  expect(known.follow('1')).toBe(false);
  expect(known.get(ONE)).toBe(RESULT);
  expect(known.follow('2')).toBe(true);
  expect(known.get(ONE)).toBeUndefined();
});

it('what was recorded in a transaction that is lost was not', () => {
  const known = new KnownScans();
  const transaction = { isLost: false };
  expect(known.isSaved(ONE)).toBe(false);
  known.noteSaved(ONE, transaction);
  expect(known.isSaved(ONE)).toBe(true);
  transaction.isLost = true;
  expect(known.isSaved(ONE)).toBe(false);
});
