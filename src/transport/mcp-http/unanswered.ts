import type { Asked } from './asked.ts';
import type { RouteParts } from './route-parts.ts';

/**
 * What the client is told of the requests that the server did not answer, as lines. A session that ends while they are on their way takes
 * with it what its gate knew of them; whoever asked waits all the same.
 *
 * @param options `hasArrived`: the server may have got them, so that they count as calls that were made
 */
export function unansweredOf(
  { gates }: Pick<RouteParts, 'gates'>,
  { gate, onward }: Pick<Asked, 'gate' | 'onward'>,
  { why, hasArrived }: { readonly why: string; readonly hasArrived: boolean },
): string {
  const lines = gate.undelivered(onward, why, { hasArrived });
  if (lines !== '' || !gates.hasEnded(gate)) return lines;
  const answers: string[] = [];
  for (const line of onward.toString('latin1').split('\n')) {
    const bytes = Buffer.from(line, 'latin1');
    const verdict = gate.undeliverable(bytes, 0, bytes.length);
    if (verdict.kind === 'reply') answers.push(verdict.line);
  }
  return answers.join('');
}
