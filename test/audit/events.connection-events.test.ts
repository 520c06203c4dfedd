import { expect, it } from 'vitest';
import { connectionEvent } from '../../src/audit/events.ts';
import { findDifferingColumns } from '../../src/audit/event-columns.ts';
import type { ConnectionRecord } from '../../src/gate/ports/records.ts';
import { SECRET_SAMPLES } from '../core/dlp/secret-samples.ts';

const RECORD: ConnectionRecord = {
  time: Date.UTC(2026, 0, 2),
  session: 's',
  server: 'mail',
  address: 'mail.example:8443',
  problem: 'another key than the pinned one',
  expected: `sha256:${'a'.repeat(64)}`,
  found: `sha256:${'b'.repeat(64)}`,
};

it('says which key the server should have had, which it had, and that it was refused', () => {
  const event = connectionEvent(RECORD);
  expect(JSON.parse(event.body)).toMatchObject({
    type: 'mcp_network_connection',
    timestamp: '2026-01-02T00:00:00.000Z',
    session_id: 's',
    server_id: 'mail',
    server_type: 'http',
    remote_addr: 'mail.example:8443',
    action: 'block',
    severity: 'critical',
    reason: RECORD.problem,
    expected_fingerprint: RECORD.expected,
    found_fingerprint: RECORD.found,
  });
  expect(event).toMatchObject({ type: 'mcp_network_connection', server: 'mail', action: 'block', severity: 'critical' });
});

it('its columns say what its text does', () => {
  const { body, ...columns } = connectionEvent(RECORD);
  expect(findDifferingColumns({ tool: null, ...columns } as Parameters<typeof findDifferingColumns>[0], body)).toEqual([]);
});

it('a secret in the name or the reason is not kept', () => {
  const secret = SECRET_SAMPLES[0]?.secret ?? '';
  expect(secret).not.toBe('');
  const event = connectionEvent({ ...RECORD, server: `mail ${secret}`, problem: `cannot reach ${secret}` });
  expect(JSON.stringify(event)).not.toContain(secret);
});
