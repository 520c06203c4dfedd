import { expect, it } from 'vitest';
import { SightingsById } from '../../../src/gate/model/kept-sightings.ts';
import { MemorySightings } from '../../support/memory-sightings.ts';

const CALL = { server: 'files', tool: 'read', args: { path: 'a' } };
const ID = 'toolu_01A09q90qw90lq917835lq9';
const SIGHTING = { record: 'r.1', time: 1, toolUseId: ID, isDenied: false, granted: undefined };

it('a session that nobody has named knows calls by their ids alone', () => {
  const all = new MemorySightings();
  const byId = new SightingsById(all);
  byId.add('s', CALL, SIGHTING);
  expect(byId.of()).toEqual([]);
  expect(byId.named(CALL, ID)).toMatchObject([{ session: 's', record: 'r.1' }]);
  byId.remove('s', CALL, byId.named(CALL, ID)[0]?.n ?? 0);
  expect(all.left).toEqual([]);
});

it('and notes none that others may have, too', () => {
  const all = new MemorySightings();
  new SightingsById(all).add('s', CALL, { ...SIGHTING, toolUseId: 'call_0' });
  expect(all.left).toEqual([]);
});
