import { expect, it } from 'vitest';
import { bodyEvent, modelRequestsEvent } from '../../src/audit/model-events.ts';
import { findDifferingColumns } from '../../src/audit/event-columns.ts';
import type { BodyRecord } from '../../src/gate/ports/records.ts';

const RECORD: BodyRecord = {
  time: Date.UTC(2026, 0, 2),
  session: 'run-1',
  kind: 'request',
  provider: 'anthropic',
  dialect: 'anthropic',
  request: 'r.7',
  json: '{"model":"some-model","n":1.0}',
  cuts: new Set(['too_large']),
};

it.each([
  ['request', 'llm_request_body'],
  ['answer', 'llm_answer_body'],
] as const)('keeps the %s as it is, with the id that its calls are recorded with', (kind, type) => {
  const event = bodyEvent({ ...RECORD, kind });
  expect(event.body).toContain(`"body":${RECORD.json}`);
  expect(JSON.parse(event.body)).toMatchObject({
    type,
    timestamp: '2026-01-02T00:00:00.000Z',
    session_id: 'run-1',
    provider: 'anthropic',
    dialect: 'anthropic',
    request_id: 'r.7',
    skipped: [{ what: 'body', why: 'too_large' }],
  });
  const { body, ...columns } = event;
  const nulls = { tool: null, action: null, severity: null };
  expect(findDifferingColumns({ ...nulls, ...columns } as Parameters<typeof findDifferingColumns>[0], body)).toEqual([]);
});

it('requests to a model are told by what became of them, as of no server', () => {
  const { body, ...columns } = modelRequestsEvent({ time: 0, session: 's', counts: { checked: 3, refused: 1, unchecked: 0 } });
  expect(columns).toEqual({ type: 'llm_requests_counted', time: 0, session: 's', server: '' });
  expect(JSON.parse(body)).toMatchObject({ requests_checked: 3, requests_refused: 1, requests_unchecked: 0 });
});
