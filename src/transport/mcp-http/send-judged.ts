import type { ServerResponse } from 'node:http';
import { toDownstreamHeaders } from '../http/headers.ts';
import { sendWhole } from '../http/send-whole.ts';
import type { UpstreamResponse } from '../http/upstream-response.ts';
import { asJudged } from './content-type.ts';

/** The head of what is judged, under which it is read as it was judged. */
export function judgedHead({ rawHeaders }: Pick<UpstreamResponse, 'rawHeaders'>, isRewritten: boolean): string[] {
  const headers = toDownstreamHeaders(rawHeaders, { isRewritten });
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (name.length === 'content-type'.length && name.toLowerCase() === 'content-type')
      headers[at + 1] = asJudged(headers[at + 1] ?? '');
  }
  return headers;
}

/** Sends a body under the status of a server's answer. Nothing where the client has gone. */
export function sendJudged(
  response: ServerResponse,
  answer: Pick<UpstreamResponse, 'statusCode'>,
  { headers, body }: { readonly headers: string[]; readonly body: Buffer },
): void {
  if (response.destroyed) return;
  if (!isBodiless(answer) && !hasLength(headers)) {
    headers.push('content-length', String(body.length));
  }
  sendWhole(response, { status: answer.statusCode, headers, body });
}

/** Sends another body under the head of an answer. Nothing where the client has gone. */
export function sendRewritten(
  response: ServerResponse,
  answer: Pick<UpstreamResponse, 'statusCode' | 'rawHeaders'>,
  body: Buffer,
): void {
  sendJudged(response, answer, { headers: judgedHead(answer, true), body });
}

function hasLength(headers: readonly string[]): boolean {
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (name.length === 'content-length'.length && name.toLowerCase() === 'content-length') return true;
  }
  return false;
}

/** May an answer have no body at all? */
export function isBodiless({ statusCode }: Pick<UpstreamResponse, 'statusCode'>): boolean {
  return statusCode === 204 || statusCode === 304;
}
