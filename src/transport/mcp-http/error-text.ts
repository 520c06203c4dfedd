import { readBody } from '../http/read-body.ts';
import type { UpstreamResponse } from '../http/upstream-response.ts';
import type { Asked } from './asked.ts';
import { contentTypeOf } from './content-type.ts';
import { toLooseText } from './loose-text.ts';
import type { RouteParts } from './route-parts.ts';
import { judgedHead, sendJudged } from './send-judged.ts';

/** An error in words, or in whatever the server likes; nothing in it is a message. */
export async function passText(parts: RouteParts, asked: Asked, answer: UpstreamResponse): Promise<void> {
  const { response } = asked;
  const read = await readBody(answer, { limit: parts.limits.message });
  if (read.kind !== 'ok') answer.destroy();
  if (read.kind === 'cut_off') {
    // What breaks is seen to have broken.
    response.destroy();
    return;
  }
  const body =
    read.kind === 'ok'
      ? await shownOf(parts, asked, { answer, text: read.body })
      : withheld(answer, `${parts.name} said more than clawai takes, or in an encoding that is not known`);
  const isWhole = read.kind === 'ok' && body === read.body && answer.header('content-encoding') === undefined;
  sendJudged(response, answer, { headers: judgedHead(answer, !isWhole), body });
}

/** What is shown of a text that is no message: clients tell the model what an error says. */
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
    `clawai kept back what ${parts.name} said: it has in it what should not reach a model, or can not be looked at`,
  );
}

/** Words in place of an error's, in its type where that is JSON. */
function withheld(answer: UpstreamResponse, why: string): Buffer {
  return Buffer.from(contentTypeOf(answer).includes('json') ? JSON.stringify({ error: why }) : why);
}
