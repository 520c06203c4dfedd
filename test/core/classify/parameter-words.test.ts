import { expect, it } from 'vitest';
import {
  ADDRESSES,
  ADDRESSES_LAST,
  OF_MACHINES,
  parameterWords,
  PROGRAMS,
  RECIPIENTS,
  TEXTS,
} from '../../../src/core/classify/parameter-words.ts';
import { splitName } from '../../../src/core/classify/split-name.ts';

it('every name is one as names of parameters are read', () => {
  for (const names of [ADDRESSES, ADDRESSES_LAST, OF_MACHINES, PROGRAMS, RECIPIENTS, TEXTS]) {
    expect([...names].filter((name) => splitName(name).join('_') !== name)).toEqual([]);
  }
  expect(parameterWords()).toEqual(expect.arrayContaining(['webhook', 'email', 'key', 'destination']));
});

it('a path or a query is no address', () => {
  const plain = ['path', 'query', 'name', 'id', 'file', 'source', 'destination', 'from', 'to', 'channel', 'email'];
  expect(plain.filter((name) => ADDRESSES.has(name) || ADDRESSES_LAST.has(name))).toEqual([]);
});
