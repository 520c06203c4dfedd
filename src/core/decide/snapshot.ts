import type { Category } from '../call.ts';
import type { Bucket, DetectionFacts, RegistryFacts, SessionFacts } from '../facts.ts';
import type { FlowFinding } from '../finding.ts';
import type { CompiledPolicy } from '../match/compile.ts';
import type { MatchArg } from '../match/evaluate.ts';
import type { PathContext } from '../match/paths-to-resolve.ts';
import type { Reading } from '../match/reading.ts';
import type { Reach } from '../self/find-reach.ts';
import type { OwnPaths } from '../self/own-paths.ts';

/** Everything that a decision depends on besides the call, as one value: collected once, never changed. */
export interface Snapshot {
  readonly policy: CompiledPolicy;
  /** The server's view of paths. */
  readonly paths: PathContext;
  /**
   * Real path of each absolute path that `pathsToResolve(policy, call, reading)` and `ownPathsToResolve(reach, paths, own)` named. A missing
   * path counts as its own real path (a remote server's, or a fixture's, which must not depend on this disk).
   */
  readonly realPaths: ReadonlyMap<string, string>;
  /** The call's arguments as read for `realPaths`, with the same `paths`; read again if absent. */
  readonly reading?: Reading;
  /** The files of clawai itself on this machine; absent if none are checked, as for fixtures. */
  readonly own?: OwnPaths;
  /** The result of `findReach` for this exact call, if already known; it is computed otherwise. */
  readonly reach?: Reach;
  /** Facts about the called definition; absent if they were not looked up, and then nothing is pinned. */
  readonly registry?: RegistryFacts;
  /** Detection's findings in the called definition; absent if it was not scanned, and then they decide nothing. */
  readonly detection?: DetectionFacts;
  /** The categories of the called tool; found by its name, definition and arguments if absent. */
  readonly categories?: readonly Category[];
  /** Facts about the session; absent if they were not looked up, and then no flow rule matches the call. */
  readonly session?: SessionFacts;
  /** Findings of flow rules in the call, if they do not come from `session` but, for example, from a record. */
  readonly flows?: readonly FlowFinding[];
  /** Decides whether an argument matches, in place of the usual matcher: arguments on record may be incomplete. */
  readonly matches?: MatchArg;
  /** The buckets that `limitsOf` named, by key, and the current time in milliseconds since the epoch; absent if nothing is limited. */
  readonly rates?: { readonly now: number; readonly buckets: ReadonlyMap<string, Bucket> };
}
