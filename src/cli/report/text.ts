import { SEVERITIES } from '../../store/reading/read-query.ts';
import {
  countOfThings,
  formatCount,
  formatDuration,
  formatShortTime,
  indentedTable,
  listing,
  moreLine,
  paragraph,
  section,
  SHOWN,
  type TextOptions,
} from '../terminal/layout.ts';
import { visible, joinTexts } from '../terminal/text.ts';
import { findingSections } from './findings-text.ts';
import type { CallNumbers, RefusalGroup, ServerReport, SessionLine, SessionReport } from './report.ts';
import { paint } from '../terminal/colour.ts';

/** The report for people, the most important first. Ends with a newline. */
export function formatReport(report: SessionReport, options: TextOptions): string {
  const found = findingSections(report, options);
  const nothing = ['', ...paragraph('Nothing was denied, no flow was found, and nothing has changed.', options, 0)];
  const lines = [
    ...headLines(report, options),
    ...(found.length === 0 ? nothing : found),
    ...section('Rate limits', rateLines(report, options), options),
    ...section('Approvals', approvalLines(report, options), options),
    ...section('Servers', serverLines(report, options), options),
    ...section('Sessions', report.session_id === null ? sessionLines(report, options) : [], options),
    ...section('Refused messages', refusalLines(report, options), options),
    ...section('Not inspected', uninspectedLines(report, options), options),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function headLines(report: SessionReport, options: TextOptions): string[] {
  const { calls, servers_called: called, servers_connected: connected } = report;
  const shown = (iso: string | null): string => formatShortTime(Date.parse(iso ?? ''), options.now);
  const sessions = report.sessions.length + report.sessions_left_off;
  const about = report.session_id === null ? countOfThings(sessions, 'session') : `Session ${report.session_id}`;
  const end =
    report.ended === null ? '' : `${shown(report.started)} to ${shown(report.ended)}, ${formatDuration(report.duration_ms)}`;
  const [first = '', ...more] = paragraph(`${about}: ${end}`, options, 0);
  const uncalled = connected === called ? '' : `; ${countOfThings(connected - called, 'server')} without a call`;
  const { model_calls: ofModel, calls_from_answers: fromAnswers } = report;
  const introduction =
    calls.total === 0
      ? `No calls${ofModel.total === 0 ? '' : ' to servers'}${uncalled}.`
      : `${countOfThings(calls.total, 'call')} to ${countOfThings(called, 'server')}: ` +
        `${formatCount(calls.allowed)} allowed, ${formatCount(calls.denied)} denied${uncalled}.` +
        (fromAnswers === 0
          ? ''
          : ` Of these, ${formatCount(fromAnswers)} ${fromAnswers === 1 ? 'was' : 'were'} seen before, in an answer of the model.`);
  const saidOfModel =
    `${countOfThings(ofModel.total, 'call')} by the model${fromAnswers === 0 ? '' : ' that came to no server'}: ` +
    `${formatCount(ofModel.allowed)} allowed, ${formatCount(ofModel.denied)} denied.`;
  const observed = ({ observed: count }: CallNumbers, by: string): string[] =>
    count === 0
      ? []
      : paragraph(
          `${countOfThings(count, 'call')}${by} passed although the policy does not allow it, since clawai only observed.`,
          options,
          0,
        );
  return [
    paint('bold', first, options),
    ...more,
    ...requestLines(report, options),
    ...secretLines(report, options),
    ...paragraph(ofModel.total === 0 ? '' : saidOfModel, options, 0),
    ...paragraph(introduction, options, 0),
    ...byUrlLines(report, options),
    ...[...observed(calls, ''), ...observed(ofModel, ' by the model')].map((line) => paint('yellow', line, options)),
    ...severityLines(report, options),
    ...policyLines(report, options),
  ];
}

function requestLines({ model_requests: { checked, refused, unchecked } }: SessionReport, options: TextOptions): string[] {
  const all = checked + refused + unchecked;
  if (all === 0) return [];
  const passed = unchecked === 0 ? '' : `, ${formatCount(unchecked)} passed unchecked`;
  const line = `${countOfThings(all, 'request')} to models: ${formatCount(checked)} checked, ${formatCount(refused)} refused${passed}.`;
  return paragraph(line, options, 0).map((each) => (unchecked === 0 ? each : paint('yellow', each, options)));
}

const FATES: Readonly<Record<string, string>> = { alert: 'sent on', redact: 'removed', tokenize: 'replaced by tokens' };

function secretLines({ request_secrets: secrets }: SessionReport, options: TextOptions): string[] {
  const all = secrets.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return [];
  const kinds = secrets.map(({ kind, mode, count }) => `${formatCount(count)} ${kind} (${FATES[mode] ?? mode})`);
  const lines = paragraph(`${countOfThings(all, 'secret')} in requests to models: ${kinds.join(', ')}.`, options, 0);
  return lines.map((line) => paint('yellow', line, options));
}

const BY_URL = {
  process: 'came by URL and are of the session of the program that made them, which was found by its connection',
  servers:
    'came by URL from a program that could not be found, as on systems that do not say who connects: they count in the session that servers of the same client were in just then',
  url: 'came by URL from a program that could not be found, or from another machine: all that come so by the URLs of one client are one session',
} as const;

/** Lines on calls that came by URL, by how their session was found. */
function byUrlLines({ calls_by_url: byUrl }: SessionReport, options: TextOptions): string[] {
  return Object.entries(BY_URL).flatMap(([by, words]) => {
    const count = byUrl[by as keyof typeof BY_URL];
    return count === 0 ? [] : paragraph(`${countOfThings(count, 'call')} ${words}.`, options, 0);
  });
}

/** The worst first. */
function severityLines({ findings_by_severity: findings }: SessionReport, options: TextOptions): string[] {
  const counts = SEVERITIES.toReversed().flatMap((severity) =>
    findings[severity] === 0 ? [] : [`${formatCount(findings[severity])} ${severity}`],
  );
  return paragraph(counts.length === 0 ? '' : `Findings: ${counts.join(', ')}.`, options, 0);
}

const POLICY_NEWS: Readonly<Record<string, string>> = {
  loaded: 'a changed policy was taken over',
  kept: 'a changed policy could not be used, and the one before stayed',
  gone: 'the policy was gone, and everything was denied',
};

/** Each process of the session tells of a change. */
function policyLines({ policies }: SessionReport, options: TextOptions): string[] {
  const several =
    policies.hashes.length > 1 ? `${formatCount(policies.hashes.length)} policies decided, one after the other` : '';
  const news = policies.changes.slice(0, SHOWN).map(({ status, count }) => {
    const words = Object.hasOwn(POLICY_NEWS, status) ? (POLICY_NEWS[status] ?? status) : status;
    return count === 1 ? words : `${words} (${countOfThings(count, 'time')})`;
  });
  const text = joinTexts([several, ...news], '; ');
  return paragraph(text === '' ? '' : `${text[0]?.toUpperCase()}${text.slice(1)}.`, options, 0);
}

function rateLines({ rate_limits_hit: hit }: SessionReport, options: TextOptions): string[] {
  return [
    ...hit
      .slice(0, SHOWN)
      .flatMap(({ server_id, count }) => paragraph(`${server_id}: ${countOfThings(count, 'call')} too many`, options)),
    ...moreLine(Math.max(0, hit.length - SHOWN), 'servers', options),
  ];
}

const WORDS = {
  granted: 'granted',
  refused: 'refused',
  expired: 'not answered in time',
  flood: 'not asked, since there were too many questions',
  unavailable: 'could not be asked',
  withdrawn: 'taken back',
} as const;

function approvalLines({ approvals }: SessionReport, options: TextOptions): string[] {
  const counts = Object.entries(WORDS).flatMap(([name, words]) => {
    const count = approvals[name as keyof typeof WORDS];
    return count === 0 ? [] : [`${formatCount(count)} ${words}`];
  });
  const people = approvals.answered_by.slice(0, SHOWN).map(({ by, count }) => `${by} (${formatCount(count)})`);
  return [
    ...paragraph(counts.join(', '), options),
    ...paragraph(people.length === 0 ? '' : `answered by ${people.join(', ')}`, options),
  ];
}

function serverLines(report: SessionReport, options: TextOptions): string[] {
  const { servers, servers_left_off: leftOff } = report;
  const askedOf = ({ calls, model_calls: ofModel }: ServerReport): number =>
    [...Object.values(calls.asked), ...Object.values(ofModel.asked)].reduce((sum, count) => sum + count, 0);
  const busiest = ({ busiest_tools: tools }: ServerReport): string =>
    tools.map(({ tool_name, calls }) => `${tool_name} ${formatCount(calls)}`).join(', ');
  const columns = [
    { title: 'SERVER', least: 8, cell: ({ server_id }: ServerReport) => visible(server_id) },
    { title: 'CALLS', cell: ({ calls }: ServerReport) => formatCount(calls.total) },
    { title: 'DENIED', cell: ({ calls }: ServerReport) => formatCount(calls.denied) },
    ...(report.model_calls.total === 0
      ? []
      : [
          { title: 'BY MODEL', cell: ({ model_calls: calls }: ServerReport) => formatCount(calls.total) },
          { title: 'DENIED', cell: ({ model_calls: calls }: ServerReport) => formatCount(calls.denied) },
        ]),
    { title: 'ASKED', cell: (server: ServerReport) => formatCount(askedOf(server)) },
    { title: 'MOST/MIN', cell: ({ calls_per_minute_max: peak }: ServerReport) => formatCount(peak) },
    // Listed tools are recorded only if they are news, which says little of one session.
    { title: 'TOOLS', cell: ({ tools_called: called }: ServerReport) => formatCount(called) },
    { title: 'BUSIEST', least: 12, cell: (server: ServerReport) => visible(busiest(server)) },
  ];
  const more = Math.max(0, servers.length - SHOWN) + leftOff;
  return [...indentedTable(columns, servers.slice(0, SHOWN), options), ...moreLine(more, 'servers', options)];
}

function sessionLines(report: SessionReport, options: TextOptions): string[] {
  const { sessions, sessions_left_off: leftOff } = report;
  const columns = [
    { title: 'SESSION', least: 10, cell: ({ session_id }: SessionLine) => visible(session_id) },
    { title: 'BEGAN', cell: ({ started }: SessionLine) => formatShortTime(Date.parse(started), options.now) },
    {
      title: 'FOR',
      cell: ({ started, ended }: SessionLine) => formatDuration(Math.max(0, Date.parse(ended) - Date.parse(started))),
    },
    { title: 'SERVERS', cell: ({ servers }: SessionLine) => formatCount(servers) },
    { title: 'CALLS', cell: ({ calls }: SessionLine) => formatCount(calls) },
    { title: 'DENIED', cell: ({ denied }: SessionLine) => formatCount(denied) },
    ...(report.model_calls.total === 0
      ? []
      : [
          { title: 'BY MODEL', cell: ({ model_calls: calls }: SessionLine) => formatCount(calls) },
          { title: 'DENIED', cell: ({ model_denied: denied }: SessionLine) => formatCount(denied) },
        ]),
    { title: 'FLOWS', cell: ({ flows }: SessionLine) => formatCount(flows) },
  ];
  return [...indentedTable(columns, sessions, options), ...moreLine(leftOff, 'sessions', options)];
}

function refusalLines(report: SessionReport, options: TextOptions): string[] {
  const { refused_messages: groups, refused_messages_left_off: leftOff } = report;
  const line = ({ from, server_id, reason, count }: RefusalGroup): string =>
    `${formatCount(count)} of ${from === 'client' ? `the client, to ${server_id}` : server_id}: ${reason}`;
  return listing(
    { groups, leftOff, what: 'messages' },
    (shown) => shown.flatMap((group) => paragraph(line(group), options)),
    options,
  );
}

/** Lines on traffic that was not inspected, so that it does not pass for clean. */
function uninspectedLines(report: SessionReport, options: TextOptions): string[] {
  const { not_inspected: not } = report;
  const lines: string[] = [];
  const say = (count: number | null, thing: string, text: string): void => {
    if (count !== null && count > 0) lines.push(`${countOfThings(count, thing)} ${text}`);
  };
  for (const { what, why, count } of not.skipped.slice(0, SHOWN)) {
    lines.push(`${what} of ${countOfThings(count, 'event')} not recorded, nor looked at, in full (${why})`);
  }
  say(not.results_not_read, 'result', 'not read for values that flow on');
  say(not.results_cut, 'result', 'read in part for values that flow on');
  // Values flow between servers, so a single one has no flows.
  if (report.servers_called > 1) {
    say(not.calls_without_turn, 'call', 'of no known turn, so that flow rules of one turn (same_turn_only) could not match');
  }
  say(not.messages_passed, 'message', 'that no rule can be about');
  say(not.answers_unasked, 'answer', 'that no request had asked for');
  say(report.events_erased, 'event', 'of which only the outline is left, since what they say was erased');
  say(report.events_unreadable, 'event', 'that cannot be read');
  const open = not.servers_not_ended;
  if (open.length > 0) {
    const named = open.slice(0, SHOWN).join(', ');
    lines.push(`no connection has ended yet of ${named}${open.length > SHOWN ? ', …' : ''}: its messages are not counted here`);
  }
  return lines.flatMap((line) => paragraph(line, options));
}
