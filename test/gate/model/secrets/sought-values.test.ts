import { describe, expect, it } from 'vitest';
import { MOST_SOUGHT, SoughtValues } from '../../../../src/gate/model/secrets/sought-values.ts';

describe('values that are looked for', () => {
  it.each([0, 100])('are found wherever they stand, also among %i others', (count) => {
    const first = new SoughtValues();
    first.add('swordfish', 'password');
    const sought = new SoughtValues(first);
    for (let at = 0; at < count; at++) sought.add(`swordfish-${at + 1000}`, 'password');
    sought.add('hunter22-long', 'token');
    sought.add('hunter22', 'password');
    expect(sought.places('a hunter22-long, swordfish')).toEqual([
      expect.objectContaining({ start: 17, end: 26, value: 'swordfish', kind: 'password' }),
      expect.objectContaining({ start: 2, end: 15, value: 'hunter22-long', kind: 'token' }),
      expect.objectContaining({ start: 2, end: 10, value: 'hunter22', kind: 'password' }),
    ]);
  });

  it('are taken once, if they are long enough, and bounded', () => {
    const first = new SoughtValues();
    const sought = new SoughtValues(first);
    expect([first.add('hunter22', 'password'), sought.add('hunter22', 'token'), sought.add('short', 'token')]).toEqual([
      true,
      false,
      false,
    ]);
    for (let at = 0; at <= MOST_SOUGHT; at++) sought.add(`value-${at}`, 'password');
    expect([sought.size, sought.has('hunter22'), sought.has(`value-${MOST_SOUGHT}`)]).toEqual([MOST_SOUGHT + 1, true, false]);
  });
});
