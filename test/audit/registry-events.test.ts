import { describe, expect, it } from 'vitest';
import { findDifferingColumns } from '../../src/audit/event-columns.ts';
import { changedEvent, seenEvent, serverChangedEvent } from '../../src/audit/registry-events.ts';
import type { Detection } from '../../src/core/detect/types.ts';
import type { AuditEvent } from '../../src/gate/ports/ports.ts';
import type { ChangedRecord, SeenRecord, ServerChangedRecord } from '../../src/gate/ports/registry-port.ts';
import { SECRET_SAMPLES } from '../core/dlp/secret-samples.ts';

const WHERE = { time: Date.UTC(2026, 0, 2), session: 's', server: 'files', serverType: 'stdio' } as const;

const SEEN: SeenRecord = {
  ...WHERE,
  kind: 'tool',
  name: 'read_file',
  fingerprint: 'sha256:aa',
  description: 'Reads.',
  status: 'new',
  renamedFrom: undefined,
  lookAlikes: [],
  problem: undefined,
  detections: undefined,
};

const CHANGED: ChangedRecord = {
  ...WHERE,
  kind: 'tool',
  name: 'read_file',
  previous: 'sha256:aa',
  next: 'sha256:bb',
  changes: [{ field: 'description', previous: 'Reads a "file".\n', next: 'b', isPlain: true }],
  action: 'deny',
  detections: undefined,
};

const SERVER_CHANGED: ServerChangedRecord = {
  ...WHERE,
  previous: 'sha256:aa',
  next: 'sha256:bb',
  changes: [{ field: 'args[1]', previous: undefined, next: 'b', isPlain: true }],
  action: 'alert',
};

const FOUND: Detection = {
  rule: 'credential_theft.key',
  family: 'credential_theft',
  severity: 'critical',
  description: 'reads a key',
  field: 'description',
  matches: [{ text: '~/.ssh/id_rsa', position: 6, context: 'first ~/.ssh/id_rsa' }],
};

const FOUND_FIELDS = {
  pattern: 'credential_theft.key',
  category: 'credential_theft',
  severity: 'critical',
  description: 'reads a key',
  matches: [{ text: '~/.ssh/id_rsa', position: 6, context: 'first ~/.ssh/id_rsa' }],
  field: 'description',
};

const TOKEN = SECRET_SAMPLES[0]?.secret ?? '';

function fieldsOf({ body }: AuditEvent): Record<string, unknown> {
  return JSON.parse(body) as Record<string, unknown>;
}

function differing(event: AuditEvent): string[] {
  const { type, time, session, server, tool, action, severity } = event;
  const columns = { type, time, session, server, tool: tool ?? null, action: action ?? null, severity: severity ?? null };
  return findDifferingColumns(columns, event.body);
}

describe('seenEvent', () => {
  it('says what was listed', () => {
    const event = seenEvent(SEEN);
    expect(fieldsOf(event)).toEqual({
      type: 'mcp_tool_seen',
      timestamp: '2026-01-02T00:00:00.000Z',
      session_id: 's',
      server_id: 'files',
      server_type: 'stdio',
      kind: 'tool',
      tool_name: 'read_file',
      tool_hash: 'sha256:aa',
      description: 'Reads.',
      status: 'new',
      inspectors: ['registry'],
      skipped: [],
    });
    expect([event.tool, event.action, differing(event)]).toEqual(['read_file', undefined, []]);
  });

  it('says where a name comes from, what it looks like, and what was wrong', () => {
    const lookAlikes = [{ server: 'bank', name: 'rеad_file' }];
    expect(fieldsOf(seenEvent({ ...SEEN, lookAlikes, renamedFrom: 'old', problem: 'listed twice' }))).toMatchObject({
      look_alikes: [{ server_id: 'bank', tool_name: 'rеad_file' }],
      renamed_from: 'old',
      problem: 'listed twice',
    });
  });

  it('says what was found in it, or that nothing was; neither where it was not looked at', () => {
    expect(fieldsOf(seenEvent({ ...SEEN, detections: [] }))).toMatchObject({ detections: [], max_severity: null });
    expect(fieldsOf(seenEvent({ ...SEEN, detections: [FOUND, { ...FOUND, severity: 'low' }] }))).toMatchObject({
      detections: [FOUND_FIELDS, { ...FOUND_FIELDS, severity: 'low' }],
      max_severity: 'critical',
    });
    expect(fieldsOf(changedEvent({ ...CHANGED, detections: [FOUND] }))).toMatchObject({ detections: [FOUND_FIELDS] });
  });

  it.each([
    ['resource', { resource_uri: 'n' }],
    ['resource_template', { resource_uri: 'n' }],
    ['prompt', { prompt_name: 'n' }],
    ['instructions', {}],
  ] as const)('%s: it has its name where calls have it', (kind, fields) => {
    const event = seenEvent({ ...SEEN, kind, name: 'n' });
    const { tool_name, resource_uri, prompt_name } = fieldsOf(event);
    expect({ tool_name, resource_uri, prompt_name }).toEqual({ ...fields });
    expect([event.tool, differing(event)]).toEqual([undefined, []]);
  });
});

describe('changedEvent', () => {
  it('says what changed and what became of it, where a denial is a block', () => {
    const event = changedEvent(CHANGED);
    expect(fieldsOf(event)).toMatchObject({
      type: 'mcp_tool_changed',
      previous_hash: 'sha256:aa',
      new_hash: 'sha256:bb',
      changes: [{ field: 'description', previous: 'Reads a "file".\n', new: 'b' }],
      action: 'block',
    });
    expect([event.action, differing(event)]).toEqual(['block', []]);
  });

  it.each(['alert', 'hide', 'prompt'] as const)('%s', (action) => {
    const event = changedEvent({ ...CHANGED, action });
    expect([event.action, fieldsOf(event)['action'], differing(event)]).toEqual([action, action, []]);
  });
});

describe('serverChangedEvent', () => {
  it('says how it is started now', () => {
    const event = serverChangedEvent(SERVER_CHANGED);
    expect(fieldsOf(event)).toMatchObject({
      type: 'mcp_server_changed',
      changes: [{ field: 'args[1]', new: 'b' }],
      action: 'alert',
    });
    expect(differing(event)).toEqual([]);
  });
});

it('no secret gets through, wherever a server has put it', () => {
  const told = `before ${TOKEN} after`;
  const changes = [{ field: told, previous: told, next: told }];
  const events = [
    seenEvent({
      ...SEEN,
      name: told,
      description: told,
      renamedFrom: told,
      problem: told,
      lookAlikes: [{ server: told, name: told }],
    }),
    changedEvent({ ...CHANGED, name: told, changes }),
    serverChangedEvent({ ...SERVER_CHANGED, server: told, changes }),
  ];
  expect(TOKEN.length).toBeGreaterThan(8);
  expect(events.filter((event) => JSON.stringify(event).includes(TOKEN))).toEqual([]);
  expect(events.flatMap(differing)).toEqual([]);
});

it('what is long is cut, and said to be, once for each field', () => {
  const long = 'x'.repeat(5000);
  const event = changedEvent({
    ...CHANGED,
    changes: Array.from({ length: 50 }, () => ({ field: 'a', previous: long, next: '"b"' })),
  });
  expect(event.body.length).toBeLessThan(70_000);
  expect(fieldsOf(event)['skipped']).toEqual([{ what: 'changes.previous', why: 'too_long' }]);
});
