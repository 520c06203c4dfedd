import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Interceptor } from '../../gate/interceptor.ts';
import { isMismatch } from '../../gate/messages/header-agreement.ts';
import type { Verdict } from '../../gate/verdict.ts';
import { looksModern, readHeaderClaims } from '../../protocol/mcp/http-headers.ts';
import { BODY_PROBLEMS, readBody } from '../http/read-body.ts';
import { refuse, sendJson } from '../http/respond.ts';
import { passAnswer } from './answer.ts';
import { type Asked, Leaving } from './asked.ts';
import { askInClientsEra } from './clients-era.ts';
import { JSON_TYPE, namesOtherCharset, sessionOf } from './mcp-headers.ts';
import type { Era, Gates } from './gates.ts';
import { toBody, toOneLine } from './body-lines.ts';
import type { RouteParts } from './route-parts.ts';
import { OPEN_BRACKET } from '../../protocol/json-bytes.ts';

/** The protocol revision of a client that names none (MCP 2025-06-18, protocol version header). */
const UNSAID_REVISION = '2025-03-26';

const SPACE = 0x20;
const TAB = 0x09;

/** A client's request. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The query with its question mark; empty if there is none. */
  readonly query: string;
}

/** Handles one message of the client's, or a batch: judges it, passes it to the server, and answers. */
export async function handlePost(
  shared: Omit<RouteParts, 'gates'>,
  found: Gates | Promise<Gates>,
  { request, response, query }: Exchange,
): Promise<void> {
  const { headers } = request;
  const { counters } = shared;
  const body = await readMessages(shared, { request, response });
  if (body === undefined) return;
  const parts: RouteParts = { ...shared, gates: found instanceof Promise ? await found : found };
  await parts.rounds.gathered();
  const lease = acquire(parts, request, body);
  const { gate } = lease;
  let isSent = false;
  let isReleased = false;
  const leaving = new Leaving(response, () => {
    // By then its gate may serve other requests with the same ids.
    if (isReleased) return;
    // A session's answers can be fetched later, and in the legacy era leaving is not cancelling. Unsent messages are cancelled, though.
    if (!isSent || !lease.isOfSession) gate.requests.abandoned(body);
  });
  try {
    // The client may have left while its body was decoded, or while others were awaited.
    if (response.destroyed) return;
    const claims = readHeaderClaims(headers);
    const judged = parts.rounds.judge(gate, () => gate.fromClient(body, 0, body.length, claims));
    const verdict = judged.kind === 'late' ? await judged.verdict : judged;
    if (response.destroyed) {
      gate.requests.abandoned(body);
      return;
    }
    const onward = onwardOf(verdict, body);
    if (onward === undefined) {
      counters.answered++;
      // Its session has ended while somebody was asked, so nobody else answers the client.
      const isLost = verdict.kind === 'drop' && parts.gates.hasEnded(gate);
      answerOurselves(response, isLost ? gate.undeliverable(body, 0, body.length) : verdict);
      return;
    }
    isSent = true;
    const asked: Asked = {
      gate,
      era: lease.era,
      isOfSession: lease.isOfSession,
      session: lease.session,
      request,
      response,
      query,
      onward: onward.lines,
      reply: replyOf(verdict),
      leaving,
    };
    const answered = await askInClientsEra(parts, asked, onward.body);
    if (answered !== undefined) await passAnswer(answered.parts, asked, answered.answer);
  } finally {
    isReleased = true;
    lease.release();
  }
}

/** Reads the body of a POST, as one line. @returns undefined if it has no message that can be judged, and the client has been answered */
export async function readMessages(
  { counters, limits }: Pick<RouteParts, 'counters' | 'limits'>,
  { request, response }: Pick<Exchange, 'request' | 'response'>,
): Promise<Buffer | undefined> {
  const type = request.headers['content-type'];
  const refuseWith = (status: number, why: string): undefined => {
    counters.answered++;
    refuse(response, status, why);
  };
  if (!isJson(type)) return refuseWith(415, 'the body must be application/json');
  // The body is judged as UTF-8, while some servers decode by the given charset.
  if (namesOtherCharset(type ?? '')) return refuseWith(415, 'the charset of JSON must be UTF-8');
  const read = await readBody(request, { limit: limits.message });
  if (read.kind !== 'ok') return refuseWith(...BODY_PROBLEMS[read.kind]);
  const body = toOneLine(read.body);
  // A gate ignores and passes blank lines; a server must not get a request without a checked message.
  return isBlank(body) ? refuseWith(400, 'the body has no message') : body;
}

interface Lease {
  readonly gate: Interceptor;
  readonly era: Era;
  readonly isOfSession: boolean;
  readonly session: string | undefined;
  readonly release: () => void;
}

function acquire({ gates }: RouteParts, { headers }: IncomingMessage, body: Buffer): Lease {
  const session = sessionOf(headers);
  const revision = headers['mcp-protocol-version'];
  const era: Era = looksModern(headers, body) ? 'modern' : 'legacy';
  if (session !== undefined && era === 'legacy') {
    const gate = gates.ofSession(session);
    if (typeof revision === 'string') gate.assumeRevision(revision);
    return { gate, era, isOfSession: true, session, release: gates.beginStream(gate) };
  }
  const asking = gates.findAsking(body);
  if (asking !== undefined) return { gate: asking, era, isOfSession: false, session, release: () => {} };
  const gate = gates.acquire(era);
  gate.assumeRevision(typeof revision === 'string' ? revision : UNSAID_REVISION);
  return { gate, era, isOfSession: false, session, release: () => gates.release(era, gate) };
}

/** Returns what is sent on: as lines for the gate, and as a body. Undefined if nothing is. */
export function onwardOf(verdict: Verdict, body: Buffer): { readonly lines: Buffer; readonly body: Buffer } | undefined {
  if (verdict.kind === 'forward') return { lines: body, body };
  if (verdict.kind !== 'replace' || verdict.line === '') return undefined;
  const isBatch = body.subarray(0, body.length).find((byte) => byte > 0x20) === OPEN_BRACKET;
  return { lines: Buffer.from(verdict.line), body: Buffer.from(toBody(verdict.line, isBatch)) };
}

export function replyOf(verdict: Verdict): string {
  return verdict.kind === 'reply' ? verdict.line : verdict.kind === 'replace' ? (verdict.reply ?? '') : '';
}

/** Answers with the verdict. A denial has status 200: other statuses make clients log in again, or lose the text. */
function answerOurselves(response: ServerResponse, verdict: Verdict): void {
  const line = replyOf(verdict);
  if (line === '') {
    response.writeHead(202, { 'content-length': 0 }).end();
    return;
  }
  // The sender of an unreadable message waits for no answer. Contradicting headers are a bad request (MCP 2026-07-28).
  const status = line.startsWith('{"jsonrpc":"2.0","id":null') || isMismatch(line) ? 400 : 200;
  sendJson(response, status, toBody(line, false));
}

function isJson(type: string | undefined): boolean {
  if (type === JSON_TYPE) return true;
  return type !== undefined && /^application\/json\s*(?:;|$)/i.test(type.trim());
}

function isBlank(body: Buffer): boolean {
  return !body.some((byte) => byte !== SPACE && byte !== TAB);
}
