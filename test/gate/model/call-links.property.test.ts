import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Call } from '../../../src/core/call.ts';
import type { SeenCall } from '../../../src/gate/ports/seen-call-port.ts';
import { MATCH_WINDOW, ServerCallLinks } from '../../../src/gate/model/call-links.ts';
import { MemorySeenCalls } from '../../support/memory-seen-calls.ts';
import { createTestSink } from '../../support/sink.ts';

/** A few of each, so that they are often the same. */
const what = {
  session: fc.constantFrom('s', 't'),
  server: fc.constantFrom('files', 'mail'),
  tool: fc.constantFrom('read', 'send'),
  value: fc.constantFrom(1, 2),
};
const step = fc.oneof(
  fc.record({ ...what, kind: fc.constant('seen'), id: fc.constantFrom('', 'a', 'b'), isDenied: fc.boolean() }),
  fc.record({ ...what, kind: fc.constant('made'), id: fc.constantFrom(undefined, '', 'a', 'b', 'c') }),
  fc.record({ kind: fc.constant('later'), by: fc.integer({ min: 1, max: 2 * MATCH_WINDOW.byArguments }) }),
);

/** What a seen call was of, as the test knows it apart from the code. */
interface Known extends Pick<SeenCall, 'toolUseId' | 'isDenied' | 'time'> {
  readonly of: string;
}

it('of no interleaving of seen calls and calls a seen call is taken twice, nor for another session, server, tool, arguments or id', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const seenCalls = new MemorySeenCalls();
      const known = new Map<string, Known>();
      const taken = new Set<string>();
      let now = 1_700_000_000_000;
      for (const each of steps) {
        if (each.kind === 'later') {
          now += each.by;
          continue;
        }
        const { session, server, tool, value } = each;
        const of = JSON.stringify([session, server, tool, value]);
        const call: Call = { method: 'tools/call', server, tool, args: { value } };
        if ('isDenied' in each) {
          const record = `r.${known.size}`;
          const seenCall = { toolUseId: each.id, isDenied: each.isDenied, time: now };
          known.set(record, { ...seenCall, of });
          seenCalls.add(session, call, { ...seenCall, record, granted: undefined });
          continue;
        }
        const { id } = each;
        const second = new ServerCallLinks({
          clock: { now: () => now, elapsed: () => 0 },
          session: () => session,
          seenCalls: () => seenCalls,
          sink: createTestSink().sink,
          warn: () => {},
        });
        const made: Call = id === undefined ? call : { ...call, extra: { _meta: { callId: id } } };
        const found = second.take(made);
        const isAge = (time: number, most: number): boolean => now - time <= most;
        const fits = [...known].filter(
          ([record, one]) =>
            one.of === of &&
            !taken.has(record) &&
            (id === undefined
              ? !one.isDenied && isAge(one.time, MATCH_WINDOW.byArguments)
              : id !== '' && one.toolUseId === id && isAge(one.time, MATCH_WINDOW.byId)),
        );
        expect(found !== undefined).toBe(fits.length > 0);
        if (found === undefined) continue;
        expect(fits.map(([record]) => record)).toContain(found.record);
        taken.add(found.record);
      }
      expect(seenCalls.left.map(({ record }) => record).some((record) => taken.has(record))).toBe(false);
    }),
    { numRuns: 500 },
  );
});
