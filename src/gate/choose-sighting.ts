import type { KeptSighting } from './sighting-port.ts';

/**
 * Milliseconds after which a call that is made is not taken for one that was seen: long where its client says which one it is, since a client
 * asks its user before it makes a call; short where just the same is called.
 */
export const LOOKED_BACK = { byId: 60 * 60 * 1000, byArguments: 10 * 60 * 1000 } as const;

export interface ChooseOptions {
  /** As the client says it; undefined where it says none. */
  readonly toolUseId: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Which sighting a call is that is made now, of those of the same server, tool and arguments, oldest first. Where the client names the call, the one
 * of that name and no other; else the oldest that the agent got. One that it never got is only told by its name: others may well call the same.
 */
export function chooseSighting(sightings: readonly KeptSighting[], { toolUseId, now }: ChooseOptions): KeptSighting | undefined {
  const isRecent = ({ time }: KeptSighting, most: number): boolean => Math.abs(now - time) <= most;
  if (toolUseId === undefined) return sightings.find((each) => !each.isDenied && isRecent(each, LOOKED_BACK.byArguments));
  if (toolUseId === '') return undefined;
  const named = sightings.filter((each) => each.toolUseId === toolUseId && isRecent(each, LOOKED_BACK.byId));
  // Some APIs number the calls of each answer anew.
  return named.find(({ isDenied }) => !isDenied) ?? named[0];
}
