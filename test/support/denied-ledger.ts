import { DeniedLedger } from '../../src/gate/model/denied-ledger.ts';
import type { ModelCall } from '../../src/protocol/llm/dialect.ts';

/** A ledger whose time stands still. @param key so that two of them differ */
export function createLedger(key = 'k'): DeniedLedger {
  return new DeniedLedger({ key: Buffer.from(key), now: () => 0 });
}

/** A call that can be told again as this text. */
export function tellable(text: string, more: Partial<ModelCall> = {}): ModelCall {
  const { id, name } = JSON.parse(text) as { readonly id: string; readonly name: string };
  const read = { group: undefined, args: '{}', problem: undefined, runBy: 'client', server: undefined } as const;
  return { id, name, ...read, inHistory: () => text, ...more };
}
