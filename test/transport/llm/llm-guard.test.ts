import { expect, it } from 'vitest';
import { ModelRequests, sumRequests } from '../../../src/transport/llm/llm-guard.ts';

it('counts each fate for itself, of one and of several', () => {
  const requests = new ModelRequests();
  for (const fate of ['unchecked', 'checked', 'checked'] as const) requests.count(fate);
  expect(requests.report()).toEqual({ checked: 2, refused: 0, unchecked: 1 });
  expect(sumRequests([requests.report(), { checked: 1, refused: 1, unchecked: 0 }])).toEqual({
    checked: 3,
    refused: 1,
    unchecked: 1,
  });
  expect(sumRequests([])).toEqual({ checked: 0, refused: 0, unchecked: 0 });
});
