import { expect, it } from 'vitest';
import { deniedResultEvent } from '../../src/audit/model-events.ts';
import { findDifferingColumns } from '../../src/audit/event-columns.ts';
import type { DeniedResultRecord } from '../../src/gate/ports/records.ts';
import { SECRET_SAMPLES } from '../core/dlp/secret-samples.ts';

const RECORD: DeniedResultRecord = {
  time: Date.UTC(2026, 0, 2),
  session: 's',
  request: 'r.2',
  server: 'github',
  tool: 'create_issue',
  intercepted: {
    dialect: 'anthropic',
    request: 'r.1',
    id: 'toolu_1',
    name: 'mcp__github__create_issue',
    runBy: 'client',
    serverType: 'stdio',
    serverAddress: undefined,
    fingerprint: undefined,
    problem: undefined,
  },
};

it('says whose call it was, and which request has a result of it', () => {
  const event = deniedResultEvent(RECORD);
  expect(JSON.parse(event.body)).toEqual({
    type: 'mcp_denied_call_result',
    timestamp: '2026-01-02T00:00:00.000Z',
    session_id: 's',
    server_id: 'github',
    tool_name: 'create_issue',
    dialect: 'anthropic',
    request_id: 'r.2',
    denied_request_id: 'r.1',
    tool_call_id: 'toolu_1',
    model_tool_name: 'mcp__github__create_issue',
    action: 'alert',
    severity: 'critical',
    reason: 'the client sent a result for a denied call',
    inspectors: [],
    skipped: [],
  });
});

it('its columns say what its text does', () => {
  const { body, ...columns } = deniedResultEvent(RECORD);
  expect(findDifferingColumns(columns as Parameters<typeof findDifferingColumns>[0], body)).toEqual([]);
});

it('a secret in what the model or the client wrote is not kept', () => {
  const secret = SECRET_SAMPLES[0]?.secret ?? '';
  expect(secret).not.toBe('');
  const { intercepted } = RECORD;
  const event = deniedResultEvent({
    ...RECORD,
    tool: `x ${secret}`,
    intercepted: { ...intercepted, id: secret, name: `y ${secret}` },
  });
  expect(JSON.stringify(event)).not.toContain(secret);
});
