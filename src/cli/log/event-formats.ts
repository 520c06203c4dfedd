import { CALL_TYPES, DETECTION_TYPE, FLOW_TYPE } from '../../audit/event-types.ts';
import type { StoredEvent } from '../../store/reading/read.ts';
import { toEventView, type EventView } from './event-view.ts';
import { formatShortTime, formatTime, isoTime } from '../terminal/layout.ts';
import { escapeUnprintable, printable, joinTexts } from '../terminal/text.ts';
import { Table, type Column } from '../terminal/table.ts';
import { type Look, paint } from '../terminal/colour.ts';

/** Turns a part of the events that are printed into text; called with one part after the other. */
export type EventFormat = (events: readonly StoredEvent[]) => string;

/**
 * Each body as it is stored, on one line; on a terminal, characters that could steer it are escaped, as JSON may. What has no body
 * any more is shown by its columns.
 */
export function jsonLines(isTerminal: boolean): EventFormat {
  const shown = (line: string): string => (isTerminal ? escapeUnprintable(line) : line);
  return (events) => events.map((event) => `${shown(jsonLine(event))}\n`).join('');
}

/** @param now milliseconds since the epoch */
export function callTable(look: Look, now: number): EventFormat {
  return tableOf([time(now), ID, SERVER, { ...SUBJECT, title: 'TOOL' }, ACTION, BY, ARGUMENTS], look);
}

/** @param now milliseconds since the epoch */
export function eventTable(look: Look, now: number): EventFormat {
  return tableOf([time(now), TYPE, SERVER, SUBJECT, ACTION, SEVERITY, DETAIL], look);
}

/** A table of detections. @param now milliseconds since the epoch */
export function detectionTable(look: Look, now: number): EventFormat {
  return tableOf(
    [time(now), SERVER, SUBJECT, { ...RULE, least: 12 }, SEVERITY, ACTION, { ...DETAIL, cell: ({ detail }) => detail }],
    look,
  );
}

/** One line per event, never cut. */
export function logLines(colour: boolean): EventFormat {
  return (events) => events.map((event) => `${logLine(toEventView(event), colour)}\n`).join('');
}

const SERVER: Column<EventView> = { title: 'SERVER', least: 8, cell: ({ server }) => server };
const SUBJECT: Column<EventView> = { title: 'SUBJECT', least: 12, cell: ({ subject }) => subject };
const ACTION: Column<EventView> = {
  title: 'ACTION',
  cell: ({ action }) => action,
  paint: (cell, view) => paintAction(cell, view),
};
const RULE: Column<EventView> = { title: 'RULE', least: 6, cell: ({ rule }) => rule };
const ID: Column<EventView> = { title: 'ID', cell: ({ id }) => id };
const BY: Column<EventView> = {
  title: 'BY',
  least: 6,
  cell: ({ by }) => by,
};
/** The arguments, after the other sighting of a call, which few have: a column of its own would take room from all. */
const ARGUMENTS: Column<EventView> = {
  title: 'ARGUMENTS',
  least: 9,
  cell: ({ args, seen }) => joinTexts([seen && `(${seen})`, args], ' '),
};
const TYPE: Column<EventView> = { title: 'TYPE', least: 12, cell: ({ type }) => shortType(type) };
const SEVERITY: Column<EventView> = { title: 'SEVERITY', cell: ({ severity }) => severity };
const DETAIL: Column<EventView> = {
  title: 'DETAIL',
  least: 8,
  // The rule says what a flow or a finding is; for a call, `log --calls` has a column for it.
  cell: ({ type, rule, reason, detail }) =>
    joinTexts([type === FLOW_TYPE || type === DETECTION_TYPE ? rule : '', reason, detail]),
};

function time(now: number): Column<EventView> {
  return { title: 'TIME', cell: (view) => formatShortTime(view.time, now), paint: (cell) => paint('dim', cell) };
}

function tableOf(columns: readonly Column<EventView>[], look: Look): EventFormat {
  const table = new Table(columns, look);
  return (events) => table.format(events.map(toEventView));
}

function logLine(view: EventView, colour: boolean): string {
  const isCall = CALL_TYPES.some((type) => type === view.type);
  const action = printable(view.action);
  const what = [
    ...(isCall ? [] : [printable(shortType(view.type))]),
    ...(action === '' ? [] : [colour ? paintAction(action, view) : action]),
    view.severity,
    view.subject,
    view.args,
    view.rule === '' ? '' : `rule ${view.rule}`,
    view.reason,
    view.latency,
    view.detail,
    view.id === '' ? '' : `id ${view.id}`,
  ];
  const when = formatTime(view.time);
  // The action alone is coloured, and it is printable already.
  const shown = what.map((text, i) => (i < 2 ? text : printable(text)));
  return joinTexts([colour ? paint('dim', when) : when, printable(view.server), ...shown], '  ');
}

function shortType(type: string): string {
  return type.replace(/^mcp_/, '');
}

function paintAction(text: string, { action }: EventView): string {
  if (action === '') return text;
  if (action === 'allow') return paint('green', text);
  return paint(action.startsWith('block') ? 'red' : 'yellow', text);
}

function jsonLine(event: StoredEvent): string {
  const { body } = event;
  // JSON on several lines, or no JSON at all, can only be an edit.
  if (body !== null && body.startsWith('{') && body.endsWith('}') && !/[\r\n]/.test(body)) return body;
  const { type, session, server, tool, action, severity } = event;
  const timestamp = isoTime(event.time);
  const missing = body === null ? { body_erased: true } : { body_unreadable: true };
  return JSON.stringify({
    type,
    timestamp,
    session_id: session,
    server_id: server,
    tool_name: tool,
    action,
    severity,
    ...missing,
  });
}
