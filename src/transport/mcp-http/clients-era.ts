import { readBody } from '../http/read-body.ts';
import { type UpstreamResponse, wholeResponse } from '../http/upstream-response.ts';
import { ask, headersFor } from './ask.ts';
import type { Asked } from './asked.ts';
import { contentTypeOf, GREETING, JSON_TYPE } from './mcp-headers.ts';
import { type FirstRequest, type RouteParts, type StandIn, upstreamPath } from './route-parts.ts';

/** A server's answer, and the parts of the route with which its client goes on. */
interface AnsweredInEra {
  readonly parts: RouteParts;
  readonly answer: UpstreamResponse;
}

/**
 * Asks the server, as `ask` does. If it does not speak the client's era, a stand-in that translates answers in its place: one that has begun the
 * client's session, or begins one since the server has refused the greeting, or is there for clients of the modern era alone.
 */
export async function askInClientsEra(parts: RouteParts, asked: Asked, body: Buffer): Promise<AnsweredInEra | undefined> {
  const { eras } = parts;
  const toSend = { method: 'POST', body };
  const askBy = async (standIn: StandIn | undefined): Promise<AnsweredInEra | undefined> => {
    const by = standIn === undefined ? parts : { ...parts, upstream: standIn };
    const answered = await ask(by, asked, toSend);
    return answered && { parts: by, answer: answered.answer };
  };
  if (eras === undefined) return askBy(undefined);
  const first = (): FirstRequest => ({
    line: body,
    path: upstreamPath(parts, asked.query),
    headers: headersFor(parts, asked.request, undefined),
  });
  if (asked.era === 'modern') return askBy(await eras.ofModern(parts.gates, first));
  const begun = asked.isOfSession && asked.session !== undefined ? eras.ofSession(asked.session) : undefined;
  if (begun !== undefined && begun !== 'ended') return askBy(begun);
  const answered = await askBy(undefined);
  if (answered === undefined || asked.isOfSession || !asked.onward.includes(GREETING)) return answered;
  const { isError, answer } = await readAhead(parts, answered.answer);
  const standIn = isError ? await eras.greet(first()) : undefined;
  if (standIn === undefined) return { parts, answer };
  answer.destroy();
  return askBy(standIn);
}

/** Tells whether an answer is an error in JSON. A login that the server wants is another matter, and so is the status of one that has HTTP+SSE. */
async function readAhead(
  { limits }: Pick<RouteParts, 'limits'>,
  answer: UpstreamResponse,
): Promise<{ readonly isError: boolean; readonly answer: UpstreamResponse }> {
  const { statusCode: status, rawHeaders } = answer;
  const isAnswer = status < 300 || (status >= 400 && status < 500 && status !== 401 && status !== 403);
  const isPlain = contentTypeOf(answer) === JSON_TYPE && answer.header('content-encoding') === undefined;
  if (!isAnswer || !isPlain) return { isError: false, answer };
  const read = await readBody(answer, { limit: limits.message });
  if (read.kind !== 'ok') return { isError: false, answer };
  return { isError: hasError(read.body), answer: wholeResponse(status, rawHeaders, read.body) };
}

function hasError(body: Buffer): boolean {
  try {
    const message: unknown = JSON.parse(body.toString());
    return typeof message === 'object' && message !== null && 'error' in message;
  } catch {
    // It is no message, and the client hears so.
    return false;
  }
}
