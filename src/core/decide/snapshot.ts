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
  /** How the server sees paths. */
  readonly paths: PathContext;
  /**
   * Real path of each absolute path that `pathsToResolve(policy, call, reading)` and `ownPathsToResolve(reach, paths, own)` named. A path that is missing here
   * counts as its own real path (a remote server's, or a fixture's, which must not depend on this disk).
   */
  readonly realPaths: ReadonlyMap<string, string>;
  /** What was read of the call for `realPaths`, with these same `paths`; absent, it is read again. */
  readonly reading?: Reading;
  /** What makes up clawai on this machine; absent where none is looked at, as for fixtures. */
  readonly own?: OwnPaths;
  /** What `findReach` found in this very call, where it was asked before; it is found again otherwise. */
  readonly reach?: Reach;
  /** What is known of the definition of what is called; absent where nothing was asked, and then nothing is pinned. */
  readonly registry?: RegistryFacts;
  /** What detection found in the definition of what is called; absent where it was not looked at, and then nothing is decided by it. */
  readonly detection?: DetectionFacts;
  /** What kind of tool is called, where that is settled otherwise than by its name and definition, as in a fixture. */
  readonly categories?: readonly Category[];
  /** What is known of the session; absent where nothing was asked, and then no flow rule is about the call. */
  readonly session?: SessionFacts;
  /** What flow rules say of the call, where that is settled otherwise than by the session, as where it is on record; none without one. */
  readonly flows?: readonly FlowFinding[];
  /** Says whether an argument matches, where not all arguments are known. */
  readonly matches?: MatchArg;
  /** The buckets that `limitsOf` named, by their keys, and when it is now in milliseconds since the epoch; absent where nothing is limited. */
  readonly rates?: { readonly now: number; readonly buckets: ReadonlyMap<string, Bucket> };
}
