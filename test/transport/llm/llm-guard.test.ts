import { expect, it } from 'vitest';
import { ModelRequests, sumRequests } from '../../../src/transport/llm/llm-guard.ts';

it('counts each fate for itself, of one and of several', () => {
  const requests = new ModelRequests();
  for (const fate of ['unlooked', 'looked', 'looked'] as const) requests.count(fate);
  expect(requests.report()).toEqual({ looked: 2, refused: 0, unlooked: 1 });
  expect(sumRequests([requests.report(), { looked: 1, refused: 1, unlooked: 0 }])).toEqual({
    looked: 3,
    refused: 1,
    unlooked: 1,
  });
  expect(sumRequests([])).toEqual({ looked: 0, refused: 0, unlooked: 0 });
});
