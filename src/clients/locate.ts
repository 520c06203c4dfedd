import type { Client, Location, Machine } from './client.ts';

/** One file of a client on this machine. */
export interface LocatedFile {
  readonly client: Client;
  readonly location: Location;
  /** Absolute; symbolic links not followed. */
  readonly file: string;
}

/**
 * The files of these clients that exist on the disk (a dangling symbolic link counts as existing), each project's after the user's.
 * One file may be read by several clients and is then listed for each.
 */
export function locateFiles(
  _clients: readonly Client[],
  _machine: Machine,
  _projects: readonly string[],
): readonly LocatedFile[] {
  throw new Error('not written yet');
}
