import { countOfThings, formatCount, formatShortTime, isoTime } from '../../terminal/layout.ts';
import { printable, prettyJson } from '../../terminal/text.ts';
import type { DoubtGroup, Example, FlipGroup } from './replay-tally.ts';
import { type Replay, STRICTNESS } from './replay.ts';
import { DOUBTS, type Side } from './verdict.ts';
import { type Paint, painter } from '../../terminal/colour.ts';

/** Kinds of flips that make the exit code 1. `stricter`: to prompt or deny from less; `looser`: the other way. */
export const FAIL_ON = ['any', 'stricter', 'looser', 'none'] as const;
type FailOn = (typeof FAIL_ON)[number];

/** A policy of a replay. */
export interface NamedPolicy {
  readonly file: string;
  readonly hash: string;
  /** `file:line` of its rules, by their names. */
  readonly places: ReadonlyMap<string, string>;
}

/** The outcome of a replay. Everything that is printed, and the exit code, follows from this value. */
export interface ReplayReport {
  readonly policy: NamedPolicy;
  /** The policy to compare with; undefined to compare with the record. */
  readonly against: NamedPolicy | undefined;
  readonly replay: Pick<Replay, 'tally' | 'erased' | 'unreadable' | 'shownUnreadable'>;
  readonly assumed: readonly string[];
}

/** Tells whether there is a flip of the kind that is asked for. */
export function hasFailed({ replay }: ReplayReport, failOn: FailOn): boolean {
  if (failOn === 'none') return false;
  return replay.tally.kinds().some(({ from, to }) => {
    const isStricter = STRICTNESS[to] > STRICTNESS[from];
    return failOn === 'any' || isStricter === (failOn === 'stricter');
  });
}

/** Groups that are shown; `--json` has all of them. */
const MOST_FLIPS = 20;
const MOST_DOUBTS = 10;
/** Characters of a name that are shown; those of a file may be of any length. */
const MOST_NAME = 200;

interface TextOptions {
  readonly colour: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Formats a report for people: one line that sums up, flips, calls that can't be told, and assumptions. */
export function formatTextReport(report: ReplayReport, { colour, now }: TextOptions): string {
  const context = { report, paint: painter({ colour }), now };
  const parts = [
    summarise(context),
    ...showFlips(context),
    ...showDoubts(context),
    ...showNotReplayed(context),
    ...showAssumed(context),
  ];
  return `${parts.join('\n')}\n`;
}

interface Context {
  readonly report: ReplayReport;
  readonly paint: Paint;
  readonly now: number;
}

/** `12,345 calls: 37 would flip (30 allow → deny, 7 prompt → allow), 2 can't be told`. */
function summarise({ report, paint }: Context): string {
  const { tally } = report.replay;
  const kinds = tally.kinds().map(({ from, to, count }) => `${formatCount(count)} ${from} → ${to}`);
  const flips = tally.flips === 0 ? 'none would flip' : `${formatCount(tally.flips)} would flip (${kinds.join(', ')})`;
  const doubts = tally.doubts === 0 ? '' : `, ${formatCount(tally.doubts)} can't be told`;
  const line = `${countOfThings(tally.calls, 'call')}: ${flips}${doubts}`;
  return paint(tally.flips > 0 ? 'red' : tally.doubts > 0 ? 'yellow' : 'green', line);
}

function showFlips(context: Context): string[] {
  const { report, paint } = context;
  const groups = report.replay.tally.groups();
  const lines = groups
    .slice(0, MOST_FLIPS)
    .flatMap((group) => [
      '',
      `${paint('bold', `${group.from.action} → ${group.to.action}`)}  ${countOfThings(group.count, 'call')}  ${nameOf(group)}  ${spanOf(group, context)}`,
      `  now   ${describeSide(group.to, report.policy.places)}`,
      `  ${report.against === undefined ? 'then' : 'old '}  ${describeSide(group.from, report.against?.places)}`,
      ...group.examples.map((example) => `  ${paint('dim', describeExample(example, context))}`),
    ]);
  const more = groups.length - MOST_FLIPS;
  return more > 0 ? [...lines, '', `… and ${countOfThings(more, 'more group')}: --json has all of them`] : lines;
}

function showDoubts(context: Context): string[] {
  const { report, paint } = context;
  const groups = report.replay.tally.doubtGroups();
  if (groups.length === 0) return [];
  const lines = groups
    .slice(0, MOST_DOUBTS)
    .flatMap((group) => [
      `  ${countOfThings(group.count, 'call')}  ${nameOf(group)}  ${DOUBTS[group.why]}`,
      `    ${paint('dim', describeDoubt(group, context))}`,
    ]);
  const more = groups.length - MOST_DOUBTS;
  return ['', paint('yellow', "can't be told"), ...lines, ...(more > 0 ? [`  … and ${countOfThings(more, 'more group')}`] : [])];
}

function describeDoubt({ from }: DoubtGroup, { report }: Context): string {
  const then = report.against === undefined ? 'then' : 'old';
  return `${then} ${from.action} by ${describeSide(from, report.against?.places)}`;
}

function showNotReplayed({ report: { replay } }: Context): string[] {
  const { erased, unreadable, shownUnreadable } = replay;
  const lines: string[] = [];
  if (erased > 0) lines.push('', `${countOfThings(erased, 'event')} not replayed: erased by retention`);
  if (unreadable > 0) {
    lines.push('', `${countOfThings(unreadable, 'event')} not replayed: unreadable`);
    lines.push(...shownUnreadable.map(({ where, problem }) => `  ${printable(where)}: ${printable(problem)}`));
    if (unreadable > shownUnreadable.length) lines.push(`  … and ${formatCount(unreadable - shownUnreadable.length)} more`);
  }
  return lines;
}

function showAssumed({ report: { assumed, replay }, paint }: Context): string[] {
  if (assumed.length === 0 || replay.tally.calls === 0) return [];
  return ['', ...['taken for granted:', ...assumed.map((line) => `  ${printable(line)}`)].map((line) => paint('dim', line))];
}

/** Names the decider, and its place if that is known. */
function describeSide({ by }: Side, places: ReadonlyMap<string, string> | undefined): string {
  const place = places?.get(by);
  const name = showName(by);
  return place === undefined ? name : `${name} (${printable(place)})`;
}

function nameOf({ server, subject }: Pick<FlipGroup, 'server' | 'subject'>): string {
  return `${showName(server)}:${showName(subject)}`;
}

/** Cuts a name, since names come from peers. */
function showName(name: string): string {
  return printable(name.length > MOST_NAME ? `${name.slice(0, MOST_NAME).toWellFormed()}…` : name);
}

function spanOf({ first, last }: FlipGroup, { now }: Context): string {
  const from = formatShortTime(first, now);
  return first === last ? from : `${from} to ${formatShortTime(last, now)}`;
}

function describeExample({ time, session, input, isInputCut }: Example, { now }: Context): string {
  const shown = input === '' ? 'no arguments' : `${input}${isInputCut ? '…' : ''}`;
  return `${formatShortTime(time, now)}  ${showName(session)}  ${printable(shown)}`;
}

/**
 * One object: `{ policy, against, calls, same, flips, cannotTell, kinds, groups, doubts, notReplayed, assumed }`. `groups` and `doubts` have
 * `from` (with `action` and `by`), `server`, `method`, `subject`, `count`, `first`, `last` and `examples`; besides, `groups` have `to`, and `doubts` `why`.
 */
export function formatJsonReport({ policy, against, replay, assumed }: ReplayReport): string {
  const { tally, erased, unreadable, shownUnreadable } = replay;
  const { calls, same, flips, doubts, ungrouped } = tally;
  return prettyJson({
    policy: toFields(policy),
    against: against === undefined ? null : toFields(against),
    calls,
    same,
    flips,
    cannotTell: doubts,
    kinds: tally.kinds(),
    groups: tally.groups().map((group) => ({ ...toGroup(group), to: group.to, place: policy.places.get(group.to.by) ?? null })),
    doubts: tally.doubtGroups().map((group) => ({ ...toGroup(group), why: group.why, because: DOUBTS[group.why] })),
    ungrouped,
    notReplayed: { erased, unreadable, examples: shownUnreadable },
    assumed,
  });
}

function toFields({ file, hash }: NamedPolicy) {
  return { file, hash };
}

function toGroup({ from, server, method, subject, count, first, last, examples }: Omit<FlipGroup, 'to'>) {
  return { from, server, method, subject, count, first: isoTime(first), last: isoTime(last), examples: examples.map(toExample) };
}

function toExample({ id, time, session, input, isInputCut }: Example) {
  return { id, time: isoTime(time), session, input, inputCut: isInputCut };
}
