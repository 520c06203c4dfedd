import type { Question } from '../../gate/ports/approval-port.ts';
import type { WireEvent, WireQuestion } from '../../page/wire.ts';
import type { StoredEvent } from '../../store/reading/read.ts';
import { detailLines, subjectText } from '../approvals/question-text.ts';
import { toEventView } from '../log/event-view.ts';
import { visible } from '../terminal/text.ts';

/** Characters of a text in a list; the event's details have all of it. */
const MOST_IN_LIST = 300;

/** Columns of a question's details; the page breaks longer lines again on narrow screens. */
const COLUMNS = 96;

/** An event for the page's lists, with everything in it visible. */
export function toWireEvent(event: StoredEvent): WireEvent {
  const { type, id, subject, args, action, severity, by, reason, seen, latency, detail } = toEventView(event);
  const texts = Object.entries({
    id,
    subject,
    args,
    action,
    severity,
    by,
    reason: reason === by ? '' : reason,
    seen,
    latency,
    detail,
  });
  return {
    seq: event.seq,
    time: event.time,
    type,
    session: shown(event.session),
    server: shown(event.server),
    ...Object.fromEntries(texts.filter(([, text]) => text !== '').map(([name, text]) => [name, shown(text)])),
  };
}

/** A question for the page: who asks for what, and all there is to know about it. */
export function toWireQuestion(question: Question): WireQuestion {
  const { id, session, server, rule, description, canRemember, policyFile, askedAt, expiresAt } = question;
  return {
    id,
    session: shown(session),
    server: shown(server),
    subject: subjectText(question),
    ...(rule === undefined ? {} : { rule: shown(rule) }),
    ...(description === undefined ? {} : { why: visible(description) }),
    details: detailLines(question, COLUMNS),
    canRemember,
    canAlways: policyFile !== undefined && canRemember,
    askedAt,
    expiresAt,
  };
}

/** A text for a list: visible, and cut. */
export function shown(text: string): string {
  return visible(text.length <= MOST_IN_LIST ? text : `${text.slice(0, MOST_IN_LIST).toWellFormed()}…`);
}
