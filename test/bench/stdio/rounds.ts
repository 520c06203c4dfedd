import { median } from '../statistics.ts';
import { type Kind, KINDS, type Peer } from './peer.ts';

/** Measures each kind once a round, so that a busy moment of the machine hits all; returns the medians. */
export async function alternate<K extends string = Kind>(
  rounds: number,
  measure: (kind: K) => Promise<number>,
  kinds: readonly K[] = KINDS as readonly string[] as readonly K[],
): Promise<Record<K, number>> {
  const samples = new Map<K, number[]>(kinds.map((kind) => [kind, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [kind, taken] of samples) taken.push(await measure(kind));
  }
  return Object.fromEntries([...samples].map(([kind, taken]) => [kind, median(taken)])) as Record<K, number>;
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
