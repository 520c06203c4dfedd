import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { chainFaults, storedEvent, storedIds } from '../support/stored.ts';

/** A store that is a few lines long: what was committed, and what the one open transaction sees. */
class Model {
  ids: readonly string[] = [];
  state: ReadonlyMap<string, { value: string; expires: number }> = new Map();
  open: { by: number; ids: string[]; state: Map<string, { value: string; expires: number }> } | undefined;

  begin(by: number): boolean {
    if (this.open !== undefined) return false;
    this.open = { by, ids: [...this.ids], state: new Map(this.state) };
    return true;
  }

  end(isCommit: boolean): void {
    if (isCommit && this.open !== undefined) ({ ids: this.ids, state: this.state } = this.open);
    this.open = undefined;
  }
}

const key = fc.constantFrom('a', 'b', '', 'ü\u{1F600}');
const time = fc.integer({ min: 0, max: 5 });
const step = fc.oneof(
  fc.record({ does: fc.constant('begin'), who: fc.nat(1) }),
  fc.record({ does: fc.constant('append') }),
  fc.record({ does: fc.constant('write'), scope: key, key, value: fc.string(), expires: time }),
  fc.record({ does: fc.constant('read'), scope: key, key, now: time }),
  fc.record({ does: fc.constant('commit') }),
  fc.record({ does: fc.constant('rollback') }),
  fc.record({ does: fc.constant('reopen'), who: fc.nat(1) }),
);

describe('SqliteStore', () => {
  it('does what a list and a map would do, whatever comes in whatever order', () => {
    const folder = mkdtempSync(join(tmpdir(), 'clawai-store-'));
    let run = 0;
    try {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
          const file = join(folder, `${run++}.db`);
          const make = (): SqliteStore => new SqliteStore({ file, writerVersion: '1', sync: 'normal' });
          const stores = [make(), make()];
          const model = new Model();
          const check = (one: (typeof steps)[number], i: number): void => {
            const { open } = model;
            const holder = open === undefined ? undefined : stores[open.by];
            if (one.does === 'begin' && 'who' in one) {
              if (open?.by !== one.who) expect(stores[one.who]?.begin()).toBe(model.begin(one.who));
            } else if (one.does === 'reopen' && 'who' in one) {
              stores[one.who]?.close();
              stores[one.who] = make();
              if (open?.by === one.who) model.end(false);
            } else if (open === undefined || holder === undefined) return;
            else if ('value' in one) {
              holder.write(one.scope, one.key, one.value, one.expires);
              open.state.set(JSON.stringify([one.scope, one.key]), one);
            } else if ('now' in one) {
              const known = open.state.get(JSON.stringify([one.scope, one.key]));
              const expected = known !== undefined && known.expires > one.now ? known.value : undefined;
              expect(holder.read(one.scope, one.key, one.now)).toBe(expected);
            } else if (one.does === 'append') {
              holder.append(storedEvent(String(i)));
              open.ids.push(String(i));
            } else {
              if (one.does === 'commit') holder.commit();
              else holder.rollback();
              model.end(one.does === 'commit');
            }
          };
          for (const [i, one] of steps.entries()) check(one, i);
          for (const store of stores) store.close();
          if (run > 0 && steps.some(({ does }) => does === 'begin')) {
            expect(storedIds(file)).toEqual(model.ids);
            expect(chainFaults(file)).toEqual([]);
          }
        }),
        { numRuns: 60 },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
