import { describe, expect, it } from 'vitest';
import type { Detection, ScanResult } from '../../../src/core/detect/types.ts';
import type { Severity } from '../../../src/core/finding.ts';
import type { Definition, Sight } from '../../../src/core/registry/definition.ts';
import { instructionsDefinition, toDefinition } from '../../../src/core/registry/fingerprint.ts';
import { DefinitionRecorder, readNews } from '../../../src/gate/definitions/definition-news.ts';
import type { GateSetup } from '../../../src/gate/ports/ports.ts';
import { Recorder } from '../../../src/gate/recorder.ts';
import { testSetup } from '../../support/gate.ts';
import { MemoryRegistry } from '../../support/memory-registry.ts';
import { createTestSink, type TestSink } from '../../support/sink.ts';

interface Told {
  readonly setup: GateSetup;
  readonly registry: MemoryRegistry;
  readonly warnings: readonly string[];
  readonly stored: TestSink;
}

function create(pinning = ''): Told {
  const registry = new MemoryRegistry();
  const stored = createTestSink();
  const warnings: string[] = [];
  const ports = { registry, sink: stored.sink, warn: (line: string): unknown => warnings.push(line) };
  return { setup: testSetup(`[pinning]\n${pinning}`, ports), registry, stored, warnings };
}

function tool(name: string, others: Readonly<Record<string, string>> = {}): Definition {
  const definition = toDefinition('tool', { name, ...others });
  if (definition === undefined) throw new Error('it has no name');
  return definition;
}

function trust({ registry }: Told, ...definitions: readonly Definition[]): void {
  const writes = definitions.map((seen) => ({ kind: seen.kind, name: seen.name, seen, isPinned: true as const, isListed: true }));
  registry.write('files', writes);
}

function tell({ setup, stored }: Told, sights: readonly Sight[], problems: readonly string[] = [], result?: ScanResult): void {
  const news = readNews(setup, { scope: setup.server, kind: sights[0]?.definition.kind ?? 'tool', sights, problems });
  const parts = { recorder: new Recorder(setup.ports), launch: { scope: setup.server }, scanResultOf: () => result };
  new DefinitionRecorder(setup, parts).note(news, false);
  stored.sink.commit();
}

describe('news', () => {
  it('says nothing of what is as it was', () => {
    const told = create();
    tell(told, [{ definition: tool('a'), status: 'unchanged' }], ['something']);
    tell(told, []);
    expect([told.stored.seen, told.stored.changed, told.warnings]).toEqual([[], [], []]);
  });

  it('records what is new, returned or as it was trusted again, and troubles nobody with it', () => {
    const told = create();
    const definition = tool('a', { description: 'Does it' });
    tell(
      told,
      [
        { definition, status: 'new', renamedFrom: 'b' },
        { definition: tool('c'), status: 'returned' },
        { definition: tool('d'), status: 'restored' },
      ],
      ['one', 'two'],
    );
    const about = {
      time: 1000,
      session: 's',
      server: 'files',
      serverType: 'stdio',
      kind: 'tool',
      lookAlikes: [],
      problem: 'one; two',
      detections: undefined,
    };
    expect(told.stored.seen).toEqual([
      { ...about, name: 'a', fingerprint: definition.fingerprint, description: 'Does it', status: 'new', renamedFrom: 'b' },
      {
        ...about,
        name: 'c',
        fingerprint: tool('c').fingerprint,
        description: undefined,
        status: 'returned',
        renamedFrom: undefined,
      },
      {
        ...about,
        name: 'd',
        fingerprint: tool('d').fingerprint,
        description: undefined,
        status: 'restored',
        renamedFrom: undefined,
      },
    ]);
    expect([told.stored.changed, told.warnings]).toEqual([[], []]);
  });

  it('names the tools of other servers that a new one looks like', () => {
    const told = create();
    const other = tool('Read_File');
    told.registry.write('other', [{ kind: 'tool', name: other.name, seen: other, isListed: true }]);
    tell(told, [{ definition: tool('read_file'), status: 'new' }]);
    expect(told.stored.seen[0]?.lookAlikes).toEqual([{ server: 'other', name: 'Read_File' }]);
  });

  it.each(['deny', 'hide', 'prompt', 'alert'] as const)(
    'what changed is told member by member, and what becomes of it: %s',
    (action) => {
      const told = create(`on_change = "${action}"`);
      const [before, after] = [tool('a', { description: 'Does it' }), tool('a', { description: 'Obeys' })];
      trust(told, before);
      tell(told, [{ definition: after, status: 'changed', pinned: before.fingerprint }]);
      expect(told.stored.seen).toMatchObject([{ name: 'a', status: 'changed' }]);
      expect(told.stored.changed).toMatchObject([
        { name: 'a', previous: before.fingerprint, next: after.fingerprint, changes: [{ field: 'description' }], action },
      ]);
      expect(told.warnings).toEqual([
        'the tool "a" of "files" changed since it was trusted (description): see clawai mcp registry list, and clawai approve',
      ]);
    },
  );

  it('tells of a few one by one, and how many more', () => {
    const told = create();
    const names = ['a', 'b', 'c', 'd', 'e'];
    tell(
      told,
      names.map((name) => ({ definition: tool(name), status: 'changed', pinned: '' })),
    );
    expect(told.stored.changed).toHaveLength(5);
    expect(told.warnings).toHaveLength(4);
    expect(told.warnings.at(-1)).toBe('2 more definitions of "files" changed: see clawai mcp registry list');
  });

  it('what a server says can not write to the terminal', () => {
    const told = create();
    const before = tool('\u001b[2Ja\n');
    trust(told, before);
    tell(told, [
      { definition: tool('\u001b[2Ja\n', { '\u001b]0;x\u0007': 'y' }), status: 'changed', pinned: before.fingerprint },
    ]);
    expect(told.stored.changed[0]?.changes).toHaveLength(1);
    // oxlint-disable-next-line no-control-regex -- those are what must not be there
    expect(told.warnings.join('')).not.toMatch(/[\u0000-\u001f]/);
  });

  it('instructions have no description, and are named as what they are', () => {
    const told = create();
    const [before, after] = [
      instructionsDefinition('{"description":"Be kind"}'),
      instructionsDefinition('{"description":"Obey"}'),
    ];
    trust(told, before);
    tell(told, [{ definition: after, status: 'changed', pinned: before.fingerprint }]);
    expect(told.stored.seen).toMatchObject([{ kind: 'instructions', name: '', description: undefined, lookAlikes: [] }]);
    expect(told.warnings[0]).toMatch(
      /^the instructions of "files" changed since they were trusted|^the instructions of "files" changed/,
    );
  });
});

describe('what was found in it', () => {
  const found = (rule: string, severity: Severity): Detection => ({
    rule,
    family: 'custom',
    severity,
    description: '',
    field: 'description',
    matches: [],
  });

  it('is recorded with it, but for what the policy is not concerned with', () => {
    const lines =
      'on_change = "deny"\n[detection]\nthreshold = "high"\n[[detection.suppress]]\nserver = "*"\nrule = "exfiltration.*"\nreason = "x"\n';
    const told = create(lines);
    const [before, after] = [tool('a', { description: 'Does it' }), tool('a', { description: 'Obeys' })];
    trust(told, before);
    const detections = [found('exfiltration.b', 'critical'), found('custom.c', 'high'), found('custom.d', 'low')];
    const result = { version: '1', severity: 'critical', isCut: false, detections } as const;
    tell(told, [{ definition: after, status: 'changed', pinned: before.fingerprint }], [], result);
    const rules = [...told.stored.seen, ...told.stored.changed].map((record) => record.detections?.map(({ rule }) => rule));
    expect(rules).toEqual([['custom.c'], ['custom.c']]);
  });
});
