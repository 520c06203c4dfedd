import type { Evidence } from '../../../../src/core/finding.ts';
import { type ReadValues, ResultReader } from '../../../../src/core/flow/values/result-reader.ts';
import { SaidValues } from '../../../../src/core/flow/values/known-values.ts';
import { ValueHasher } from '../../../../src/core/flow/values/value-hasher.ts';
import { ValueIndex } from '../../../../src/core/flow/values/value-index.ts';
import type { JsonObject } from '../../../../src/core/json.ts';

export const hasher = new ValueHasher(new Uint8Array(32).fill(7));

export function read(texts: readonly string[], said = new SaidValues(hasher)): ReadValues {
  const reader = new ResultReader(hasher, said);
  for (const text of texts) reader.add(text);
  return reader.finish();
}

/** A session of some servers, whose clock goes on by one with each thing that happens. */
export class Memory {
  readonly index = new ValueIndex(hasher);
  readonly #said = new Map<string, SaidValues>();
  #now = 0;

  said(server: string): SaidValues {
    const said = this.#said.get(server) ?? new SaidValues(hasher);
    this.#said.set(server, said);
    return said;
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
    return this.index.find(args, { server, said: this.said(server) });
  }
}
