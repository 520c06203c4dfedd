import { EXIT } from '../../errors.ts';
import type { EventQuery } from '../../store/reading/read-query.ts';
import type { StoreReader } from '../../store/reading/read.ts';
import { suggestName } from '../../suggest.ts';
import { contradiction, defineCommand, usageError } from '../command.ts';
import { TIME_FLAGS, toTimes } from '../log/event-flags.ts';
import { openRecorded, STORE_FLAGS } from '../machine/open-store.ts';
import { stdoutLook } from '../terminal/colour.ts';
import { counted, note } from '../terminal/notes.ts';
import { visible, prettyJson } from '../terminal/text.ts';
import { createOutput } from '../terminal/streams.ts';
import type { SessionReport } from './report.ts';
import { summarise, type ReportScope } from './summarise.ts';
import { formatReport } from './text.ts';

/** `clawai report`: what happened in a session, summed up. */

/** A name that stands for the session that was active last. */
const LATEST = 'latest';

/** Columns of the text in a page. */
const PAGE_WIDTH = 100;

export const reportCommand = defineCommand({
  meta: {
    name: 'report',
    description: 'Sum up a session, or all sessions of a time: what was called, denied, changed and found.',
    notes: [
      'Without SESSION, it is about the session that was active last; with --since or --until, about all sessions of that time. A session that went on after a pause has a number (s-1, s-1.2). Its name alone means the newest one, unless a session has exactly that name.',
      '--json prints one object: session_id (null for a time), since, until, started, ended, duration_ms, events, events_erased, events_unreadable, sessions, servers_connected, servers_called, tools_seen, tools_called, tools_changed, calls (total, allowed, denied, observed, and asked by outcome), calls_from_answers (calls that were seen before in the answer of a model), calls_by_url (calls that came by URL, by how their session was found: process, servers of the client, url), model_calls (like calls, for calls that were seen only in an answer), model_requests (checked, refused because nobody could check them, and passed unchecked in observe mode; only of runs that have ended), request_secrets (secrets in requests to models, by kind and mode), flows, flows_total, denials, changes, findings_by_severity, detections_by_severity, top_detections, detections_suppressed, approvals, rate_limits_hit, servers, refused_messages, not_inspected, policies. flows are the ways of values: source (the call whose result had it), the call and its parameter, evidence (its kind, never the value), rule, outcome, answered_by; ways that differ in time alone are one, with a count. Times are ISO 8601 in UTC. A list has at most 50 entries, the most important first. The field of its name with _left_off counts the rest.',
    ],
    exitCodes: { 0: 'done, also if there was nothing', 2: 'there is no such session' },
    examples: ['clawai report', 'clawai report --since 24h', 'clawai report latest --json', 'clawai report --html > report.html'],
  },
  words: { hint: 'SESSION', description: `The session, or \`${LATEST}\`.` },
  args: {
    ...TIME_FLAGS,
    json: { type: 'boolean', description: 'Print one JSON object.' },
    html: { type: 'boolean', description: 'Print a page for a browser, with a drawing of what flowed where.' },
    ...STORE_FLAGS,
  },
  async run({ flags, words }) {
    const now = Date.now();
    const times = toTimes(flags, now);
    const [word, ...more] = words;
    if (more.length > 0) {
      throw usageError('more than one session is named', 'name one, or a time with --since');
    }
    if (flags.json && flags.html) throw contradiction('--json and --html');
    const reader = await openRecorded(flags.config);
    const report = reader === undefined ? summariseNothing(word, times) : read(reader, word, times);
    reader?.close();
    const output = createOutput(process.stdout);
    if (flags.json) await output.write(prettyJson(report));
    else if (flags.html) {
      const { formatPage } = await import('./page.ts');
      const text = formatReport(report, { width: PAGE_WIDTH, colour: false, now });
      await output.write(formatPage(report, report.events > 0 ? text : '', now));
    } else if (report.events > 0) await output.write(formatReport(report, { ...stdoutLook(), now }));
    return EXIT.ok;
  },
});

type Times = Pick<EventQuery, 'since' | 'until'>;

/** Reports on a missing store, which has no session that could be named. */
function summariseNothing(word: string | undefined, times: Times): SessionReport {
  if (word !== undefined && word !== LATEST) findSession(word, new Map());
  return summarise([], { session: undefined, ...times });
}

function read(reader: StoreReader, word: string | undefined, times: Times): SessionReport {
  const isAll = word === undefined && (times.since !== undefined || times.until !== undefined);
  const named = word === undefined || word === LATEST ? undefined : word;
  const session = isAll ? undefined : (named ?? latestOf(reader, times));
  const ofSession = (scope: ReportScope): SessionReport => summarise(counted(reader.events(scope), 'events'), scope);
  // Without a session, only a request with a time is summed up: an empty one must not report everything.
  let report = isAll || session !== undefined ? ofSession({ session, ...times }) : summarise([], { session, ...times });
  if (report.events === 0 && named !== undefined) {
    const sessions = reader.sessions();
    if (!sessions.has(named)) report = ofSession({ session: findSession(named, sessions), ...times });
  }
  if (report.events === 0) {
    const why = reader.lastSeq() === 0 ? 'nothing was recorded yet' : 'nothing was recorded in that time';
    note(why);
  }
  return report;
}

function latestOf(reader: StoreReader, times: Times): string | undefined {
  const [newest] = reader.newest(times, 1);
  return newest?.session;
}

/**
 * The session that a name stands for which is no session's own: the newest run that goes by that name (`s-1.2` for `s-1`).
 *
 * @param sessions when each session was active last, in milliseconds since the epoch
 * @throws ClawaiError `usage` where there is none, with the name that was probably meant
 */
export function findSession(name: string, sessions: ReadonlyMap<string, number>): string {
  const newestFirst = [...sessions].toSorted(([, one], [, other]) => other - one).map(([session]) => session);
  const run = newestFirst.find((session) => isNumbered(session, name));
  if (run !== undefined) return run;
  const meant = newestFirst.find((session) => session.startsWith(name)) ?? suggestName(name, newestFirst);
  const [newest] = newestFirst;
  throw usageError(
    `no session ${JSON.stringify(visible(name))} was recorded`,
    meant !== undefined
      ? `did you mean ${visible(meant)}?`
      : newest === undefined
        ? 'nothing was recorded yet'
        : `the latest one is ${visible(newest)}; \`clawai report --since 7d\` lists them`,
  );
}

function isNumbered(session: string, name: string): boolean {
  return session.startsWith(`${name}.`) && /^[1-9]\d*$/.test(session.slice(name.length + 1));
}
