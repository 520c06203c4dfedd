import type { ServerResponse } from 'node:http';
import { toDownstreamHeaders } from '../http/headers.ts';
import { readBody } from '../http/read-body.ts';
import { sendWhole } from '../http/respond.ts';
import type { UpstreamResponse } from '../http/upstream-response.ts';
import type { Asked } from './asked.ts';
import { toLooseText } from './body-lines.ts';
import { asJudged, contentTypeOf } from './mcp-headers.ts';
import type { RouteParts } from './route-parts.ts';

/** Returns the headers of a judged answer, with a content type under which it is read as it was judged. */
export function judgedHead({ rawHeaders }: Pick<UpstreamResponse, 'rawHeaders'>, isRewritten: boolean): string[] {
  const headers = toDownstreamHeaders(rawHeaders, { isRewritten });
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (name.length === 'content-type'.length && name.toLowerCase() === 'content-type')
      headers[at + 1] = asJudged(headers[at + 1] ?? '');
  }
  return headers;
}

/** Sends a body with the status of a server's answer. Does nothing if the client has gone. */
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

/** Sends another body with the head of an answer. Does nothing if the client has gone. */
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

/** Tells whether this status has no body. */
export function isBodiless({ statusCode }: Pick<UpstreamResponse, 'statusCode'>): boolean {
  return statusCode === 204 || statusCode === 304;
}

/** Passes an error in any text, which contains no message. */
export async function passText(
  parts: RouteParts,
  asked: Pick<Asked, 'gate' | 'response'>,
  answer: UpstreamResponse,
): Promise<void> {
  const { response } = asked;
  const read = await readBody(answer, { limit: parts.limits.message });
  if (read.kind !== 'ok') answer.destroy();
  if (read.kind === 'cut_off') {
    // A broken answer must look broken to the client.
    response.destroy();
    return;
  }
  const body =
    read.kind === 'ok'
      ? await shownOf(parts, asked, { answer, text: read.body })
      : withheld(answer, `${parts.name} sent more than clawai accepts, or in an unknown encoding`);
  const isWhole = read.kind === 'ok' && body === read.body && answer.header('content-encoding') === undefined;
  sendJudged(response, answer, { headers: judgedHead(answer, !isWhole), body });
}

/** Returns what is shown of a text that is not a message: clients tell the model what an error says. */
export async function shownOf(
  parts: RouteParts,
  { gate }: Pick<Asked, 'gate'>,
  { answer, text }: { readonly answer: UpstreamResponse; readonly text: Buffer },
): Promise<Buffer> {
  if (text.length === 0) return text;
  const { line, restOf } = toLooseText(text);
  const judged = parts.rounds.judge(gate, () => gate.fromServer(line, 0, line.length));
  const verdict = judged.kind === 'late' ? await judged.verdict : judged;
  if (verdict.kind === 'forward') return text;
  if (verdict.kind === 'replace' && verdict.line !== '') return restOf(verdict.line);
  return withheld(
    answer,
    `clawai withheld what ${parts.name} sent: it contains text that must not reach a model, or cannot be scanned`,
  );
}

/** Formats our words in place of an error's text, as JSON if the error was JSON. */
function withheld(answer: UpstreamResponse, why: string): Buffer {
  return Buffer.from(contentTypeOf(answer).includes('json') ? JSON.stringify({ error: why }) : why);
}
