import { createHash } from 'node:crypto';
import { visitCanonicalJson } from '../../core/json.ts';
import type { CallVerdict, ModelCall } from '../../protocol/llm/dialect.ts';

/** Most calls that are remembered; the oldest go first. */
const MOST = 4096;

/**
 * The verdicts on calls in answers that the provider stores: clients fetch such an answer again and again until it is complete, and a
 * person is asked about a call once.
 */
export class DecidedCalls {
  readonly #verdicts = new Map<string, CallVerdict>();

  find(call: ModelCall): CallVerdict | undefined {
    const key = keyOf(call);
    return key === undefined ? undefined : this.#verdicts.get(key);
  }

  note(call: ModelCall, verdict: CallVerdict): void {
    const key = keyOf(call);
    if (key === undefined) return;
    this.#verdicts.set(key, verdict);
    const [oldest] = this.#verdicts.keys();
    if (this.#verdicts.size > MOST && oldest !== undefined) this.#verdicts.delete(oldest);
  }
}

/** Undefined for a call that can't be told from others. */
function keyOf({ answer, id, name, group, server, args, problem }: ModelCall): string | undefined {
  if (answer === undefined || id === '') return undefined;
  const hash = createHash('sha256');
  const parts = [answer, id, name, group ?? null, server ?? null, args ?? null, problem ?? null];
  visitCanonicalJson(parts, (piece) => hash.update(piece));
  return hash.digest('base64');
}
