import { expect, it } from 'vitest';
import { type DeniedByModel, DeniedResults } from '../../src/gate/denied-results.ts';

const denied = (id: string): DeniedByModel => ({
  call: { method: 'tools/call', server: 'native', tool: 'Bash' },
  intercepted: {
    dialect: 'anthropic',
    request: 'r.1',
    id,
    name: 'Bash',
    serverType: undefined,
    serverAddress: undefined,
    fingerprint: undefined,
    problem: undefined,
  },
});

it('a denied call is told once, also where it is denied again', () => {
  const results = new DeniedResults();
  results.deny(denied('a'));
  expect(results.take('b')).toBeUndefined();
  expect(results.take('a')).toEqual(denied('a'));
  expect(results.take('a')).toBeUndefined();
  results.deny(denied('a'));
  expect(results.take('a')).toBeUndefined();
});

it('an id that an allowed call has, too, says nothing, whichever came first', () => {
  const results = new DeniedResults();
  results.allow('a');
  results.deny(denied('a'));
  results.deny(denied('b'));
  results.allow('b');
  for (const id of ['a', 'b']) expect(results.take(id)).toBeUndefined();
});

it('a call without an id is none that a result could be of', () => {
  const results = new DeniedResults();
  results.deny(denied(''));
  expect(results.take('')).toBeUndefined();
});

it('the last 4096 are remembered', () => {
  const results = new DeniedResults();
  for (let at = 0; at < 4097; at++) results.deny(denied(`${at}`));
  expect(results.take('0')).toBeUndefined();
  expect(results.take('1')).toEqual(denied('1'));
});
