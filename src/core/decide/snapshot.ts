import type { Category } from '../call.ts';
import type { Bucket, DetectionFacts, RegistryFacts, SessionFacts } from '../facts.ts';
import type { FlowFinding } from '../finding.ts';
import type { CompiledPolicy } from '../match/compile.ts';
import type { MatchArg } from '../match/evaluate.ts';
import type { PathContext } from '../match/paths-to-resolve.ts';
import type { Reading } from '../match/reading.ts';
import type { Reach } from '../self/find-reach.ts';
import type { OwnPaths } from '../self/own-paths.ts';

/** Everything a decision depends on besides the call itself, as a value: taken once, then never changing. */
export interface Snapshot {
  readonly policy: CompiledPolicy;
  /** The server's view of paths. */
  readonly paths: PathContext;
  /**
   * Real path of each absolute path that `pathsToResolve(policy, call, reading)` and `ownPathsToResolve(reach, paths, own)` named. A missing
   * path counts as its own real path (a remote server's, or a fixture's, which must not depend on this disk).
   */
  readonly realPaths: ReadonlyMap<string, string>;
  /** The reading of the call that was made for `realPaths`, with these same `paths`; made again if it is absent. */
  readonly reading?: Reading;
  /** The files of clawai itself on this machine; absent if none are checked, as for fixtures. */
  readonly own?: OwnPaths;
  /** The result of `findReach` for this exact call, if already known; it is computed otherwise. */
  readonly reach?: Reach;
  /** Facts about the called definition; absent if they were not looked up, and then nothing is pinned. */
  readonly registry?: RegistryFacts;
  /** Detection's findings in the called definition; absent if it was not scanned, and then they decide nothing. */
  readonly detection?: DetectionFacts;
  /** The kind of the called tool, if it is determined otherwise than by its name and definition, as in a fixture. */
  readonly categories?: readonly Category[];
  /** Facts about the session; absent if they were not looked up, and then no flow rule matches the call. */
  readonly session?: SessionFacts;
  /** Findings of flow rules in the call, if they come from elsewhere than the session, such as a record. */
  readonly flows?: readonly FlowFinding[];
  /** Decides whether an argument matches, if not all arguments are known. */
  readonly matches?: MatchArg;
  /** The buckets that `limitsOf` named, by key, and the current time in milliseconds since the epoch; absent if nothing is limited. */
  readonly rates?: { readonly now: number; readonly buckets: ReadonlyMap<string, Bucket> };
}
