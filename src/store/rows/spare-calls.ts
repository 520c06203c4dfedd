/** A noted call of a session, oldest first in a list; a retraction has no server. */
export interface OldCall {
  readonly n: number;
  readonly server: string;
}

/** Calls that are kept of one server at most, and of all together, besides the newest of the session. */
export const KEPT_OLD = { ofOne: 40, ofAll: 400 } as const;

/**
 * Of a session's old calls, those that can go: all retractions, and of each server all but its newest. So no number of calls of one
 * server pushes out the few of another.
 *
 * @returns places, the oldest `most` at most
 */
export function spareCalls(old: readonly OldCall[], most: number): readonly number[] {
  const counts = new Map<string, number>();
  const servers = new Set(old.map(({ server }) => server));
  const ofOne = Math.max(1, Math.min(KEPT_OLD.ofOne, Math.floor(KEPT_OLD.ofAll / servers.size)));
  const spare: number[] = [];
  for (const { n, server } of old.toReversed()) {
    const count = counts.get(server) ?? 0;
    if (server === '' || count >= ofOne) spare.push(n);
    else counts.set(server, count + 1);
  }
  return spare.toReversed().slice(0, most);
}
