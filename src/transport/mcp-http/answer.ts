import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Interceptor } from '../../gate/interceptor.ts';
import type { Verdict } from '../../gate/verdict.ts';
import { toDownstreamHeaders } from '../http/headers.ts';
import { decodeStream, readBody } from '../http/read-body.ts';
import { refuse } from '../http/refuse.ts';
import type { Era } from './gates.ts';
import { toBody, toOneLine } from './one-line.ts';
import { postBack } from './post-back.ts';
import type { RouteParts } from './route-parts.ts';
import { sessionOf } from './session-header.ts';
import { relayStream } from './stream-relay.ts';

/** A request of the client's that the server was asked about. */
export interface Asked {
  readonly gate: Interceptor;
  readonly era: Era;
  /** The gate is that of a session, in which an answer may come by another stream. */
  readonly isOfSession: boolean;
  readonly session: string | undefined;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** With its question mark; empty where there is none. */
  readonly query: string;
  /** The messages that went on, as lines; none of a GET. */
  readonly onward: Buffer;
  /** Aborts when the client has left. */
  readonly signal: AbortSignal;
}

/** Carries the server's answer to a POST back to the client. */
export async function passAnswer(parts: RouteParts, asked: Asked, answer: IncomingMessage): Promise<void> {
  const status = answer.statusCode ?? 0;
  const isGood = status >= 200 && status < 300;
  const session = sessionOf(answer.headers);
  // The modern era has no sessions, whatever a server says.
  if (isGood && session !== undefined && !asked.isOfSession && asked.era === 'legacy') parts.gates.bind(session, asked.gate);
  if (status === 404 && asked.isOfSession && asked.session !== undefined) parts.gates.end(asked.session);
  const type = typeOf(answer);
  if (isGood && type === 'text/event-stream') return passStream(parts, asked, answer);
  if (type === 'application/json') return passJson(parts, asked, { answer, isGood });
  if (isGood && !isEmpty(answer) && status !== 202 && status !== 204) {
    answer.destroy();
    return fail(
      parts,
      asked,
      `${parts.name} answered with ${type === '' ? 'something' : type} instead of JSON or a stream of events`,
    );
  }
  const unanswered = asked.gate.undelivered(asked.onward, `${parts.name} did not answer it (HTTP ${status})`, {
    hasArrived: true,
  });
  if (isGood && unanswered !== '') {
    answer.destroy();
    parts.counters.failed++;
    sendJson(asked.response, 502, toOne(unanswered));
    return;
  }
  return passPlain(asked, answer);
}

/** A stream of messages, judged one by one. */
export async function passStream(parts: RouteParts, asked: Asked, answer: IncomingMessage): Promise<void> {
  const { response, gate } = asked;
  const source = decodeStream(answer);
  if (source === undefined) {
    answer.destroy();
    return fail(parts, asked, `${parts.name} sends in an encoding that is not known`);
  }
  response.writeHead(answer.statusCode ?? 200, toDownstreamHeaders(answer.rawHeaders, { isRewritten: true }));
  response.flushHeaders();
  const { counters } = parts;
  counters.streams++;
  try {
    const end = await relayStream({
      source,
      response,
      gate,
      rounds: parts.rounds,
      maxFrame: parts.limits.frame,
      postBack: (lines) => postBack(parts, asked, lines),
      tooLong: () => {
        parts.warn(
          `${parts.name} sent an event that is longer than clawai takes (limits.frame in its config); its stream was ended`,
        );
        return gate.undelivered(asked.onward, 'the answer is longer than clawai takes', { hasArrived: true });
      },
    });
    if (end === 'too_long') answer.destroy();
  } finally {
    counters.streams--;
    // Who has no session can't fetch the answer later.
    if (!asked.isOfSession) gate.abandoned(asked.onward);
  }
}

async function passJson(
  parts: RouteParts,
  asked: Asked,
  { answer, isGood }: { readonly answer: IncomingMessage; readonly isGood: boolean },
): Promise<void> {
  const { gate, response } = asked;
  const read = await readBody(answer, { limit: parts.limits.message });
  if (read.kind !== 'ok') {
    answer.destroy();
    const why = read.kind === 'too_large' ? 'is longer than clawai takes (limits.message in its config)' : 'could not be read';
    return fail(parts, asked, `the answer of ${parts.name} ${why}`);
  }
  const head = (isRewritten: boolean): string[] => toDownstreamHeaders(answer.rawHeaders, { isRewritten });
  const isMessage = isGood ? read.body.length > 0 : read.body.includes('"jsonrpc"');
  if (!isMessage) {
    const unanswered = gate.undelivered(asked.onward, `${parts.name} did not answer it`, { hasArrived: true });
    if (isGood && unanswered !== '') return sendJson(response, 502, toOne(unanswered));
    send(response, answer, { headers: head(true), body: read.body });
    return;
  }
  const line = toOneLine(read.body);
  const judged = parts.rounds.judge(gate, () => gate.fromServer(line, 0, line.length));
  const verdict = judged.kind === 'late' ? await judged.verdict : judged;
  const isEncoded = answer.headers['content-encoding'] !== undefined;
  const isWhole = verdict.kind === 'forward' && !isEncoded && line === read.body;
  const body = verdict.kind === 'forward' ? line : Buffer.from(instead(parts, asked, verdict));
  const missing = gate.undelivered(asked.onward, `${parts.name} answered something else`, { hasArrived: true });
  if (body.length > 0) send(response, answer, { headers: head(!isWhole), body });
  else if (missing === '') response.writeHead(202, { 'content-length': 0 }).end();
  else {
    parts.counters.failed++;
    sendJson(response, 502, toOne(missing));
  }
}

/** What the client gets in place of what the server sent. */
function instead(parts: RouteParts, asked: Asked, verdict: Verdict): string {
  if (verdict.kind === 'reply') postBack(parts, asked, verdict.line);
  if (verdict.kind !== 'replace') return '';
  if (verdict.reply !== undefined && verdict.reply !== '') postBack(parts, asked, verdict.reply);
  return verdict.line === '' ? '' : toOne(verdict.line);
}

/** Head and body as they come; nothing in them is a message. */
export function passPlain({ response }: Pick<Asked, 'response'>, answer: IncomingMessage): void {
  response.writeHead(answer.statusCode ?? 502, toDownstreamHeaders(answer.rawHeaders, { isRewritten: false }));
  answer.once('error', () => response.destroy());
  answer.pipe(response);
}

function fail(parts: RouteParts, asked: Asked, why: string): void {
  parts.counters.failed++;
  parts.warn(why);
  if (!answerInstead(asked, 502, why)) refuse(asked.response, 502, why);
}

/** Answers the client's requests in the server's place. False where it sent none. */
export function answerInstead(
  { gate, onward, response }: Pick<Asked, 'gate' | 'onward' | 'response'>,
  status: number,
  why: string,
): boolean {
  const lines = gate.undelivered(onward, why);
  if (lines === '' || response.headersSent) return false;
  sendJson(response, status, toOne(lines));
  return true;
}

function toOne(lines: string): string {
  return toBody(lines, false);
}

function send(
  response: ServerResponse,
  answer: IncomingMessage,
  { headers, body }: { readonly headers: string[]; readonly body: Buffer },
): void {
  if (response.destroyed) return;
  if (!headers.some((text, at) => at % 2 === 0 && text.toLowerCase() === 'content-length')) {
    headers.push('content-length', String(body.length));
  }
  response.writeHead(answer.statusCode ?? 200, headers).end(body);
}

function sendJson(response: ServerResponse, status: number, text: string): void {
  const body = Buffer.from(text);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
}

function typeOf({ headers }: IncomingMessage): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

function isEmpty({ headers }: IncomingMessage): boolean {
  return headers['content-length'] === '0';
}
