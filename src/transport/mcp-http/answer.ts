import type { Verdict } from '../../gate/verdict.ts';
import { formatSseEvent } from '../../protocol/sse/event.ts';
import { toDownstreamHeaders } from '../http/headers.ts';
import { decodeStream, readBody } from '../http/read-body.ts';
import { refuse, sendJson } from '../http/respond.ts';
import type { UpstreamResponse } from '../http/upstream-response.ts';
import { type Asked, unansweredOf } from './asked.ts';
import { toBody, toLooseText, toOneLine } from './body-lines.ts';
import { contentTypeOf, EVENT_STREAM, GREETING, JSON_TYPE, sessionOf } from './mcp-headers.ts';
import { postBack } from './post-back.ts';
import type { RouteParts } from './route-parts.ts';
import { isBodiless, judgedHead, passText, sendJudged, shownOf } from './send-judged.ts';
import { relayStream } from './stream-relay.ts';

/** Passes the server's answer to a POST back to the client. */
export async function passAnswer(parts: RouteParts, asked: Asked, answer: UpstreamResponse): Promise<void> {
  const status = answer.statusCode ?? 0;
  // The modern era has no sessions, whatever a server says. In the legacy one, a server that names a new session with each answer begins
  // none.
  if (!asked.isOfSession && asked.era === 'legacy' && isGood(answer) && asked.onward.includes(GREETING)) {
    const session = sessionOf(answer.headers);
    if (session !== undefined) {
      parts.gates.bind(session, asked.gate);
      parts.credentials?.sessions.add(session);
    }
  }
  if (isGood(answer) && !isBodiless(answer) && contentTypeOf(answer) === EVENT_STREAM) await passStream(parts, asked, answer);
  else await passBody(parts, asked, answer);
  // The session must end last: its gate still has to know the requests that are answered here.
  if (status === 404 && asked.isOfSession && asked.session !== undefined) parts.gates.end(asked.session);
}

/** Passes an answer that is not a stream of events: one message, several, or none. */
export function passBody(parts: RouteParts, asked: Asked, answer: UpstreamResponse): Promise<void> {
  const type = contentTypeOf(answer);
  const mayHaveMessages = type === '' || type === JSON_TYPE || (!isGood(answer) && type.includes('json'));
  return mayHaveMessages ? passJson(parts, asked, answer) : passWithoutMessages(parts, asked, { answer, type });
}

async function passWithoutMessages(
  parts: RouteParts,
  asked: Asked,
  { answer, type }: { readonly answer: UpstreamResponse; readonly type: string },
): Promise<void> {
  const isEmpty = answer.headers['content-length'] === '0' || answer.statusCode === 202 || answer.statusCode === 204;
  if (isGood(answer) && !isEmpty) {
    answer.destroy();
    return fail(
      parts,
      asked,
      `${parts.name} answered with ${NAME.test(type) ? type : 'something else'} instead of JSON or a stream of events`,
    );
  }
  // Nobody has checked it for messages; its text counts as the calls' result while they are still known.
  if (!isGood(answer) && !type.includes(EVENT_STREAM)) await passText(parts, asked, answer);
  const missing = missingOf(parts, asked, `${parts.name} did not answer it (HTTP ${answer.statusCode})`);
  if (isGood(answer) && missing.lines !== '') {
    answer.destroy();
    return sendMissing(parts, asked, missing);
  }
  if (isGood(answer) || type.includes(EVENT_STREAM)) passHead(asked, answer);
}

/** Passes a stream of messages, judged one by one. */
export async function passStream(parts: RouteParts, asked: Asked, answer: UpstreamResponse): Promise<void> {
  const { response, gate, sse } = asked;
  const source = decodeStream(answer);
  if (source === undefined) {
    answer.destroy();
    return fail(parts, asked, `${parts.name} sends in an unknown encoding`);
  }
  response.writeHead(answer.statusCode ?? 200, judgedHead(answer, true));
  // Not at once: the first event is usually there already, and goes out with the head.
  setImmediate(() => response.flushHeaders());
  for (const line of linesOf(asked.reply)) response.write(formatSseEvent({ data: line }));
  const { counters } = parts;
  counters.streams++;
  const endStream = parts.gates.beginStream(gate);
  try {
    const end = await relayStream({
      source,
      response,
      gate,
      rounds: parts.rounds,
      listening: listeningOf(asked),
      maxFrame: parts.limits.frame,
      postBack(lines) {
        if (sse?.path === undefined) postBack(parts, asked, lines);
        else postBack({ ...parts, path: sse.path }, { request: asked.request, query: '' }, lines);
      },
      endpoint: sse?.endpoint,
      ended() {
        if (sse?.path !== undefined) return gate.requests.serverEnded();
        // A client with a session may get the answer by another stream.
        if (asked.isOfSession) return '';
        return unansweredOf(parts, asked, { why: `${parts.name} did not answer it`, hasArrived: true });
      },
      tooLong: () => {
        parts.warn(
          `${parts.name} sent an event that is longer than clawai accepts (limits.frame in its config), so clawai ended its stream`,
        );
        if (sse?.path !== undefined) return gate.requests.serverEnded();
        return gate.requests.undelivered(asked.onward, 'the answer is longer than clawai accepts', { hasArrived: true });
      },
    });
    if (end === 'too_long' || end === 'refused') answer.destroy();
  } finally {
    counters.streams--;
    endStream();
    // A client without a session can't fetch the answer later.
    if (!asked.isOfSession) gate.requests.abandoned(asked.onward);
  }
}

/**
 * Opens a stream of HTTP+SSE in the place of a server that wants a login. Clients show their users the errors that come by it, but not the
 * body of a refused request.
 */
export async function tellByStream({ counters, gates }: RouteParts, { response, gate, sse }: Asked): Promise<void> {
  response.writeHead(200, { 'content-type': EVENT_STREAM, 'cache-control': 'no-cache, no-transform' });
  const tell = (lines: string): void => {
    for (const line of linesOf(lines)) response.write(formatSseEvent({ data: line }));
  };
  response.write(formatSseEvent({ event: 'endpoint', data: sse?.endpoint('', tell) ?? '' }));
  counters.streams++;
  const endStream = gates.beginStream(gate);
  if (!response.destroyed) await new Promise((resolve) => response.once('close', resolve));
  counters.streams--;
  endStream();
}

async function passJson(parts: RouteParts, asked: Asked, answer: UpstreamResponse): Promise<void> {
  const { gate, response } = asked;
  const read = await readBody(answer, { limit: parts.limits.message });
  if (read.kind !== 'ok') {
    answer.destroy();
    const why = read.kind === 'too_large' ? 'is longer than clawai accepts (limits.message in its config)' : 'could not be read';
    return fail(parts, asked, `the answer of ${parts.name} ${why}`);
  }
  await parts.rounds.gathered();
  const head = (isRewritten: boolean): string[] => judgedHead(answer, isRewritten);
  const isMessage = isGood(answer) ? read.body.length > 0 : mayBeMessage(read.body);
  if (!isMessage) {
    const shown = await shownOf(parts, asked, { answer, text: read.body });
    const missing = missingOf(parts, asked, `${parts.name} did not answer it`);
    if (isGood(answer) && missing.lines !== '') return sendMissing(parts, asked, missing);
    sendJudged(response, answer, { headers: head(true), body: shown });
    return;
  }
  const line = toOneLine(read.body);
  const judged = parts.rounds.judge(gate, () => gate.fromServer(line, 0, line.length));
  const verdict = judged.kind === 'late' ? await judged.verdict : judged;
  // Clients show the whole body, whichever request it answers.
  if (!isGood(answer)) gate.requests.noteErrorWithoutId(asked.onward, toLooseText(read.body).line);
  const isEncoded = answer.header('content-encoding') !== undefined;
  const isWhole = verdict.kind === 'forward' && !isEncoded && line === read.body && asked.reply === '';
  const body = verdict.kind === 'forward' ? line : Buffer.from(instead(parts, asked, verdict));
  const missing = missingOf(parts, asked, `${parts.name} answered something else`);
  if (body.length > 0) sendJudged(response, answer, { headers: head(!isWhole), body: withReply(body, asked.reply) });
  // The client needs the status, e.g. to learn that a login is needed.
  else if (!isGood(answer)) sendJudged(response, answer, { headers: head(true), body: Buffer.from(toOne(missing.lines)) });
  else if (missing.lines === '') response.writeHead(202, { 'content-length': 0 }).end();
  else sendMissing(parts, asked, missing);
}

/** Returns the client's text in place of the server's, and posts our answers back. */
function instead(parts: RouteParts, asked: Asked, verdict: Verdict): string {
  if (verdict.kind === 'reply') postBack(parts, asked, verdict.line);
  if (verdict.kind !== 'replace') return '';
  if (verdict.reply !== undefined && verdict.reply !== '') postBack(parts, asked, verdict.reply);
  return verdict.line === '' ? '' : toOne(verdict.line);
}

/** In the modern era each request has its own gate, and so has each subscription. */
function listeningOf({ era, gate, isOfSession, request }: Asked): 'session' | 'request' | undefined {
  if (request.method === 'GET') return isOfSession ? 'session' : 'request';
  return era === 'modern' && gate.requests.isSubscribed ? 'request' : undefined;
}

/** Passes the head without the body. */
export function passHead({ response }: Pick<Asked, 'response'>, answer: UpstreamResponse): void {
  if (answer.headers['content-length'] === '0' || isBodiless(answer)) answer.resume();
  else answer.destroy();
  sendJudged(response, answer, {
    headers: toDownstreamHeaders(answer.rawHeaders, { isRewritten: true }),
    body: Buffer.alloc(0),
  });
}

function fail(parts: RouteParts, asked: Asked, why: string): void {
  parts.counters.failed++;
  parts.warn(why);
  if (!answerInstead(parts, asked, { why, hasArrived: true })) refuse(asked.response, 502, why);
}

/**
 * Answers the client's requests in the server's place. False if there are none.
 *
 * @param failure `hasArrived`: the server may have got them, so they count as calls that were made; `status`: of the answer, 502 without it
 */
export function answerInstead(
  parts: RouteParts,
  asked: Asked,
  { status = 502, ...failure }: { readonly why: string; readonly hasArrived: boolean; readonly status?: number },
): boolean {
  const { response } = asked;
  const lines = asked.reply + unansweredOf(parts, asked, failure);
  if (lines === '' || response.headersSent) return false;
  sendJson(response, status, toOne(lines));
  return true;
}

/** Answers that the server did not give. */
interface Missing {
  readonly lines: string;
  /** True if the server left requests unanswered. */
  readonly isFault: boolean;
}

function missingOf(parts: RouteParts, asked: Asked, why: string): Missing {
  const unanswered = unansweredOf(parts, asked, { why, hasArrived: true });
  return { lines: asked.reply + unanswered, isFault: unanswered !== '' };
}

function sendMissing({ counters }: RouteParts, { response }: Asked, { lines, isFault }: Missing): void {
  if (isFault) counters.failed++;
  sendJson(response, isFault ? 502 : 200, toOne(lines));
}

function withReply(body: Buffer, reply: string): Buffer {
  if (reply === '') return body;
  const text = body.toString('utf8').trim();
  return Buffer.from(toBody(`${text.startsWith('[') ? text.slice(1, -1) : text}\n${reply}`, true));
}

function toOne(lines: string): string {
  return lines === '' ? '' : toBody(lines, false);
}

function isGood({ statusCode }: UpstreamResponse): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** Matches a content type that is safe to show to people, since servers may write anything there. */
const NAME = /^[\w.+/-]{1,100}$/;

const MESSAGE_KEYS = new Set(['jsonrpc', 'method', 'result']);

/** Tells whether any client could take an error's body for messages; clients differ in their requirements. */
function mayBeMessage(body: Buffer): boolean {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    // The body is text, or JSON that only some parsers accept.
    return body.includes('{');
  }
  return [value].flat().some((one) => isObject(one) && Object.keys(one).some((key) => MESSAGE_KEYS.has(key.toLowerCase())));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function linesOf(lines: string): readonly string[] {
  return lines.split('\n').filter((line) => line !== '');
}
