import { expect, it } from 'vitest';
import { DROP, FORWARD } from '../../src/gate/verdict.ts';

it('the verdicts without a reply carry no bytes', () => {
  expect([FORWARD, DROP]).toEqual([{ kind: 'forward' }, { kind: 'drop' }]);
});
