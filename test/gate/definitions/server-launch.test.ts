import { expect, it } from 'vitest';
import { ServerLaunch } from '../../../src/gate/definitions/server-launch.ts';
import { testSetup } from '../../support/gate.ts';
import { MemoryRegistry } from '../../support/memory-registry.ts';
import { createTestSink } from '../../support/sink.ts';

const identity = (name: string) => () => ({
  type: 'stdio' as const,
  text: `{"args":["${name}"]}`,
  fingerprint: `sha256:${name}`,
});

function starting(pinning = '') {
  const registry = new MemoryRegistry();
  const { sink, serversChanged } = createTestSink();
  const warnings: string[] = [];
  const ports = { registry, sink, warn: (line: string): unknown => warnings.push(line) };
  const start = (name: string): ServerLaunch => {
    const launch = new ServerLaunch(testSetup(pinning, ports, { identity: identity(name) }));
    launch.introduce();
    sink.commit();
    return launch;
  };
  return { registry, start, serversChanged, warnings };
}

it('trusts how a server is started first, and tells of another way each time', () => {
  const { registry, start, serversChanged, warnings } = starting('[pinning]\non_change = "prompt"');
  expect([start('a').refusal, start('a').scope, serversChanged]).toEqual([undefined, 'files', []]);
  const refused = [start('b'), start('b')];
  const own = { server: 'files', launch: 'sha256:b' };
  expect(refused.map(({ scope, trustsFirstUse }) => [scope, trustsFirstUse])).toEqual([
    [own, false],
    [own, false],
  ]);
  expect(refused[0]?.refusal).toEqual({ of: 'launch', fingerprint: 'sha256:b', fields: ['args[0]'] });
  const event = { server: 'files', serverType: 'stdio', previous: 'sha256:a', next: 'sha256:b', action: 'prompt' };
  expect(serversChanged).toMatchObject([event, event]);
  expect(serversChanged[0]?.changes.map(({ field }) => field)).toEqual(['args[0]']);
  expect(warnings[0]).toContain('clawai approve --server files --launch b');
  expect([registry.server('files'), registry.server(own)]).toMatchObject([
    { pinned: 'sha256:a', seen: 'sha256:a' },
    { pinned: undefined, seen: 'sha256:b' },
  ]);
});

it('trusts several launches of one name, each with its own pins, and refuses a third', () => {
  const { registry, start } = starting();
  start('a');
  const { scope } = start('b');
  registry.writeServer(scope, identity('b')(), { isPinned: true });
  expect([start('b').refusal, start('b').trustsFirstUse, start('a').refusal]).toEqual([undefined, true, undefined]);
  expect(start('c').refusal).toMatchObject({ of: 'launch' });
});

it('trusts nothing by itself where the policy says so, and refuses nothing as long as nothing is trusted', () => {
  const { registry, start } = starting('[pinning]\ntrust_first_use = false');
  const { scope, refusal, trustsFirstUse } = start('a');
  expect([scope, refusal, trustsFirstUse, registry.server('files')?.pinned]).toEqual(['files', undefined, false, undefined]);
  expect([start('b').refusal, start('b').scope]).toEqual([undefined, { server: 'files', launch: 'sha256:b' }]);
});

it('notes who uses a server once a minute, and anew where the client says another name', () => {
  const { registry, start } = starting();
  const launch = start('a');
  for (const client of ['', 'cursor', 'cursor']) launch.noteUse(client);
  expect(registry.uses.map(({ client }) => client)).toEqual(['', 'cursor']);
});
