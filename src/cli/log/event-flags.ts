import { EVENT_TYPES } from '../../audit/event-types.ts';
import { compileGlob, findGlobFault, type Glob } from '../../core/patterns/glob.ts';

import { SEVERITIES, type EventQuery } from '../../store/reading/read-query.ts';
import { suggestName } from '../../suggest.ts';
import { contradiction, type Parsed, usageError } from '../command.ts';

/** Shown without --limit and --all: more than a screen, less than a minute of reading. */
export const DEFAULT_LIMIT = 100;
/** The places of so many events are kept in memory while they are printed. */
const MOST_LIMIT = 1_000_000;

/** Flags that choose a time, shared by all commands that read events. */
export const TIME_FLAGS = {
  since: {
    type: 'string',
    hint: 'TIME',
    description: 'Only from this time on: 30s, 15m, 1h or 7d ago, a date, or a date and time.',
  },
  until: { type: 'string', hint: 'TIME', description: 'Only before this time.' },
} as const;

/** Flags that choose calls. */
export const CALL_FLAGS = {
  session: { type: 'string', hint: 'ID', description: 'Only this session.' },
  server: { type: 'string', hint: 'GLOB', description: 'Only servers of this name.' },
  tool: { type: 'string', hint: 'GLOB', description: 'Only tools of this name.' },
  action: { type: 'enum', options: ['allow', 'block'], description: 'Only calls with this outcome.' },
  ...TIME_FLAGS,
  limit: { type: 'string', letter: 'n', hint: 'N', description: `Print the newest N (${DEFAULT_LIMIT}).` },
  all: { type: 'boolean', description: 'Print all, however many there are.' },
  json: { type: 'boolean', description: 'Print each as it is stored, one JSON object a line.' },
} as const;

/** Flags that choose events of all types. */
export const EVENT_FLAGS = {
  type: { type: 'string', hint: 'TYPE[,TYPE…]', description: 'Only events of these types.' },
  severity: { type: 'enum', options: SEVERITIES, description: 'Only this severity and worse ones.' },
  ...CALL_FLAGS,
  action: {
    type: 'enum',
    options: ['allow', 'block', 'alert', 'hide', 'redact', 'prompt'],
    description: 'Only this outcome; a call has allow or block.',
  },
} as const;

/** Flags that choose detections. */
export const DETECTION_FLAGS = {
  session: CALL_FLAGS.session,
  server: CALL_FLAGS.server,
  tool: CALL_FLAGS.tool,
  rule: { type: 'string', hint: 'GLOB', description: 'Only findings of the detection rules of this name.' },
  severity: EVENT_FLAGS.severity,
  action: EVENT_FLAGS.action,
  ...TIME_FLAGS,
  limit: CALL_FLAGS.limit,
  all: CALL_FLAGS.all,
  json: CALL_FLAGS.json,
} as const;

/** Flags that narrow any view of the record. */
export const LOG_FLAGS = { type: EVENT_FLAGS.type, ...DETECTION_FLAGS } as const;

/** A note in the help of commands that have these flags. */
export const FILTER_NOTE =
  'GLOB is a name; * in it stands for any characters but /, ** for any characters, ? for one. If TIME is a date, its midnight counts, in local time unless it names a zone.';
export const ACTION_NOTE =
  'ACTION is the outcome. Calls have allow or block; if the decision differs, as in observe mode, it follows in brackets. Findings and changed definitions have alert, block, hide, redact or prompt, and allow if the policy suppresses them.';
export const TYPES_NOTE = `Types: ${EVENT_TYPES.join(', ')}.`;

type Times = Partial<Parsed<typeof TIME_FLAGS>['flags']>;
export type Filters = Times & Partial<Parsed<typeof EVENT_FLAGS>['flags']> & Partial<Parsed<typeof DETECTION_FLAGS>['flags']>;

/**
 * The query of these flags, without its limit. Throws ClawaiError `usage`.
 *
 * @param now milliseconds since the epoch
 */
export function toQuery(flags: Filters, now: number): EventQuery {
  return {
    types: flags.type === undefined ? undefined : parseTypes(flags.type),
    session: flags.session,
    server: toGlob('server', flags.server),
    tool: toGlob('tool', flags.tool),
    rule: toGlob('rule', flags.rule),
    action: flags.action,
    severity: flags.severity,
    ...toTimes(flags, now),
  };
}

/** The bounds in time. Throws ClawaiError `usage`. */
export function toTimes(flags: Times, now: number): Pick<EventQuery, 'since' | 'until'> {
  const since = flags.since === undefined ? undefined : parseTime('since', flags.since, now);
  const until = flags.until === undefined ? undefined : parseTime('until', flags.until, now);
  if (since !== undefined && until !== undefined && since >= until) {
    throw usageError('--since is not before --until', 'nothing can lie between them');
  }
  return { since, until };
}

/** The most events that are asked for; undefined: all. Throws ClawaiError `usage`. */
export function toLimit({ limit, all }: { readonly limit: string | undefined; readonly all: boolean }): number | undefined {
  if (limit === undefined) return all ? undefined : DEFAULT_LIMIT;
  if (all) throw contradiction('--limit and --all');
  const count = /^\d{1,7}$/.test(limit) ? Number(limit) : 0;
  if (count < 1 || count > MOST_LIMIT) {
    throw usageError(
      `--limit: ${JSON.stringify(limit)} is no number from 1 to ${MOST_LIMIT}`,
      '--all shows however many there are',
    );
  }
  return count;
}

function parseTypes(text: string): string[] {
  return text.split(',').map((word) => {
    const type = word.trim();
    if (EVENT_TYPES.some((known) => known === type)) return type;
    const meant = suggestName(type, EVENT_TYPES);
    const hint = meant === undefined ? `types: ${EVENT_TYPES.join(', ')}` : `did you mean ${meant}?`;
    throw usageError(`--type: ${JSON.stringify(type)} is unknown`, hint);
  });
}

function toGlob(flag: string, pattern: string | undefined): Glob | undefined {
  if (pattern === undefined) return undefined;
  const fault = findGlobFault(pattern);
  if (fault !== undefined) throw usageError(`--${flag}: ${fault}`, 'write a name, or a glob such as get_*');
  return compileGlob(pattern);
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 7 * 86_400_000],
]);
const DURATION = /^(\d{1,9})([smhdw])$/;
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,3})\d*)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Reads a point in time: a duration back from `now` (`30s`, `15m`, `1h`, `7d`, `2w`), or an ISO date or date-time, which is local
 * where it names no zone; a date is its midnight.
 *
 * @param now milliseconds since the epoch, as is the result
 * @throws ClawaiError `usage`, which shows the forms
 */
export function parseTime(flag: string, text: string, now: number): number {
  const [, count = '', unit = ''] = DURATION.exec(text) ?? [];
  const worth = UNITS.get(unit);
  if (worth !== undefined) return now - Number(count) * worth;
  const time = parseDateTime(text);
  if (time !== undefined) return time;
  throw usageError(
    `--${flag}: ${JSON.stringify(text)} is no time`,
    'write how long ago (30s, 15m, 1h, 7d), a date (2026-01-31) or a date and time (2026-01-31T18:30, 2026-01-31T18:30:00Z)',
  );
}

function parseDateTime(text: string): number | undefined {
  const match = DATE_TIME.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((digits) => Number(digits ?? 0));
  const millisecond = Number((match[7] ?? '').padEnd(3, '0'));
  // A date that JavaScript would carry over, such as February 30th, is a slip of the pen.
  if (month < 1 || month > 12 || day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const zone = match[8];
  if (zone === undefined) return new Date(year, month - 1, day, hour, minute, second, millisecond).getTime();
  const utc = Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
  if (zone === 'Z') return utc;
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  if (Number(hours) > 14 || Number(minutes) > 59) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '-' ? utc + offset : utc - offset;
}
