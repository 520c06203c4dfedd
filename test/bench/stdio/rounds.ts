import { median } from '../statistics.ts';
import { type Kind, KINDS } from './peer.ts';

type Samples = Record<Kind, number[]>;

/** Measures each kind once a round, so that a busy moment of the machine hits both; returns the medians. */
export async function alternate(rounds: number, measure: (kind: Kind) => Promise<number>): Promise<Record<Kind, number>> {
  const samples: Samples = { pipe: [], clawai: [] };
  for (let round = 0; round < rounds; round++) {
    for (const kind of KINDS) samples[kind].push(await measure(kind));
  }
  return byKind((kind) => median(samples[kind]));
}

export function byKind<T>(value: (kind: Kind) => T): Record<Kind, T> {
  return { pipe: value('pipe'), clawai: value('clawai') };
}
