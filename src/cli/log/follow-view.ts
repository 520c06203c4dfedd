import { CALL_TYPES } from '../../audit/event-types.ts';
import type { StoredEvent, WaitingQuestion } from '../../store/reading/read.ts';
import { type Look, paint, type Style } from '../terminal/colour.ts';
import { formatShortTime } from '../terminal/layout.ts';
import { cutToWidth, displayWidth, joinTexts, padToWidth, printable } from '../terminal/text.ts';
import { type EventView, toEventView } from './event-view.ts';

/** Milliseconds that the summary counts. */
const MINUTE = 60_000;

/** Columns of the parts of a row; the subject gets a third of the rest, within bounds. */
const WIDTHS = { time: 8, action: 6, server: 14, leastSubject: 10, mostSubject: 40 } as const;

/** Most ids of questions that are remembered. */
const MOST_ASKED = 1000;

/** From the summary line: to its start, and clear it; and one line up, likewise. */
const CLEAR = '\r\u001b[K';
const UP = '\u001b[1A\u001b[K';

interface Row {
  readonly time: number;
  readonly action: string;
  readonly style: Style | undefined;
  readonly server: string;
  readonly subject: string;
  readonly detail: string;
  /** The id to look at it, or the command to answer; never cut. */
  readonly tail: string;
}

/**
 * Shows on a terminal what is being recorded: one aligned line for each event, questions with the command to answer, repeated lines folded,
 * and below all a line that sums up the last minute. Each method returns what is to be written.
 */
export class FollowView {
  readonly #look: () => Look;
  readonly #asked = new Set<string>();
  /** The times of calls, denied calls and questions of the last minute. */
  readonly #times = { calls: [] as number[], denied: [] as number[], asked: [] as number[] };
  #last: { readonly key: string; count: number } | undefined;
  #summary = '';

  constructor(look: () => Look) {
    this.#look = look;
  }

  /** Adds events. */
  events(events: readonly StoredEvent[], now: number): string {
    const rows = events.map((event) => {
      const view = toEventView(event);
      const isCall = CALL_TYPES.some((type) => type === event.type);
      if (isCall) this.#times.calls.push(event.time);
      if (isCall && event.action === 'block') this.#times.denied.push(event.time);
      return toRow(view, isCall);
    });
    return this.#add(rows, now);
  }

  /** Adds the questions that are new among those that wait, and updates the summary. */
  questions(waiting: readonly WaitingQuestion[], now: number): string {
    const news = waiting.filter(({ id }) => !this.#asked.has(id));
    for (const { id, askedAt } of news) {
      this.#asked.add(id);
      this.#times.asked.push(askedAt);
    }
    for (const id of this.#asked) {
      if (this.#asked.size <= MOST_ASKED) break;
      this.#asked.delete(id);
    }
    const rows = news.map(({ id, server, tool, resource, prompt, method, rule, askedAt }): Row => ({
      time: askedAt,
      action: 'asks',
      style: 'yellow',
      server,
      subject: tool ?? prompt ?? resource ?? method,
      detail: rule === null ? '' : `rule ${rule}`,
      tail: `clawai approve ${id}`,
    }));
    return this.#add(rows, now);
  }

  /** Removes the summary at the end, so that the shell goes on below the last line. */
  end(): string {
    const isShown = this.#summary !== '';
    this.#summary = '';
    return isShown ? CLEAR : '';
  }

  #add(rows: readonly Row[], now: number): string {
    const look = this.#look();
    let text = '';
    for (const row of rows) {
      const key = JSON.stringify([row.action, row.server, row.subject, row.detail, row.style === 'yellow' ? row.tail : '']);
      const isAgain = this.#last?.key === key;
      this.#last = { key, count: isAgain ? (this.#last?.count ?? 0) + 1 : 1 };
      text += `${isAgain ? UP : ''}${formatRow(row, { look, now, count: this.#last.count })}\n`;
    }
    const summary = this.#sumUp(look, now);
    if (text === '' && summary === this.#summary) return '';
    const before = this.#summary === '' ? '' : CLEAR;
    this.#summary = summary;
    return before + text + summary;
  }

  #sumUp(look: Look, now: number): string {
    const counts = Object.entries(this.#times).map(([name, times]) => {
      const from = times.findIndex((time) => time > now - MINUTE);
      times.splice(0, from === -1 ? times.length : from);
      return `${times.length} ${name}`;
    });
    return paint('dim', cutToWidth(`last minute: ${counts.join(', ')}`, look.width - 1), look);
  }
}

function toRow(view: EventView, isCall: boolean): Row {
  const { time, action, server, subject, severity, rule, reason, by, args, detail, type, id } = view;
  const isDenied = action.startsWith('block');
  const what = isCall
    ? joinTexts([isDenied ? by : '', args], '  ')
    : joinTexts([type.replace(/^mcp_/, ''), severity, rule, reason, detail], '  ');
  const word = isDenied ? 'DENIED' : action;
  const style = isDenied ? 'red' : action === 'allow' ? 'green' : action === '' ? undefined : 'cyan';
  return { time, action: word, style, server, subject, detail: what, tail: isDenied && isCall ? id : '' };
}

interface RowLook {
  readonly look: Look;
  readonly now: number;
  readonly count: number;
}

/** The time of day, or the day if that is another one. */
function formatWhen(time: number, now: number): string {
  const [day = '', clock = ''] = formatShortTime(time, now).split(' ');
  return day === formatShortTime(now, now).split(' ')[0] ? clock : day;
}

/** One line, narrower than the terminal, so that it never wraps. */
function formatRow({ time, action, style, server, subject, detail, tail }: Row, { look, now, count }: RowLook): string {
  const width = Math.max(0, look.width - 1);
  const end = printable(joinTexts([count > 1 ? `×${count}` : '', tail], ' '));
  const used = WIDTHS.time + WIDTHS.action + WIDTHS.server + 6;
  const room = width - used - (end === '' ? 0 : displayWidth(end) + 2);
  const named = Math.min(WIDTHS.mostSubject, Math.max(WIDTHS.leastSubject, Math.floor(room / 2)));
  const cell = (text: string, columns: number): string => padToWidth(cutToWidth(printable(text), columns), columns);
  const when = cell(formatWhen(time, now), WIDTHS.time);
  const done = cell(action, WIDTHS.action);
  const rest = Math.max(0, room - named - 2);
  const about = `${cell(server, WIDTHS.server)}  ${cell(subject, named)}${rest > 0 ? `  ${cell(detail, rest)}` : ''}`;
  const isLoud = style === 'red' || style === 'yellow';
  const strong = (text: string): string => (style === undefined ? text : paint(style, text, look));
  // A narrow terminal shows the id before anything else.
  const taken = displayWidth(`${when}  ${done}  ${about}`) + (end === '' ? 0 : displayWidth(end) + 2);
  if (taken > width) return cutToWidth(joinTexts([action, end, server, subject].map(printable), ' '), width);
  const line = `${paint('dim', when, look)}  ${strong(done)}  ${isLoud ? strong(about) : about}`;
  return end === '' ? line.trimEnd() : `${line}  ${strong(end)}`;
}
