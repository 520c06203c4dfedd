import type { Call } from '../call.ts';
import type { Decision } from '../decision.ts';
import { type PathContext, toSlashes } from '../paths/absolute-path.ts';
import { foldPath, spellings } from '../paths/path-forms.ts';
import { MOST_PATHS } from '../match/paths-to-resolve.ts';
import { Reading } from '../match/reading.ts';
import type { Snapshot } from './snapshot.ts';
import { findReach, type Reach } from '../self/find-reach.ts';
import { holdsOwn, isOwn, NO_OWN_PATHS, type OwnPaths } from '../self/own-paths.ts';

const NONE: ReadonlySet<string> = new Set();

/**
 * The first guard: denies a call that reaches for clawai's own files or what they depend on, or that runs a clawai command that changes
 * anything. No policy can allow one. Undefined for all other calls.
 */
export function decideBySelf(
  call: Call,
  { policy, paths, own = NO_OWN_PATHS, reading = new Reading(paths), reach = findReach(call, reading, own), realPaths }: Snapshot,
): Decision | undefined {
  const rest = { findings: [], policyHash: policy.hash };
  if (isTooMuch(reach)) return { action: 'deny', reason: 'too_many_paths', ...rest };
  if (!reach.isOurs && !leadsToOwn(reach.toResolve, { paths, own, realPaths })) return undefined;
  return { action: 'deny', reason: 'self', ...rest };
}

/** The absolute paths whose real paths `decideBySelf` depends on; undefined if there are more than `MOST_PATHS`. */
export function ownPathsToResolve(reach: Reach, { remote }: PathContext, own: OwnPaths): ReadonlySet<string> | undefined {
  if (isTooMuch(reach)) return undefined;
  // Without own files, nothing can lead to them.
  if (reach.isOurs || remote || own.roots.length === 0 || reach.toResolve.size === 0) return NONE;
  return new Set(reach.toResolve.keys());
}

/** Tells whether a call names more than can be checked. A call that reaches our files is denied as such, whatever else it names. */
function isTooMuch({ isOurs, toResolve, texts }: Reach): boolean {
  return !isOurs && (toResolve.size > MOST_PATHS || texts > MOST_PATHS);
}

type Disk = Required<Pick<Snapshot, 'paths' | 'own' | 'realPaths'>>;

function leadsToOwn(toResolve: ReadonlyMap<string, boolean>, { paths, own, realPaths }: Disk): boolean {
  for (const [path, isRemoved] of toResolve) {
    const real = realPaths.get(path);
    // A path that is its own real path was compared already.
    if (real === undefined || real === path) continue;
    for (const spelling of spellings(paths.platform === 'windows' ? toSlashes(real) : real)) {
      const folded = foldPath(spelling, paths.platform);
      if (isOwn(folded, own) || (isRemoved && holdsOwn(folded, own))) return true;
    }
  }
  return false;
}
