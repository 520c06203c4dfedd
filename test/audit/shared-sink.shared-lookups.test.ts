import { expect, it } from 'vitest';
import { SharedLookups } from '../../src/audit/shared-sink.ts';
import type { Registry } from '../../src/gate/ports/registry-port.ts';
import { MemoryRegistry } from '../support/memory-registry.ts';

/** A registry that counts how often it is asked. */
function counting(): { readonly registry: Registry; readonly asked: () => number } {
  let asked = 0;
  class Counting extends MemoryRegistry {
    override pin(...of: Parameters<Registry['pin']>): ReturnType<Registry['pin']> {
      asked++;
      return super.pin(...of);
    }
  }
  return { registry: new Counting(), asked: () => asked };
}

it('what is looked up in a transaction is looked up once for all, and anew in the next', () => {
  let transaction: object | undefined = {};
  const { registry, asked } = counting();
  const lookups = new SharedLookups(() => transaction);
  const [one, other] = [lookups.registry(registry), lookups.registry(registry)];
  for (const each of [one, other, one]) expect(each.pin('s', 'tool', 't')).toBeUndefined();
  expect(asked()).toBe(1);
  transaction = {};
  other.pin('s', 'tool', 't');
  expect(asked()).toBe(2);
  transaction = undefined;
  one.pin('s', 'tool', 't');
  one.pin('s', 'tool', 't');
  expect(asked()).toBe(4);
});

it('what is written counts at once, also for the others', () => {
  const transaction = {};
  const { registry } = counting();
  const lookups = new SharedLookups(() => transaction);
  const [one, other] = [lookups.registry(registry), lookups.registry(registry)];
  expect(one.pin('s', 'tool', 't')).toBeUndefined();
  const seen = { kind: 'tool', name: 't', text: '{}', fingerprint: 'sha256:1' } as const;
  other.write('s', [{ kind: 'tool', name: 't', seen, isPinned: true, isListed: true }], 1);
  expect(one.pin('s', 'tool', 't')?.seen).toBe('sha256:1');
});

it('launches that have pins of their own are not taken for each other', () => {
  const transaction = {};
  const { registry, asked } = counting();
  const shared = new SharedLookups(() => transaction).registry(registry);
  const scopes = [{ server: 's', launch: 'a' }, { server: 's', launch: 'b' }, { server: 't', launch: 'a' }, 's', 't'];
  for (const scope of [...scopes, ...scopes]) shared.pin(scope, 'tool', 't');
  expect(asked()).toBe(scopes.length);
});
