import { expect, it } from 'vitest';
import { Tally } from '../../src/gate/tally.ts';

it('counts by side and method', () => {
  const tally = new Tally();
  tally.countClient('ping');
  tally.countClient('ping');
  tally.countServer('ping');
  tally.countInspected();
  tally.countDecided(true);
  tally.countDecided(false);
  tally.countRefused();
  tally.countUnasked();
  tally.countScan('texts');
  tally.countScan('busy', 3);
  expect(tally.report()).toEqual({
    fromClient: 2,
    fromServer: 1,
    inspected: 1,
    passed: 0,
    refused: 1,
    unasked: 1,
    decided: 2,
    denied: 1,
    results: { read: 0, cut: 0, not_read: 0 },
    scans: { definitions: 0, texts: 1, arguments: 0, cut: 0, busy: 3, failed: 0, binary: 0 },
    methods: { ping: 2, '<-ping': 1 },
  });
});

it('stays small, whatever names peers make up', () => {
  const tally = new Tally();
  for (let i = 0; i < 10_000; i++) tally.countClient(`method-${i}`);
  const { methods, fromClient } = tally.report();
  expect(fromClient).toBe(10_000);
  expect(Object.keys(methods)).toHaveLength(257);
  expect(methods['other']).toBe(10_000 - 256);
});

it('remembers no long names, of which a hostile server could send gigabytes', () => {
  const tally = new Tally();
  tally.countServer('x'.repeat(257));
  expect(tally.report().methods).toEqual({ '<-other': 1 });
});
