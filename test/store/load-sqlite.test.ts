import { afterEach, expect, it, vi } from 'vitest';
import { loadSqlite } from '../../src/store/load-sqlite.ts';

afterEach(() => vi.restoreAllMocks());

it('hazard 53: of the warnings that loading SQLite gives, only the one that it is experimental is left out', () => {
  const seen: unknown[] = [];
  const emitWarning = (warning: string | Error): void => void seen.push(warning);
  vi.spyOn(process, 'emitWarning').mockImplementation(emitWarning);
  // As Node 22 does it, on whatever Node this runs.
  vi.spyOn(process, 'getBuiltinModule').mockImplementation((name) => {
    process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning');
    process.emitWarning('Something else is deprecated', 'DeprecationWarning');
    return { name };
  });
  expect(loadSqlite()).toEqual({ name: 'node:sqlite' });
  expect(seen).toEqual(['Something else is deprecated']);
  process.emitWarning('SQLite is an experimental feature, as somebody else says');
  expect(seen).toHaveLength(2);
});
