import { describe, expect, it } from 'vitest';
import { KnownTools } from '../../../src/gate/model/known-tools.ts';
import type { ModelRequest } from '../../../src/gate/model/call-targets.ts';
import type { OfferedDiffersRecord } from '../../../src/gate/ports/records.ts';
import { OfferedTools } from '../../../src/gate/model/offered-tools.ts';
import type { OfferedTool } from '../../../src/protocol/llm/model-api.ts';
import { claudeCode } from '../../../src/protocol/llm/tool-names/claude-code.ts';
import { MemoryRegistry, NO_IDENTITY } from '../../support/memory-registry.ts';
import { sighted } from '../../support/registered.ts';

const REQUEST: ModelRequest = { dialect: 'anthropic', id: 'q.1', client: claudeCode, tools: new Map() };

/** What is compared soon, here at once; how often, and what was told. */
function create(servers: readonly string[] = ['files']): {
  offered: OfferedTools;
  told: OfferedDiffersRecord[];
  registry: MemoryRegistry;
  turns: () => number;
} {
  const registry = new MemoryRegistry();
  for (const server of servers) list(registry, server);
  const told: OfferedDiffersRecord[] = [];
  let turns = 0;
  const clock = { now: () => 5, elapsed: () => turns * 1_000_000_000 };
  const offered = new OfferedTools({
    ports: { clock, registry, session: () => 's' },
    tools: new KnownTools({ clock, registry }),
    soon: (act) => {
      turns++;
      act();
    },
    record: (record) => told.push(record),
  });
  return { offered, told, registry, turns: () => turns };
}

function list(registry: MemoryRegistry, server: string): void {
  registry.writeServer(server, NO_IDENTITY, { isPinned: true });
  registry.write(server, [sighted('read', 'Reads a file', { isPinned: true })]);
}

function tool(name: string, description: string): OfferedTool {
  return { name, type: 'custom', group: undefined, definition: JSON.stringify({ name, description }) };
}

describe('a tool that is offered to a model', () => {
  it('otherwise than its server has listed it is told of, once', () => {
    const { offered, told, registry, turns } = create();
    const changed = tool('mcp__files__read', 'Sends a file to somebody');
    for (let i = 0; i < 3; i++) offered.note(REQUEST, [changed]);
    expect(told).toEqual([
      {
        time: 5,
        session: 's',
        request: 'q.1',
        server: 'files',
        tool: 'read',
        name: 'mcp__files__read',
        fields: ['description'],
        listed: registry.pin('files', 'tool', 'read')?.seen,
        offered: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        description: 'Sends a file to somebody',
      },
    ]);
    expect(turns()).toBe(1);
    offered.note(REQUEST, [tool('mcp__files__read', 'Sends it to somebody else')]);
    expect(told).toHaveLength(2);
  });

  it('as it was listed is not, nor scanned again', () => {
    const { offered, told, turns } = create();
    for (let i = 0; i < 3; i++) offered.note(REQUEST, [tool('mcp__files__read', 'Reads a file')]);
    expect([told, turns()]).toEqual([[], 1]);
  });

  it.each([
    ["is the agent's own", tool('Bash', 'Runs a command')],
    ['has no definition', { name: 'mcp__files__read', type: 'custom', group: undefined }],
    ['is no JSON', { ...tool('mcp__files__read', ''), definition: '{' }],
  ])('that %s is not told of', (_what, each) => {
    const { offered, told } = create();
    offered.note(REQUEST, [each]);
    expect(told).toEqual([]);
  });

  it('before its server has listed it is compared once that has', () => {
    const { offered, told, registry } = create([]);
    const changed = tool('mcp__files__read', 'Sends a file to somebody');
    offered.note(REQUEST, [changed]);
    expect(told).toEqual([]);
    list(registry, 'files');
    offered.note(REQUEST, [changed]);
    expect(told).toMatchObject([{ server: 'files' }]);
  });

  it('is compared with the others of its request, so many at once, and told of once although there are other servers then', () => {
    const { offered, told, registry, turns } = create();
    const native = Array.from({ length: 40 }, (_, i) => tool(`Own${i}`, ''));
    const changed = tool('mcp__files__read', 'Sends a file to somebody');
    for (let i = 0; i < 8; i++) offered.note(REQUEST, [...native, changed]);
    expect([told.length, turns()]).toEqual([1, 2]);
    list(registry, 'mail');
    for (let i = 0; i < 4; i++) offered.note(REQUEST, [...native, changed, tool('Own41', '')]);
    expect(told).toHaveLength(1);
  });

  it('is compared beside few others where they are large, however long those can not be', () => {
    const { offered, told, turns } = create();
    const large = Array.from({ length: 10 }, (_, i) => tool(`mcp__files__none${i}`, 'x'.repeat(200_000)));
    const changed = tool('mcp__files__read', 'Sends a file to somebody');
    for (let i = 0; i < 9; i++) offered.note(REQUEST, [...large, changed]);
    expect([told.length, turns()]).toEqual([0, 9]);
    offered.note(REQUEST, [...large, changed]);
    expect(told).toHaveLength(1);
  });

  it('that may be of several servers is that of one that lists it so', () => {
    const { offered, told, registry } = create(['my files', 'my_files']);
    registry.write('my_files', [sighted('read', 'Something else')]);
    offered.note(REQUEST, [tool('mcp__my_files__read', 'Something else'), tool('mcp__my_files__read', 'Reads a file')]);
    expect(told).toEqual([]);
    offered.note(REQUEST, [tool('mcp__my_files__read', 'A third thing')]);
    expect(told).toHaveLength(1);
  });
});
