import { escapeUnprintable } from '../../terminal/printable.ts';
import type { Example, FlipGroup } from './replay-tally.ts';
import type { NamedPolicy, ReplayReport } from './replay-report.ts';
import { DOUBTS } from './verdict.ts';

/**
 * One object: `{ policy, against, calls, same, flips, cannotTell, kinds, groups, doubts, notReplayed, assumed }`. `groups` and `doubts` have
 * `from` and `to` (each with `action` and `by`), `server`, `method`, `subject`, `count`, `first`, `last` and `examples`; `doubts` have `why` besides.
 */
export function formatJsonReport({ policy, against, replay, assumed }: ReplayReport): string {
  const { tally, erased, unreadable, shownUnreadable } = replay;
  const { calls, same, flips, doubts, ungrouped } = tally;
  const json = JSON.stringify(
    {
      policy: toFields(policy),
      against: against === undefined ? null : toFields(against),
      calls,
      same,
      flips,
      cannotTell: doubts,
      kinds: tally.kinds(),
      groups: tally.groups().map((group) => ({ ...toGroup(group), to: group.to, place: policy.places.get(group.to.by) ?? null })),
      doubts: tally
        .doubtGroups()
        .map((group) => ({ ...toGroup(group), to: group.to, why: group.why, because: DOUBTS[group.why] })),
      ungrouped,
      notReplayed: { erased, unreadable, examples: shownUnreadable },
      assumed,
    },
    null,
    2,
  );
  // Others have chosen names and values, and it may be printed on a terminal.
  return `${json.split('\n').map(escapeUnprintable).join('\n')}\n`;
}

function toFields({ file, hash }: NamedPolicy) {
  return { file, hash };
}

function toGroup({ from, server, method, subject, count, first, last, examples }: Omit<FlipGroup, 'to'>) {
  return { from, server, method, subject, count, first: toIso(first), last: toIso(last), examples: examples.map(toExample) };
}

function toExample({ id, time, session, input, isInputCut }: Example) {
  return { id, time: toIso(time), session, input, inputCut: isInputCut };
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}
