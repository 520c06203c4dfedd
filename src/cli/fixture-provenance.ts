import { ResultReader } from '../core/flow/values/result-reader.ts';
import { SaidValues } from '../core/flow/values/said-values.ts';
import { ValueHasher } from '../core/flow/values/value-hasher.ts';
import { ValueIndex } from '../core/flow/values/value-index.ts';
import type { Provenance } from '../gate/session-port.ts';

/** Nothing that is hashed with it leaves this process, and what is found must be the same each time. */
const KEY = new Uint8Array(32);

let hasher: ValueHasher | undefined;

/** What the process in front of one server knows of values. */
export function createProvenance(): Provenance {
  const known = (hasher ??= new ValueHasher(KEY));
  let index = new ValueIndex(known);
  let said = new SaidValues(known);
  return {
    noteSaid: (args, time) => said.add(args, time),
    read: (texts) => {
      const reader = new ResultReader(known, said);
      for (const text of texts) reader.add(text);
      return reader.finish();
    },
    add: (values) => index.add(values),
    clear: () => {
      index = new ValueIndex(known);
      said = new SaidValues(known);
    },
    find: (args, server) => index.find(args, { server, said }),
  };
}
