import { expect, it } from 'vitest';
import { hookedSession, SeenCallsById } from '../../../src/gate/model/seen-calls.ts';
import { MemorySeenCalls } from '../../support/memory-seen-calls.ts';

const CALL = { server: 'files', tool: 'read', args: { path: 'a' } };
const ID = 'toolu_01A09q90qw90lq917835lq9';
const SEEN_CALL = { record: 'r.1', time: 1, toolUseId: ID, isDenied: false, granted: undefined };

it('a session that nobody has named knows calls by their ids alone', () => {
  const all = new MemorySeenCalls();
  const byId = new SeenCallsById(all);
  byId.add('s', CALL, SEEN_CALL);
  expect(byId.of('s', CALL)).toEqual([]);
  expect(byId.named(CALL, ID)).toMatchObject([{ session: 's', record: 'r.1' }]);
  byId.remove('s', CALL, byId.named(CALL, ID)[0]?.n ?? 0);
  expect(all.left).toEqual([]);
});

it('and notes none that others may have, too', () => {
  const all = new MemorySeenCalls();
  new SeenCallsById(all).add('s', CALL, { ...SEEN_CALL, toolUseId: 'call_0' });
  expect(all.left).toEqual([]);
});

it('but knows by their arguments those that a hook was asked about', () => {
  const byId = new SeenCallsById(new MemorySeenCalls());
  byId.add(hookedSession('s'), CALL, { ...SEEN_CALL, toolUseId: '' });
  expect(byId.of(hookedSession('s'), CALL)).toMatchObject([{ record: 'r.1' }]);
});
