import { idText } from '../protocol/jsonrpc.ts';
import type { Message } from '../protocol/message.ts';
import type { BatchAnswer } from './batch-answer.ts';
import { messageText } from './connection.ts';
import { idKey } from './id-key.ts';
import type { Verdict } from './verdict.ts';

/**
 * Makes one verdict out of those on a batch's messages: what may go on goes on, each message as a line of its own, and the
 * replies go back.
 *
 * @param answer gathers the replies to a client's batch, which is answered by one line; undefined for a server's
 */
export function collectBatch(
  messages: readonly Message[],
  verdicts: readonly (Verdict | Promise<Verdict>)[],
  answer: BatchAnswer | undefined,
): Verdict | Promise<Verdict> {
  const isSettled = (verdict: Verdict | Promise<Verdict>): verdict is Verdict => !(verdict instanceof Promise);
  const collect = (settled: readonly Verdict[]): Verdict => collectSettled(messages, settled, answer);
  return verdicts.every(isSettled) ? collect(verdicts) : Promise.all(verdicts).then(collect);
}

function collectSettled(messages: readonly Message[], verdicts: readonly Verdict[], answer: BatchAnswer | undefined): Verdict {
  let line = '';
  let reply = '';
  for (const [index, message] of messages.entries()) {
    const verdict = verdicts[index] as Verdict;
    if (verdict.kind === 'forward') line += `${messageText(message)}\n`;
    if (verdict.kind === 'replace') {
      line += verdict.line;
      reply += verdict.reply ?? '';
    }
    const own = verdict.kind === 'reply' ? verdict.line : undefined;
    const isAnswered = message.kind === 'request' && (verdict.kind === 'reply' || verdict.kind === 'drop');
    if (answer !== undefined && isAnswered) reply += answer.settle(idKey(idText(message)), own) ?? '';
    else reply += own ?? '';
  }
  return { kind: 'replace', line, reply };
}
