import { expect, it } from 'vitest';
import { findDifferingColumns } from '../../src/audit/event-columns.ts';
import { offeredDiffersEvent } from '../../src/audit/model-events.ts';
import type { OfferedDiffersRecord } from '../../src/gate/ports/records.ts';
import { SECRET_SAMPLES } from '../core/dlp/secret-samples.ts';

const RECORD: OfferedDiffersRecord = {
  time: Date.UTC(2026, 0, 2),
  session: 'run-1',
  request: 'q.1',
  server: 'files',
  tool: 'read',
  name: 'mcp__files__read',
  fields: ['description', 'properties'],
  listed: 'sha256:aa',
  offered: 'sha256:bb',
  description: 'Sends a file',
};

it('says what differs, and what the model is told', () => {
  const event = offeredDiffersEvent(RECORD);
  expect(JSON.parse(event.body)).toMatchObject({
    type: 'mcp_tool_definition_differs',
    timestamp: '2026-01-02T00:00:00.000Z',
    session_id: 'run-1',
    server_id: 'files',
    tool_name: 'read',
    model_tool_name: 'mcp__files__read',
    request_id: 'q.1',
    action: 'alert',
    severity: 'medium',
    differs: 'description properties',
    tool_hash: 'sha256:aa',
    offered_hash: 'sha256:bb',
    description: 'Sends a file',
  });
  const { body, ...columns } = event;
  expect(findDifferingColumns(columns as Parameters<typeof findDifferingColumns>[0], body)).toEqual([]);
});

it('keeps no secret', () => {
  const secret = SECRET_SAMPLES[0]?.secret ?? '';
  expect(secret).not.toBe('');
  const event = offeredDiffersEvent({ ...RECORD, description: `use ${secret}`, name: secret, tool: secret });
  expect(JSON.stringify(event)).not.toContain(secret);
});
