import { expect, it } from 'vitest';
import { readToolFacts } from '../../../src/gate/model/known-tools.ts';
import { MemoryRegistry, NO_IDENTITY } from '../../support/memory-registry.ts';
import { sighted } from '../../support/registered.ts';

it('are those of the definition that was seen last', () => {
  const registry = new MemoryRegistry();
  registry.writeServer('files', NO_IDENTITY, { isPinned: true });
  registry.write('files', [sighted('read', 'a', { isPinned: true })]);
  const facts = readToolFacts(registry, { server: 'files', tool: 'read' });
  expect(facts).toMatchObject({ status: 'pinned', fingerprint: registry.pin('files', 'tool', 'read')?.seen });
  expect(facts.definition()).toEqual(registry.text('files', 'tool', 'read', 'seen'));
  const unknown = readToolFacts(registry, { server: 'files', tool: 'write' });
  expect([unknown.status, unknown.fingerprint, unknown.definition()]).toEqual(['unlisted', undefined, undefined]);
});
