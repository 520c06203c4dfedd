import { expect, it } from 'vitest';
import { replacedEvent } from '../../src/audit/events.ts';

it('is an alert of the session and server whose event comes next', () => {
  const next = { type: 'mcp_tool_called', time: 5, session: 's-1', server: 'mail', body: '{}' };
  const { body, ...columns } = replacedEvent(next);
  expect(columns).toEqual({
    type: 'mcp_store_replaced',
    time: 5,
    session: 's-1',
    server: 'mail',
    action: 'alert',
    severity: 'critical',
  });
  expect(JSON.parse(body)).toMatchObject({ type: 'mcp_store_replaced', session_id: 's-1', server_id: 'mail' });
});
