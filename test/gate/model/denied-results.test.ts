import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { type DeniedByModel, DeniedResults } from '../../../src/gate/model/denied-results.ts';
import type { DeniedResultRecord } from '../../../src/gate/ports/records.ts';
import { Recorder } from '../../../src/gate/recorder.ts';
import { createTestSink } from '../../support/sink.ts';

const denied = (id: string): DeniedByModel => ({
  server: 'native',
  tool: 'Bash',
  intercepted: {
    dialect: 'anthropic',
    request: 'r.1',
    id,
    name: 'Bash',
    runBy: 'client',
    serverType: undefined,
    serverAddress: undefined,
    fingerprint: undefined,
    problem: undefined,
  },
});

/** Tells which of these results are of denied calls, by the ids of the calls. */
function create(): {
  readonly results: DeniedResults;
  readonly told: () => readonly DeniedResultRecord[];
  readonly warnings: string[];
} {
  const { sink, deniedResults } = createTestSink();
  const warnings: string[] = [];
  const clock = { now: () => 7, elapsed: () => 0 };
  const ports = { clock, sink, session: () => 's', warn: (line: string) => void warnings.push(line) };
  const recorder = new Recorder(ports);
  const results = new DeniedResults(ports, recorder);
  const told = (): readonly DeniedResultRecord[] => {
    recorder.close();
    return deniedResults;
  };
  return { results, told, warnings };
}

it('a result of a denied call is told once, also where the call is denied again', () => {
  const { results, told, warnings } = create();
  results.deny(denied('a'));
  for (const id of ['b', 'a', 'a']) results.note([id], `r.${id}`);
  results.deny(denied('a'));
  results.note(['a'], 'r.9');
  expect(told()).toEqual([{ ...denied('a'), time: 7, session: 's', request: 'r.a' }]);
  expect(warnings).toEqual([expect.stringContaining('"Bash"')]);
});

it('an id that an allowed call has, too, says nothing, whichever came first', () => {
  const { results, told } = create();
  results.allow('a');
  results.deny(denied('a'));
  results.deny(denied('b'));
  results.allow('b');
  for (const id of ['a', 'b']) results.note([id], 'r.2');
  expect(told()).toEqual([]);
});

it('an id that a result had before says nothing, as where ids are counted and a conversation is resumed', () => {
  const { results, told } = create();
  results.note(['call_0'], 'r.1');
  results.deny(denied('call_0'));
  results.note(['call_0'], 'r.2');
  expect(told()).toEqual([]);
});

it('a call without an id is none that a result could be of', () => {
  const { results, told } = create();
  results.deny(denied(''));
  results.note([''], 'r.2');
  expect(told()).toEqual([]);
});

it('the last 4096 are remembered', () => {
  const { results, told } = create();
  for (let at = 0; at < 4097; at++) results.deny(denied(`${at}`));
  for (const id of ['0', '1', '4096']) results.note([id], 'r.2');
  expect(told().map(({ intercepted }) => intercepted.id)).toEqual(['1', '4096']);
});

it('nothing is remembered of the texts that they were part of', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { results, told } = create();
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < 20; at++) {
    const text = `call_${at}_of_an_answer ${'x'.repeat(1 << 20)}`;
    const { intercepted } = denied(text.slice(0, 20));
    results.deny({
      server: text.slice(1, 20),
      tool: text.slice(2, 20),
      intercepted: { ...intercepted, name: text.slice(3, 20) },
    });
    results.note([text.slice(4, 24)], 'r.2');
  }
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10 << 20);
  results.note(['call_0_of_an_answer '], 'r.2');
  expect(told()).toHaveLength(1);
});

it('what could not be recorded is recorded with the next request that has it, and warned of once', () => {
  const { sink, deniedResults } = createTestSink();
  const warnings: string[] = [];
  const ports = {
    clock: { now: () => 7, elapsed: () => 0 },
    session: () => 's',
    warn: (line: string) => void warnings.push(line),
  };
  let isFull = true;
  const failing = Object.assign(Object.create(sink) as typeof sink, {
    commit: () => {
      if (isFull) throw new Error('the disk is full');
      sink.commit();
    },
  });
  const recorder = new Recorder({ ...ports, sink: failing });
  const results = new DeniedResults({ ...ports, sink: failing }, recorder);
  results.deny(denied('a'));
  // Both wait for the one record.
  expect([results.note(['a', 'a'], 'r.1'), results.note(['a'], 'r.2')]).toEqual(['recorded', 'recorded']);
  expect(recorder.close()).toBe(false);
  isFull = false;
  expect(results.note(['a'], 'r.3')).toBe('recorded');
  expect(recorder.close()).toBe(true);
  expect(results.note(['a'], 'r.4')).toBe('nothing');
  expect(deniedResults.map(({ request }) => request)).toEqual(['r.3']);
  expect(warnings.filter((line) => line.includes('"Bash"'))).toHaveLength(1);
});
