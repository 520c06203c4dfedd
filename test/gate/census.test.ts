import { expect, it } from 'vitest';
import { Census } from '../../src/gate/census.ts';

it('counts by side and method', () => {
  const census = new Census();
  census.countClient('ping');
  census.countClient('ping');
  census.countServer('ping');
  census.countInspected();
  census.countDecided(true);
  census.countDecided(false);
  census.countRefused();
  census.countUnasked();
  census.countLook('texts');
  census.countLook('busy', 3);
  expect(census.report()).toEqual({
    fromClient: 2,
    fromServer: 1,
    inspected: 1,
    passed: 0,
    refused: 1,
    unasked: 1,
    decided: 2,
    denied: 1,
    results: { read: 0, cut: 0, not_read: 0 },
    looks: { definitions: 0, texts: 1, arguments: 0, cut: 0, busy: 3, failed: 0, binary: 0 },
    methods: { ping: 2, '<-ping': 1 },
  });
});

it('stays small, whatever names peers make up', () => {
  const census = new Census();
  for (let i = 0; i < 10_000; i++) census.countClient(`method-${i}`);
  const { methods, fromClient } = census.report();
  expect(fromClient).toBe(10_000);
  expect(Object.keys(methods)).toHaveLength(257);
  expect(methods['other']).toBe(10_000 - 256);
});

it('remembers no long names, of which a hostile server could send gigabytes', () => {
  const census = new Census();
  census.countServer('x'.repeat(257));
  expect(census.report().methods).toEqual({ '<-other': 1 });
});
