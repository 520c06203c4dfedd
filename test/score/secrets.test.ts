import { expect, it } from 'vitest';
import type { CorpusRow } from './corpus.ts';
import { formatSecretsScore, scoreSecrets } from './secrets.ts';

const row = (payload: unknown, isMalicious = false): CorpusRow => ({
  place: 'x',
  kind: 'tool_result',
  technique: '',
  isMalicious,
  payload,
  fields: {},
});

it('counts benign rows in which something is found, by group', () => {
  const score = scoreSecrets([
    row('nothing'),
    row({ content: [{ type: 'text', text: 'mail a@corp.example' }] }),
    row({ password: ['x'] }),
    row('password=hunter2 and card 4539578763621486'),
    row('password=hunter2', true),
  ]);
  expect(score.rows).toEqual(new Map([['tool_result', 4]]));
  expect(formatSecretsScore(score)).toMatch(/tool_result +keys +4 +2 +50/);
  expect(formatSecretsScore(score)).toMatch(/tool_result +cards +4 +1 +25/);
  expect(formatSecretsScore(score)).toMatch(/tool_result +email +4 +1 +25/);
});
