import { DeniedLedger } from '../../src/gate/model/denied-ledger.ts';
import type { ModelCall } from '../../src/protocol/llm/dialect.ts';

/** A ledger whose time stands still. @param key so that two of them differ @param ids of denied calls */
export function createLedger(key = 'k', ids: readonly unknown[] = []): DeniedLedger {
  return new DeniedLedger({ key: Buffer.from(key), now: () => 0, isDenied: (id) => ids.includes(id) });
}

/** A call that can be told again as this text. */
export function tellable(text: string, more: Partial<ModelCall> = {}): ModelCall {
  const { id, name } = JSON.parse(text) as { readonly id: string; readonly name: string };
  const read = { group: undefined, args: '{}', problem: undefined, runBy: 'client', server: undefined } as const;
  return { id, name, ...read, inHistory: () => text, ...more };
}
