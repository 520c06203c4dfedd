import { expect, it } from 'vitest';
import type { CorpusRow } from './corpus.ts';
import { formatKindsScore, scoreKinds } from './kinds.ts';

const row = (payload: unknown, isMalicious = false): CorpusRow => ({
  place: 'x',
  kind: 'tool_definition',
  technique: 'clean',
  isMalicious,
  payload,
  fields: {},
});

it('counts names once, and what is asked about by the name, by the definition and once called', () => {
  const schema = { properties: { command: { type: 'string' } } };
  const score = scoreKinds([
    row({ name: 'get_x' }),
    row({ name: 'get_x' }),
    row({ name: 'bash' }),
    row({ name: 'delete_repository' }),
    row({ name: 'weather', inputSchema: schema }),
    row({ name: 'delete_note', inputSchema: { properties: { id: { type: 'string' } }, required: ['id'] } }),
    row({ name: 'shell' }, true),
    row('no definition'),
  ]);
  expect(score).toMatchObject({
    benign: 5,
    byName: ['bash', 'delete_repository'],
    byDefinition: ['bash', 'delete_repository', 'weather'],
    byCall: ['bash', 'delete_repository', 'weather', 'delete_note'],
  });
  expect(formatKindsScore(score)).toMatch(/benign, by name +5 +2 +40/);
});
