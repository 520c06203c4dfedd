import { median } from '../statistics.ts';
import { type Kind, KINDS, type Peer } from './peer.ts';

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

/** Messages a millisecond when they come as fast as they are taken. @param pieces `count` messages that are each answered with a line */
export function pipelinedRate(peers: Readonly<Record<Kind, Peer>>, pieces: readonly Buffer[], count: number) {
  return async (kind: Kind): Promise<number> => {
    const peer = peers[kind];
    const started = performance.now();
    const answers = peer.lines(count);
    for (const piece of pieces) await peer.write(piece);
    await answers;
    return count / (performance.now() - started);
  };
}
