import type { PathContext } from '../../core/policy/paths.ts';
import { compileOwnPaths, type OwnPaths } from '../../core/self/own-paths.ts';
import { wrappedFilesVersion } from '../../wrap/wrapped-files.ts';
import { listOwnPaths, type OwnPlaces, wrapFolder } from './own-paths.ts';

/** Milliseconds between two looks for configs that were wrapped meanwhile. */
const LOOK_EVERY = 250;

/** Milliseconds after which links are followed anew. */
const RESOLVE_EVERY = 10_000;

export interface LiveOwnPathsOptions {
  readonly places: OwnPlaces;
  readonly style: PathContext['platform'];
  readonly realPath: (path: string) => string;
  /** Milliseconds on a clock that never jumps. */
  readonly elapsed: () => number;
}

/**
 * A source of what makes up clawai on this machine. Nothing is looked at before it is first asked, which most processes that clients start never
 * are; after that, at most every quarter of a second.
 */
export function createLiveOwnPaths({ places, style, realPath, elapsed }: LiveOwnPathsOptions): () => OwnPaths {
  const folder = wrapFolder(places);
  let own: OwnPaths | undefined;
  let version = 0;
  let looked = 0;
  let resolved = 0;
  return () => {
    const now = elapsed();
    if (own !== undefined && now - looked < LOOK_EVERY) return own;
    looked = now;
    const seen = wrappedFilesVersion(folder);
    if (own !== undefined && seen === version && now - resolved < RESOLVE_EVERY) return own;
    version = seen;
    resolved = now;
    own = compileOwnPaths(listOwnPaths(places, realPath), style);
    return own;
  };
}
