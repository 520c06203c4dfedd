import { describe, expect, it } from 'vitest';
import { ValueProvenance } from '../../../src/gate/session/value-provenance.ts';
import { drain, drainCounted } from '../../support/drain.ts';

const KEY = new Uint8Array(32).fill(7);
const SECRET = 'rk9_Zt4mQw8bVx2nLp7cYd5sHf3jGu6a';

function remembered(by: ValueProvenance, texts: readonly string[], time: number) {
  return { n: 1, source: 'db.1', server: 'db', time, hashes: drain(by.read('db', texts)).hashes };
}

describe('ValueProvenance', () => {
  it('finds what another process with the same key has read', () => {
    const database = new ValueProvenance(() => KEY);
    const mail = new ValueProvenance(() => KEY);
    mail.add(remembered(database, [`token: ${SECRET}`], 5));
    expect(mail.find({ body: `it is ${SECRET}` }, 'mail')).toMatchObject([{ source: 'db.1', encoding: 'plain' }]);
    expect(mail.find({ body: `it is ${SECRET}` }, 'db')).toEqual([]);
    const other = new ValueProvenance(() => new Uint8Array(32).fill(8));
    other.add(remembered(database, [`token: ${SECRET}`], 5));
    expect(other.find({ body: SECRET }, 'mail')).toEqual([]);
  });

  it('what was said before, to either of them, is none', () => {
    const database = new ValueProvenance(() => KEY);
    database.noteSent('db', { query: SECRET }, 1);
    const mail = new ValueProvenance(() => KEY);
    mail.add(remembered(database, [SECRET], 5));
    expect(mail.find({ body: SECRET }, 'mail')).toEqual([]);
    const told = new ValueProvenance(() => KEY);
    told.noteSent('mail', { body: SECRET }, 1);
    told.add(remembered(new ValueProvenance(() => KEY), [SECRET], 5));
    expect(told.find({ body: SECRET }, 'mail')).toEqual([]);
    // Said only afterwards, it is.
    const late = new ValueProvenance(() => KEY);
    late.noteSent('mail', { body: SECRET }, 6);
    late.add(remembered(new ValueProvenance(() => KEY), [SECRET], 5));
    expect(late.find({ body: SECRET }, 'mail')).toHaveLength(1);
  });

  it('keeps apart what each server was told', () => {
    const one = new ValueProvenance(() => KEY);
    one.noteSent('notes', { body: SECRET }, 1);
    one.add(remembered(one, [SECRET], 5));
    expect(one.find({ body: SECRET }, 'mail')).toHaveLength(1);
    expect(one.find({ body: SECRET }, 'notes')).toEqual([]);
  });

  it('forgets all, and asks for the key only when it is needed', () => {
    let asked = 0;
    const one = new ValueProvenance(() => {
      asked++;
      return KEY;
    });
    one.noteSent('db', { a: 'b' }, 1);
    expect(one.find({ a: 'b' }, 's')).toEqual([]);
    expect(asked).toBe(0);
    one.add(remembered(one, [SECRET], 5));
    one.clear();
    expect(one.find({ a: SECRET }, 'mail')).toEqual([]);
    expect(asked).toBe(1);
  });

  it('holds on to no long arguments, though nothing is answered', () => {
    const one = new ValueProvenance(() => KEY);
    one.noteSent('db', { body: SECRET }, 1);
    one.noteSent('db', { body: `${SECRET} ${' '.repeat(300_000)}` }, 1);
    // What was not kept in mind makes more alarms, and what was, none.
    expect(remembered(one, [SECRET], 5).hashes).toHaveLength(0);
    const other = new ValueProvenance(() => KEY);
    other.noteSent('db', { body: `${SECRET} ${' '.repeat(300_000)}` }, 1);
    expect(remembered(other, [SECRET], 5).hashes.length).toBeGreaterThan(0);
  });

  it('what a server says counts as its own, unless it was told after another said it what nobody kept', () => {
    const ownAt = (time: number, told: readonly [number, number]): number => {
      const one = new ValueProvenance(() => KEY);
      one.add(remembered(one, [SECRET], 5));
      one.noteSent('mail', { body: ' '.repeat(told[1]) }, told[0]);
      one.add({ n: 2, source: 'mail.1', server: 'mail', time, hashes: drain(one.read('mail', [SECRET])).hashes });
      return one.find({ body: SECRET }, 'mail').length;
    };
    expect([ownAt(9, [4, 300_000]), ownAt(9, [6, 300]), ownAt(3, [6, 300_000])]).toEqual([0, 0, 0]);
    expect([ownAt(9, [6, 300_000]), ownAt(9, [6, 20_000])]).toEqual([1, 1]);
  });

  it('reads a long text in steps, and what lies across two of them too', () => {
    for (const at of [32_740, 32_760, 32_768]) {
      const one = new ValueProvenance(() => KEY);
      const text = `${'many words of no account '.repeat(4000).slice(0, at)} ${SECRET} ${'and more of them '.repeat(4000)}`;
      const { value, steps } = drainCounted(one.read('db', [text]));
      expect(steps).toBe(Math.ceil(text.length / 16_384));
      const mail = new ValueProvenance(() => KEY);
      mail.add({ n: 1, source: 'db.1', server: 'db', time: 5, hashes: value.hashes });
      expect(mail.find({ body: SECRET }, 'mail')).toHaveLength(1);
    }
  });

  it('finds nothing in words of a result, however many, and reads the long text among them', () => {
    const one = new ValueProvenance(() => KEY);
    expect(drain(one.read('db', ['ok', 'done', ''])).hashes).toHaveLength(0);
    expect(drain(one.read('db', ['ok', SECRET])).hashes.length).toBeGreaterThan(0);
  });
});
