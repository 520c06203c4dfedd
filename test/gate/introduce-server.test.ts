import { expect, it } from 'vitest';
import { introduceServer } from '../../src/gate/introduce-server.ts';
import { testSetup } from '../support/gate.ts';
import { MemoryRegistry } from '../support/memory-registry.ts';
import { createTestSink } from '../support/sink.ts';

const identity = (fingerprint: string) => () => ({ type: 'stdio' as const, text: `{"command":"${fingerprint}"}`, fingerprint });

it('trusts how a server is started first, tells of another way each time, and does not trust it', () => {
  const registry = new MemoryRegistry();
  const { sink, serversChanged } = createTestSink();
  const start = (fingerprint: string): void => {
    introduceServer(testSetup('', { registry, sink }, { identity: identity(fingerprint) }));
    sink.commit();
  };
  start('a');
  start('a');
  expect([registry.server('files'), serversChanged]).toEqual(
    [{ pinned: 'a', seen: 'a' }, []].map((one) => expect.objectContaining(one) as unknown),
  );
  start('b');
  start('b');
  expect(registry.server('files')).toMatchObject({ pinned: 'a', seen: 'b' });
  expect(serversChanged.map(({ previous, next }) => [previous, next])).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
});

it('trusts nothing by itself where the policy says so', () => {
  const registry = new MemoryRegistry();
  introduceServer(testSetup('[pinning]\ntrust_first_use = false', { registry }, { identity: identity('a') }));
  expect(registry.server('files')).toMatchObject({ pinned: undefined, seen: 'a' });
});
