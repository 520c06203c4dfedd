import { expect, it } from 'vitest';
import { createRecordIds } from '../../src/session/ids.ts';

it('counts behind a prefix that no other source has', () => {
  const [one, other] = [createRecordIds(), createRecordIds()];
  const ids = [one(), one(), other(), other()];
  expect(ids[0]).toMatch(/^[0-9a-f]{16}\.1$/);
  expect(ids[1]).toBe(ids[0]?.replace(/1$/, '2'));
  expect(new Set(ids).size).toBe(4);
});
