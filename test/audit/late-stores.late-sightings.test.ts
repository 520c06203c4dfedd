import { describe, expect, it } from 'vitest';
import { LateSightings } from '../../src/audit/late-stores.ts';
import { MemorySightings } from '../support/memory-sightings.ts';

const CALL = { server: 'files', tool: 'read', args: { path: 'a' } };
const SIGHTING = { record: 'r.1', time: 1, toolUseId: 't', isDenied: false, granted: undefined };

describe('LateSightings', () => {
  it('are the sightings that there are', () => {
    const there = new MemorySightings();
    const late = new LateSightings((work) => work(there));
    late.add('s', CALL, SIGHTING);
    late.add('s', CALL, { ...SIGHTING, record: 'r.2' });
    expect(late.of('s', CALL)).toEqual(there.of('s', CALL));
    expect(late.named(CALL, 't')).toEqual(there.of('s', CALL));
    late.remove('s', CALL, 1);
    expect(there.left).toEqual([{ ...SIGHTING, session: 's', n: 2, record: 'r.2' }]);
  });

  it('fail where there are none yet', () => {
    const late = new LateSightings(() => {
      throw new Error('not yet');
    });
    expect(() => late.of('s', CALL)).toThrow('not yet');
  });
});
