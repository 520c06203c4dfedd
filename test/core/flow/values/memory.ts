import type { Evidence } from '../../../../src/core/finding.ts';
import { type ReadValues, ResultReader } from '../../../../src/core/flow/values/result-reader.ts';
import { SentValues } from '../../../../src/core/flow/values/known-values.ts';
import { ValueHasher } from '../../../../src/core/flow/values/value-hasher.ts';
import { ValueIndex } from '../../../../src/core/flow/values/value-index.ts';
import type { JsonObject } from '../../../../src/core/json.ts';

export const hasher = new ValueHasher(new Uint8Array(32).fill(7));

export function read(texts: readonly string[], sent = new SentValues(hasher)): ReadValues {
  const reader = new ResultReader(hasher, sent);
  for (const text of texts) reader.add(text);
  return reader.finish();
}

/** A session of some servers, whose clock goes on by one with each thing that happens. */
export class Memory {
  readonly index = new ValueIndex(hasher);
  readonly #sent = new Map<string, SentValues>();
  #now = 0;

  said(server: string): SentValues {
    const sent = this.#sent.get(server) ?? new SentValues(hasher);
    this.#sent.set(server, sent);
    return sent;
  }

  tell(server: string, args: JsonObject): void {
    this.#now += 1;
    this.said(server).add(args, this.#now);
  }

  /** @param source id of the call, the server's name where none is given */
  answer(server: string, text: string, source = server): void {
    this.#now += 1;
    this.index.add({ source, server, time: this.#now, hashes: read([text], this.said(server)).hashes });
  }

  find(server: string, args: JsonObject): readonly Evidence[] {
    return this.index.find(args, { server, sent: this.said(server) });
  }
}
